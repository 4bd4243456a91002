// Writes an error in the form of the facade's tools: the error envelope (schemas/facade/failure.json).
#include "tools/facade/errors.h"

#include <array>
#include <string>
#include <string_view>

#include "runtime/json/members.h"
#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
#include "tools/engine/base/utc.h"

namespace snapgen::tools {
namespace {

using Code = FacadeFailureErrorCode;

constexpr std::array all_codes = {Code::deadline_exceeded, Code::declined,     Code::internal,
                                  Code::invalid_argument,  Code::not_found,    Code::permission_denied,
                                  Code::rate_limited,      Code::repo_changed, Code::tier_required,
                                  Code::too_large,         Code::unavailable,  Code::unsupported,
                                  Code::workspace_invalid};

Code facade_code(ErrorCode code) {
  switch (code) {
    case ErrorCode::not_found: return Code::not_found;
    case ErrorCode::invalid_argument: return Code::invalid_argument;
    case ErrorCode::repo_changed:
    case ErrorCode::stale_lease: return Code::repo_changed;
    case ErrorCode::permission_denied: return Code::permission_denied;
    case ErrorCode::too_large: return Code::too_large;
    case ErrorCode::unsupported: return Code::unsupported;
    case ErrorCode::internal: return Code::internal;
    case ErrorCode::cancelled:
    case ErrorCode::unavailable: break;
  }
  return Code::unavailable;
}

// Returns the hint of an error that has none.
std::string_view hint_for(Code code) {
  switch (code) {
    case Code::invalid_argument: return "Correct the arguments and call again.";
    case Code::not_found: return "Check the id or the path, and call again.";
    case Code::permission_denied: return "Omit that file, or ask the user.";
    case Code::repo_changed: return "Files changed during the call. Call again.";
    case Code::too_large: return "Name fewer or smaller files.";
    case Code::unsupported: return "Use a client that supports this, or omit the argument.";
    case Code::internal:
      return "Try again once, then report the error to the user; .snapback/logs/errors.jsonl has details.";
    case Code::unavailable: break;
    // error_with_hint() makes all errors with these codes.
    case Code::deadline_exceeded:
    case Code::declined:
    case Code::rate_limited:
    case Code::tier_required:
    case Code::workspace_invalid: break;
  }
  return "Report the error to the user.";
}

void read_facade_details(const std::string& text, FacadeFailure& failure) {
  FacadeFailureError& error = failure.error;
  std::string code, tier;
  const auto actions = [&](json::Reader& list) {
    if (!list.begin_array()) return;
    failure.next_actions.emplace();
    while (list.next_element()) read(list, failure.next_actions->emplace_back());
  };
  const auto violations = [&](json::Reader& list) {
    if (!list.begin_array()) return;
    error.violations.emplace();
    while (list.next_element()) list.raw(error.violations->emplace_back().text);
  };
  json::Reader in(text);
  json::read_members(in, "code", code, "correlation_id", error.correlation_id, "hint", error.hint,
                     "next_actions", actions, "required_tier", tier, "retry_after_ms", error.retry_after_ms,
                     "violations", violations);
  for (Code each : all_codes)
    if (tools::text(each) == code) error.code = each;
  if (!tier.empty())
    error.required_tier =
        tier == "pro" ? FacadeFailureErrorRequiredTier::pro : FacadeFailureErrorRequiredTier::enterprise;
}

}  // namespace

FacadeFailure to_facade_failure(const Error& error) {
  FacadeFailure failure;
  failure.error.code = facade_code(error.code);
  failure.error.message = error.message;
  read_facade_details(error.details, failure);
  if (failure.error.hint.empty()) failure.error.hint = hint_for(failure.error.code);
  failure.timestamp = core::iso_time(core::now_ms());
  return failure;
}

void facade_error(std::string& text, const Error& error) {
  json::Writer out(text);
  write(out, to_facade_failure(error));
}

}  // namespace snapgen::tools
