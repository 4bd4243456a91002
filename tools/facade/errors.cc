// Formats an error for the facade's tools: the error envelope (schemas/facade/failure.json).
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/base/result.h"
#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
#include "schemas/facade/failure.h"
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

std::string_view hint_for(Code code) {
  switch (code) {
    case Code::invalid_argument: return "Correct the arguments and call again.";
    case Code::not_found: return "Check the id or the path, and call again.";
    case Code::permission_denied: return "Omit that file, or ask the user.";
    case Code::repo_changed: return "Files changed during the call. Call again.";
    case Code::too_large: return "Name fewer or smaller files.";
    case Code::unsupported: return "Use a client that supports this, or omit the argument.";
    case Code::deadline_exceeded: return "Ask for less, or call again.";
    case Code::declined: return "Ask the user what to do instead.";
    case Code::rate_limited: return "Wait for retry_after_ms and call again.";
    case Code::tier_required: return "Set \"tier\" in .snapback/config.json, or SNAPBACK_TIER.";
    case Code::workspace_invalid:
      return "Start the server with --workspace and a folder that is a workspace.";
    case Code::internal:
      return "Try again once, then report the error to the user; .snapback/logs/errors.jsonl has details.";
    case Code::unavailable: break;
  }
  return "Report the error to the user.";
}

void read_facade_details(const std::string& text, FacadeFailure& failure) {
  if (text.empty()) return;
  json::Reader in(text);
  if (!in.begin_object()) return;
  FacadeFailureError& error = failure.error;
  std::string word;
  std::string_view key;
  while (in.next_key(key)) {
    if (key == "code") {
      in.string(word);
      for (Code each : all_codes)
        if (tools::text(each) == word) error.code = each;
    } else if (key == "correlation_id") {
      in.string(error.correlation_id.emplace());
    } else if (key == "hint") {
      in.string(error.hint);
    } else if (key == "next_actions" && in.begin_array()) {
      failure.next_actions.emplace();
      while (in.next_element()) read(in, failure.next_actions->emplace_back());
    } else if (key == "required_tier") {
      in.string(word);
      error.required_tier =
          word == "pro" ? FacadeFailureErrorRequiredTier::pro : FacadeFailureErrorRequiredTier::enterprise;
    } else if (key == "retry_after_ms") {
      in.integer(error.retry_after_ms.emplace());
    } else if (key == "violations" && in.begin_array()) {
      error.violations.emplace();
      while (in.next_element()) in.raw(error.violations->emplace_back().text);
    } else if (key != "violations" && key != "next_actions") {
      in.skip();
    }
  }
}

}  // namespace

void facade_error(std::string& text, const Error& error) {
  FacadeFailure failure;
  failure.error.code = facade_code(error.code);
  failure.error.message = error.message;
  read_facade_details(error.details, failure);
  if (failure.error.hint.empty()) failure.error.hint = hint_for(failure.error.code);
  failure.timestamp = core::iso_time(core::now_ms());
  json::Writer out(text);
  write(out, failure);
}

}  // namespace snapgen::tools
