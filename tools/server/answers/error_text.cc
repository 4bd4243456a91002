#include "tools/server/answers/error_text.h"

#include <array>

#include "runtime/base/visible.h"
#include "runtime/json/members.h"
#include "runtime/json/reader.h"
#include "schemas/facade/next_action.h"
#include "tools/server/answers/outline.h"

namespace snapgen::tools {
namespace {

// Members of an error whose content is already in the text.
constexpr std::array<std::string_view, 5> said_members = {"code", "message", "hint", "details", "violations"};
// Members of an error's details whose content is already in the text.
constexpr std::array<std::string_view, 1> said_details = {"violations"};

struct ErrorParts {
  std::string code;
  std::string message;
  std::string hint;
  std::string_view details;
};

// Returns the parts of an error; all are empty if `error` is not an error.
ErrorParts error_parts(std::string_view error) {
  ErrorParts parts;
  json::Reader in(error);
  json::read_members(in, "code", parts.code, "message", parts.message, "hint", parts.hint, "details",
                     parts.details);
  return parts;
}

struct ErrorEnvelope {
  std::string_view error;
  std::string_view next_actions;
};

ErrorEnvelope error_envelope(std::string_view text) {
  ErrorEnvelope found;
  json::Reader in(text);
  json::read_members(in, "error", found.error, "next_actions", found.next_actions);
  if (!in.syntax_ok()) return {};
  return found;
}

}  // namespace

std::string next_actions_text(std::string_view actions) {
  std::string text;
  json::Reader in(actions);
  if (in.peek() != json::Kind::array || !in.begin_array()) return text;
  while (in.next_element()) {
    NextAction action;
    read(in, action);
    text += "next: " + action.tool + " " + action.args.text + " (" + action.reason;
    if (action.condition) text += " When: " + *action.condition + ".";
    if (action.ask_user) {
      text += " Ask the user for:";
      for (const std::string& each : *action.ask_user)
        text += (&each == &action.ask_user->front() ? " " : ", ") + each;
      text += ".";
    }
    text += ")\n";
  }
  return text;
}

std::string error_text(std::string_view error) {
  const ErrorEnvelope envelope = error_envelope(error);
  const ErrorParts parts = error_parts(envelope.error);
  if (parts.code.empty() || parts.message.empty()) return std::string(error);
  std::string text = parts.code + ": " + parts.message;
  if (!parts.hint.empty()) text += " " + parts.hint;
  text += "\n";
  append_outline(text, parts.details, said_details);
  append_outline(text, envelope.error, said_members);
  text += next_actions_text(envelope.next_actions);
  text.pop_back();
  return visible(std::move(text));
}

}  // namespace snapgen::tools
