// Writes an error in the form of the facade's tools: the error envelope (schemas/facade/failure.json).
#include "tools/facade/errors.h"

#include <array>
#include <string>
#include <string_view>

#include "runtime/json/members.h"
#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
#include "tools/app/next_actions.h"
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

void set_details(const ErrorDetails& details, FacadeFailure& failure) {
  FacadeFailureError& error = failure.error;
  if (const std::string_view actions = details.json(next_actions_key); !actions.empty()) {
    json::Reader list(actions);
    failure.next_actions.emplace();
    if (list.begin_array())
      while (list.next_element()) read(list, failure.next_actions->emplace_back());
  }
  if (const std::string_view violations = details.json("violations"); !violations.empty()) {
    json::Reader list(violations);
    error.violations.emplace();
    if (list.begin_array())
      while (list.next_element()) list.raw(error.violations->emplace_back().text);
  }
  if (const std::string_view id = details.text("correlation_id"); !id.empty()) error.correlation_id = id;
  error.hint = details.text("hint");
  error.retry_after_ms = details.number("retry_after_ms");
  for (Code each : all_codes)
    if (tools::text(each) == details.text("code")) error.code = each;
  if (const std::string_view tier = details.text("required_tier"); !tier.empty())
    error.required_tier =
        tier == "pro" ? FacadeFailureErrorRequiredTier::pro : FacadeFailureErrorRequiredTier::enterprise;
}

}  // namespace

FacadeFailure to_facade_failure(const Error& error) {
  FacadeFailure failure;
  failure.error.code = facade_code(error.code);
  failure.error.message = error.message;
  set_details(error.details, failure);
  if (failure.error.hint.empty()) failure.error.hint = hint_for(failure.error.code);
  failure.timestamp = core::iso_time(core::now_ms());
  return failure;
}

void facade_error(std::string& text, const Error& error) {
  json::Writer out(text);
  write(out, to_facade_failure(error));
}

}  // namespace snapgen::tools
