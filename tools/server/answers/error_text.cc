#include "tools/server/answers/error_text.h"

#include <array>
#include <span>
#include <string_view>
#include <utility>

#include "runtime/base/visible.h"
#include "runtime/json/details.h"
#include "runtime/json/values.h"
#include "tools/app/wire_failure.h"
#include "tools/bridge/failures.h"
#include "tools/facade/errors.h"
#include "tools/server/answers/outline.h"
#include "tools/substrate/errors.h"

namespace snapgen::tools {
namespace {

// Members of an error whose content is already in the text.
constexpr std::array<std::string_view, 5> shown_members = {"code", "message", "hint", "details",
                                                           "violations"};
// Members of an error's details whose content is already in the text.
constexpr std::array<std::string_view, 1> shown_details = {"violations"};
// As shown_details, for STALE_LEASE, and what helps no model.
constexpr std::array<std::string_view, 5> shown_stale_details = {"diff", "diff_truncated", "fingerprint",
                                                                 "lease_id", "read_paths"};

// Returns the beginning of a text: the line with the code, and the details, a JSON object or empty.
std::string code_and_details(std::string_view code, std::string_view message, std::string_view details,
                             std::span<const std::string_view> shown = shown_details) {
  std::string text = std::string(code) + ": " + std::string(message) + "\n";
  append_outline(text, details, shown);
  return text;
}

// Returns the text of a STALE_LEASE error, which ends with the diff of the files that were read.
std::string stale_lease_text(const Error& error) {
  std::string text = code_and_details(snapgen::text(error.code), error.message,
                                      json::object_text(error.details), shown_stale_details);
  text += error.details.text("diff");
  if (!error.details.json("diff_truncated").empty()) text += "(more lines differ)\n";
  return text;
}

std::string facade_error_text(const FacadeFailure& failure) {
  const FacadeFailureError& error = failure.error;
  const std::string hint = error.hint.empty() ? "" : " " + error.hint;
  std::string text = code_and_details(tools::text(error.code), error.message + hint, {});
  append_outline(text, json::to_json(error), shown_members);
  return failure.next_actions ? text + next_actions_text(*failure.next_actions) : text;
}

std::string bridge_error_text(const Error& error) {
  const BridgeFailureError failure = bridge::to_failure(error).error;
  std::string text = code_and_details(tools::text(failure.code), failure.message,
                                      failure.details ? failure.details->text : std::string_view());
  append_outline(text, json::to_json(failure), shown_members);
  return text;
}

}  // namespace

std::string next_actions_text(const std::vector<NextAction>& actions) {
  std::string text;
  for (const NextAction& action : actions) {
    text += "next: " + action.tool + " " + json::to_json(action.args) + " (" + action.reason;
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

std::string_view error_code_text(const mcp::Tool& tool, const Error& error) {
  if (tool.family == "wire") return lines::text(to_wire_failure(error).line.code);
  if (tool.family == "facade") return tools::text(to_facade_failure(error).error.code);
  if (tool.family == "bridge") return tools::text(bridge::code_of(error));
  if (tool.family == "substrate") return snapgen::text(substrate_code_of(error));
  return error.family_code.empty() ? snapgen::text(error.code) : std::string_view(error.family_code);
}

std::string error_text(const mcp::Tool& tool, const Error& error, mcp::ErrorWriter write_error) {
  std::string text;
  if (tool.family == "wire") {
    write_error(text, error);
    return text;
  }
  if (tool.family == "facade")
    text = facade_error_text(to_facade_failure(error));
  else if (tool.family == "bridge")
    text = bridge_error_text(error);
  else if (error.code == ErrorCode::stale_lease)
    text = stale_lease_text(error);
  else
    text = code_and_details(error_code_text(tool, error), error.message, json::object_text(error.details));
  text.pop_back();
  return visible(std::move(text));
}

}  // namespace snapgen::tools
