#include "tools/app/next_actions.h"

#include <algorithm>
#include <utility>

#include "runtime/mcp/server.h"
#include "schemas/facade/snapback_snapshot_restore.h"
#include "schemas/tool_names.h"
#include "schemas/wire/snap_fix.h"
#include "tools/app/app.h"
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

SnapbackSessionInput session_start(const App& app, std::vector<std::string> files) {
  // No tool may change the files in .snapback, so no task is about them.
  std::erase_if(files, core::is_state_path);
  constexpr std::size_t files_named_max = 20;
  SnapbackSessionInput start{.op = SessionOp::start};
  if (!files.empty() && files.size() <= files_named_max) start.files = texts_of_paths(files);
  if (!files.empty()) {
    start.task = "change " + core::text_of_path(files.front());
    if (files.size() > 1)
      *start.task +=
          " and " + core::count_with_noun(static_cast<std::int64_t>(files.size()) - 1, "other file");
  } else {
    const Result<std::string>& folder = app.workspace_folder();
    start.task = "work on " + (folder ? core::text_of_path(core::base_name(*folder)) : "the workspace");
  }
  return start;
}

ErrorDetails& add_next_actions(ErrorDetails& details, const std::vector<NextAction>& actions) {
  if (actions.empty()) return details;
  std::string list = "[";
  json::Writer out(list);
  for (const NextAction& each : actions) {
    if (&each != &actions.front()) out.text(",");
    write(out, each);
  }
  out.text("]");
  return details.add_json(next_actions_key, std::move(list));
}

NextActions& NextActions::add_call(std::string_view tool, std::string args, double priority,
                                   std::string reason, std::optional<std::string> condition,
                                   std::vector<std::string> ask_user) {
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

std::string name_of_restore_tool(const App& app) {
  for (const std::string_view each : {tool_names::snapback_snapshot_restore, tool_names::snap_fix}) {
    const std::string name = callable_name(app, each);
    if (!name.empty()) return name;
  }
  return "`snap snapshot restore` on the command line";
}

void propose_restore(NextActions& actions, std::string_view id, double priority, std::string reason,
                     std::string condition) {
  if (!callable_name(actions.app(), tool_names::snapback_snapshot_restore).empty())
    actions.add(SnapbackSnapshotRestoreInput{.snapshot_id = std::string(id)}, priority, std::move(reason),
                std::move(condition));
  else
    actions.add(SnapFixInput{.action = SnapFixInputAction::restore, .id = std::string(id)}, priority,
                std::move(reason), std::move(condition));
}

}  // namespace snapgen::tools
