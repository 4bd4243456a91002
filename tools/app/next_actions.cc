#include "tools/app/next_actions.h"

#include <algorithm>
#include <utility>

#include "runtime/json/writer.h"
#include "runtime/mcp/server.h"
#include "tools/app/app.h"
#include "tools/engine/base/json_object.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/files/path.h"

namespace snapgen::tools {

std::string callable_name(const App& app, std::string_view tool) {
  const mcp::Tool* found = app.shared.server ? app.shared.server->tool(tool) : nullptr;
  if (!found || !tier_allows(app.tier, found->tier)) return {};
  return std::string(app.shared.server->shown_name(*found));
}

std::string shown_name(const App& app, const mcp::Tool& tool) {
  return std::string(app.shared.server ? app.shared.server->shown_name(tool) : tool.name);
}

std::vector<std::string> texts_of_paths(const std::vector<std::string>& paths) {
  std::vector<std::string> out;
  for (const std::string& each : paths) out.push_back(core::text_of_path(each));
  return out;
}

std::string files_member(const std::optional<std::vector<std::string>>& files) {
  if (!files) return {};
  return "\"files\":" + core::json_list(*files) + ",";
}

std::string session_start_arguments(const App& app, std::vector<std::string> files) {
  // No tool may change the files in .snapback, so no task is about them.
  std::erase_if(files, core::is_state_path);
  constexpr std::size_t files_named_max = 20;
  std::string title;
  std::optional<std::vector<std::string>> named;
  if (!files.empty() && files.size() <= files_named_max) named = texts_of_paths(files);
  if (!files.empty()) {
    title = "change " + core::text_of_path(files.front());
    if (files.size() > 1)
      title += " and " + core::count_with_noun(static_cast<std::int64_t>(files.size()) - 1, "other file");
  } else {
    const Result<std::string>& folder = app.workspace_folder();
    title = "work on " + (folder ? core::text_of_path(core::base_name(*folder)) : "the workspace");
  }
  return "{" + files_member(named) + R"("op":"start","task":)" + json::quoted(title) + "}";
}

std::string next_actions_member(const std::vector<NextAction>& actions) {
  if (actions.empty()) return {};
  std::string member = ",\"next_actions\":[";
  json::Writer out(member);
  for (const NextAction& each : actions) {
    if (&each != &actions.front()) out.text(",");
    write(out, each);
  }
  out.text("]");
  return member;
}

NextActions& NextActions::add(std::string_view tool, std::string args, double priority, std::string reason,
                              std::optional<std::string> condition, std::vector<std::string> ask_user) {
  std::string name = callable_name(app_, tool);
  if (name.empty()) return *this;
  NextAction& action = actions_.emplace_back();
  action.args = json::Raw{std::move(args)};
  if (!ask_user.empty()) action.ask_user = std::move(ask_user);
  action.condition = std::move(condition);
  action.priority = priority;
  action.reason = std::move(reason);
  action.tool = std::move(name);
  return *this;
}

std::vector<NextAction> NextActions::ranked() && {
  constexpr std::size_t proposed_max = 5;
  std::stable_sort(actions_.begin(), actions_.end(),
                   [](const NextAction& a, const NextAction& b) { return a.priority > b.priority; });
  if (actions_.size() > proposed_max) actions_.resize(proposed_max);
  return std::move(actions_);
}

namespace {

constexpr std::string_view restoring_tool = "snapback.snapshot_restore";

}  // namespace

std::string name_of_restore_tool(const App& app) {
  for (const std::string_view each : {restoring_tool, std::string_view("snap_fix")}) {
    const std::string name = callable_name(app, each);
    if (!name.empty()) return name;
  }
  return "`snap snapshot restore` on the command line";
}

std::string name_of_path_restore_tool(const App& app) {
  const std::string name = callable_name(app, restoring_tool);
  return name.empty() ? "`snap snapshot restore ID PATH` on the command line" : name + " with files";
}

void propose_restore(NextActions& actions, std::string_view id, double priority, std::string reason,
                     std::string condition) {
  if (!callable_name(actions.app(), restoring_tool).empty())
    actions.add(restoring_tool, "{\"snapshot_id\":" + json::quoted(id) + "}", priority, std::move(reason),
                std::move(condition));
  else
    actions.add("snap_fix", "{\"action\":\"restore\",\"id\":" + json::quoted(id) + "}", priority,
                std::move(reason), std::move(condition));
}

}  // namespace snapgen::tools
