// Writes errors in the form of the bridge tools.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/base/ascii.h"
#include "runtime/json/details.h"
#include "runtime/json/members.h"
#include "runtime/json/values.h"
#include "runtime/json/writer.h"
#include "tools/bridge/failures.h"
#include "tools/engine/base/json_object.h"

namespace snapgen::tools {
namespace bridge {
namespace {

constexpr std::size_t codes = static_cast<std::size_t>(BridgeFailureCode::sprite_not_found) + 1;
constexpr std::size_t violations_shown = 10;
constexpr const char* details_key = "details";
constexpr const char* suggestions_key = "recovery_suggestions";
constexpr const char* session_key = "session_id";
constexpr const char* violations_key = "violations";

std::optional<BridgeFailureCode> bridge_code(std::string_view code) {
  for (std::size_t i = 0; i != codes; ++i) {
    const auto each = static_cast<BridgeFailureCode>(i);
    if (text(each) == code) return each;
  }
  return std::nullopt;
}

}  // namespace

Error failure(BridgeFailureCode code, std::string message, std::string_view details,
              const std::vector<std::string>& suggestions) {
  Error error(ErrorCode::unavailable, std::move(message));
  error.family_code = text(code);
  if (!details.empty()) error.details.add_json(details_key, std::string(details));
  if (!suggestions.empty()) error.details.add_json(suggestions_key, core::json_list(suggestions));
  return error;
}

Error with_session(Error error, const std::string& session_id) {
  if (bridge_code(error.family_code) && !session_id.empty()) error.details.add(session_key, session_id);
  return error;
}

BridgeFailureCode code_of(CommandErrorCode code) {
  return bridge_code(text(code)).value_or(BridgeFailureCode::internal);
}

Error failure_of(const CommandError& error) {
  return failure(code_of(error.code), error.message, error.details ? error.details->text : std::string_view(),
                 error.recovery_suggestions.value_or(std::vector<std::string>()));
}

BridgeFailureCode code_of(const Error& error) {
  if (const std::optional<BridgeFailureCode> code = bridge_code(error.family_code)) return *code;
  switch (error.code) {
    case ErrorCode::invalid_argument: return BridgeFailureCode::invalid_argument;
    case ErrorCode::permission_denied: return BridgeFailureCode::permission_denied;
    case ErrorCode::too_large: return BridgeFailureCode::memory_limit;
    case ErrorCode::cancelled: return BridgeFailureCode::cancelled;
    default: return BridgeFailureCode::internal;
  }
}

bool is_word(std::string_view name) {
  const auto is_allowed = [](char byte) { return is_alphanumeric(byte) || byte == '_'; };
  constexpr std::size_t word_max = 32;
  return !name.empty() && name.size() <= word_max && std::ranges::all_of(name, is_allowed);
}

std::string quotable(std::string_view pointer) {
  for (std::size_t begin = 0; begin != pointer.size();) {
    const std::size_t end = std::min(pointer.find('/', begin + 1), pointer.size());
    const std::string_view name = pointer.substr(begin + 1, end - begin - 1);
    if (!is_word(name)) return std::string(pointer.substr(0, begin)) + "/…";
    begin = end;
  }
  return std::string(pointer);
}

Error mismatch(const json::Reader& in, std::string_view pointer, Quotes quotes) {
  if (!in.syntax_ok())
    return Error(ErrorCode::invalid_argument, "not JSON: " + std::string(in.error_message()) + " at byte " +
                                                  std::to_string(in.error_offset()));
  std::string sentence;
  std::string violations = "[";
  json::Writer out(violations);
  std::size_t count = 0;
  for (const json::Violation& each : in.violations()) {
    if (count == violations_shown) break;
    const std::string at = quotable(std::string(pointer) + each.pointer);
    std::string problem(quotes == Quotes::values ? each.message : each.rule());
    if (problem.empty()) problem = "not valid (" + std::string(each.keyword) + ")";
    out.text(count++ == 0 ? "{\"keyword\":" : ",{\"keyword\":");
    out.string(each.keyword);
    out.text(",\"message\":");
    out.string(problem);
    out.text(",\"pointer\":");
    out.string(at);
    out.text("}");
    sentence += (count == 1 ? "" : "; ") + at + (at.empty() ? "" : ": ") + problem;
  }
  out.text("]");
  Error error(ErrorCode::invalid_argument, std::move(sentence));
  error.details.add_json(violations_key, std::move(violations));
  return error;
}

Error invalid_response(const Error& mismatch) {
  return failure(BridgeFailureCode::invalid_response,
                 "The browser's answer does not match its schema and is not shown: " + mismatch.message + ".",
                 json::object_text(mismatch.details));
}

BridgeFailure to_failure(const Error& error) {
  BridgeFailure out;
  out.error.code = code_of(error);
  out.error.message = error.message;
  if (bridge_code(error.family_code)) {
    if (const std::string_view details = error.details.json(details_key); !details.empty())
      out.error.details = json::Raw{std::string(details)};
    if (const std::string_view list = error.details.json(suggestions_key); !list.empty()) {
      json::Reader in(list);
      json::read_value(in, out.error.recovery_suggestions.emplace());
    }
    if (const std::string_view session = error.details.text(session_key); !session.empty())
      out.session_id = session;
  } else if (!error.details.empty()) {
    out.error.details = json::Raw{json::object_text(error.details)};
  }
  return out;
}

}  // namespace bridge

void bridge_error(std::string& out_text, const Error& error) {
  out_text = json::to_json(bridge::to_failure(error));
}

}  // namespace snapgen::tools
