#include "tools/cli/hosts/hook_event.h"

#include <algorithm>
#include <utility>

#include "runtime/json/members.h"

namespace snapgen::tools {
namespace {

using core::HostEventKind;

// The value of "source" if a host has shortened the conversation of a session that continues.
constexpr std::string_view compacted = "compact";

Error unreadable(std::string_view why) {
  return Error(ErrorCode::invalid_argument, "The host passed an event that " + std::string(why) + ".");
}

}  // namespace

Result<std::optional<HookReport>> read_hook(const HostForm& host, std::string_view event_name,
                                            std::string_view payload) {
  if (!json::valid_utf8(payload)) return unreadable("is not valid UTF-8");
  HookReport report;
  core::HostEvent& event = report.event;
  std::string name, source, prompt, command, path, folder;
  std::vector<std::string> roots;
  // The JSON texts of members that only matter if they exist.
  std::string_view user_prompt, subagent;
  const auto read_tool_input = [&](json::Reader& input) {
    if (input.peek() != json::Kind::object) return input.skip();
    json::read_members(input, "command", command, "file_path", path, "filePath", path, "path", path,
                       "notebook_path", path);
  };
  json::Reader in(payload);
  const bool is_object = json::read_members(
      in, "hook_event_name", name, "session_id", event.session, "conversation_id", event.session, "prompt_id",
      event.turn, "turn_id", event.turn, "generation_id", event.turn, "tool_use_id", event.call, "tool_name",
      event.tool, "tool_input", read_tool_input, "command", command, "file_path", path, "prompt", prompt,
      "source", source, "agent_id", subagent, "cwd", folder, "workspace_roots", roots,
      host.hooks.user_prompt_member, user_prompt);
  in.end();
  if (!is_object || !in.syntax_ok()) return unreadable("is not a JSON object");

  if (!event_name.empty()) name = event_name;
  const auto known = std::ranges::find(host.hooks.events, name, &HookEvent::name);
  if (known == host.hooks.events.end()) return std::optional<HookReport>();
  event.kind = *core::host_event_kind_named(known->kind);
  if (event.kind == HostEventKind::session_begin && source == compacted) return std::optional<HookReport>();
  if (event.kind == HostEventKind::prompt) {
    // The prompt of a subagent is from the model.
    const bool is_of_user = host.hooks.user_prompt_member.empty() || !user_prompt.empty();
    if (!is_of_user || !subagent.empty()) return std::optional<HookReport>();
    event.detail = std::move(prompt);
  } else if (event.kind == HostEventKind::tool_begin || event.kind == HostEventKind::tool_end) {
    event.detail = command.empty() ? std::move(path) : std::move(command);
    if (event.tool.empty()) event.tool = known->tool;
  }
  event.host = host.name;
  if (!folder.empty()) report.folders.push_back(std::move(folder));
  for (std::string& root : roots)
    if (!root.empty()) report.folders.push_back(std::move(root));
  return std::optional(std::move(report));
}

}  // namespace snapgen::tools
