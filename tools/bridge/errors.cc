// Writes errors in the form of the bridge tools.
#include <string>
#include <string_view>
#include <utility>

#include "runtime/json/values.h"
#include "runtime/json/writer.h"
#include "tools/bridge/failures.h"

namespace snapgen::tools {
namespace bridge {
namespace {

constexpr std::string_view form = "{\"error\":{\"code\":\"";
constexpr std::string_view form_end = ",\"status\":\"error\"}";
constexpr std::size_t codes = static_cast<std::size_t>(BridgeFailureCode::sprite_not_found) + 1;
constexpr std::size_t violations_shown = 10;

BridgeFailureCode bridge_code(std::string_view code) {
  for (std::size_t i = 0; i != codes; ++i) {
    const auto each = static_cast<BridgeFailureCode>(i);
    if (text(each) == code) return each;
  }
  return BridgeFailureCode::internal;
}

BridgeFailure form_of(const Error& error) {
  BridgeFailure out;
  out.error.code = code_of(error);
  out.error.message = error.message;
  if (!error.details.empty()) out.error.details = json::Raw{error.details};
  return out;
}

}  // namespace

Error failure(BridgeFailureCode code, std::string message, std::string details,
              std::vector<std::string> suggestions) {
  BridgeFailure out;
  out.error.code = code;
  out.error.message = message;
  if (!details.empty()) out.error.details = json::Raw{std::move(details)};
  if (!suggestions.empty()) out.error.recovery_suggestions = std::move(suggestions);
  return Error(ErrorCode::unavailable, std::move(message), json::to_json(out));
}

Error with_session(Error error, const std::string& session_id) {
  const bool is_form = error.details.starts_with(form) && error.details.ends_with(form_end);
  if (is_form && !session_id.empty())
    error.details.insert(error.details.size() - form_end.size(),
                         ",\"session_id\":" + json::quoted(session_id));
  return error;
}

BridgeFailureCode code_of(CommandErrorCode code) { return bridge_code(text(code)); }

Error failure_of(const CommandError& error) {
  return failure(code_of(error.code), error.message, error.details ? error.details->text : std::string(),
                 error.recovery_suggestions.value_or(std::vector<std::string>()));
}

bool has_failure(const Error& error) { return error.details.starts_with(form); }

BridgeFailureCode code_of(const Error& error) {
  if (has_failure(error)) {
    const std::string_view rest = std::string_view(error.details).substr(form.size());
    return bridge_code(rest.substr(0, rest.find('"')));
  }
  switch (error.code) {
    case ErrorCode::invalid_argument: return BridgeFailureCode::invalid_argument;
    case ErrorCode::permission_denied: return BridgeFailureCode::permission_denied;
    case ErrorCode::too_large: return BridgeFailureCode::memory_limit;
    case ErrorCode::cancelled: return BridgeFailureCode::cancelled;
    default: return BridgeFailureCode::internal;
  }
}

Error invalid_response(const json::Reader& in) {
  std::string details = "{\"violations\":[";
  json::Writer out(details);
  std::size_t count = 0;
  for (const json::Violation& each : in.violations()) {
    if (count == violations_shown) break;
    // The message of a violation is left out, because it may quote the page.
    out.text(count++ == 0 ? "{\"keyword\":" : ",{\"keyword\":");
    out.string(each.keyword);
    out.text(",\"pointer\":");
    out.string(each.pointer);
    out.text("}");
  }
  out.text("]}");
  return failure(BridgeFailureCode::invalid_response,
                 "The browser's answer does not match its schema and is not shown.", std::move(details));
}

}  // namespace bridge

void bridge_error(std::string& out_text, const Error& error) {
  if (bridge::has_failure(error)) {
    out_text = error.details;
  } else {
    out_text = json::to_json(bridge::form_of(error));
  }
}

}  // namespace snapgen::tools
