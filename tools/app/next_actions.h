#pragma once
// NextActions: the calls that an answer, or an error, proposes to the client.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/mcp/tool.h"
#include "schemas/facade/next_action.h"
#include "tools/app/app.h"

namespace snapgen::tools {

// Returns the name that tools/list has for a tool which the server lists and the tier allows; empty if it may
// not be called. `tool` is its name with dots.
std::string callable_name(const App& app, std::string_view tool);
// Returns the name of a tool as tools/list shows it.
std::string shown_name(const App& app, const mcp::Tool& tool);

// Returns paths in the form that tool arguments accept.
std::vector<std::string> texts_of_paths(const std::vector<std::string>& paths);
// Returns a call's files as a member of a proposal's arguments, `"files":["a"],`; empty if it has none.
std::string files_member(const std::optional<std::vector<std::string>>& files);

// Returns arguments of snapback.session that start a task. Its title names `files`, or the workspace if there
// are none; the arguments have the files, unless they are many.
std::string session_start_arguments(const App& app, std::vector<std::string> files = {});

// Returns a member `,"next_actions":[…]` for an error's details; empty without actions.
std::string next_actions_member(const std::vector<NextAction>& actions);

// Proposes only tools that the server lists and the tier allows, under their names in tools/list.
class NextActions {
 public:
  explicit NextActions(App& app) : app_(app) {}

  // Adds a proposal. `tool` is the name with dots, `args` canonical JSON that conforms to its schema, and
  // `priority` from 0 to 1. `ask_user` has the names of arguments that `args` lacks because only the user can
  // give them.
  NextActions& add(std::string_view tool, std::string args, double priority, std::string reason,
                   std::optional<std::string> condition = {}, std::vector<std::string> ask_user = {});
  App& app() const { return app_; }
  // Returns at most five actions, by descending priority.
  std::vector<NextAction> ranked() &&;

 private:
  App& app_;
  std::vector<NextAction> actions_;
};

// The next functions name only tools that the profile and the tier of the server have.

// Returns what can restore a whole snapshot: the listed name of a tool that may be called, such as
// "snap_fix", or the command line.
std::string name_of_restore_tool(const App& app);

// Returns what can restore single paths of a snapshot, as name_of_restore_tool() does.
std::string name_of_path_restore_tool(const App& app);

// Proposes the call that restores the snapshot, if a tool can. `id` is in the form that the tools accept.
void propose_restore(NextActions& actions, std::string_view id, double priority, std::string reason,
                     std::string condition);

}  // namespace snapgen::tools
