#pragma once
// NextActions: the calls that an answer, or an error, proposes to the client.
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/json/writer.h"
#include "runtime/mcp/tool.h"
#include "schemas/facade/next_action.h"
#include "schemas/facade/snapback_session.h"
#include "tools/app/app.h"

namespace snapgen::tools {

// Returns the name that tools/list has for a tool which the server lists and the tier allows; empty if it may
// not be called. `tool` is its name with dots.
std::string callable_name(const App& app, std::string_view tool);
// Returns the name of a tool as tools/list shows it.
std::string shown_name(const App& app, const mcp::Tool& tool);

// Returns paths in the form that tool arguments accept.
std::vector<std::string> texts_of_paths(const std::vector<std::string>& paths);

// Returns the call that starts a task. Its title names `files`, or the workspace if there are none; the
// arguments have the files, unless they are many.
SnapbackSessionInput session_start(const App& app, std::vector<std::string> files = {});

// The member of an error's details that has proposed calls.
inline constexpr const char* next_actions_key = "next_actions";
// Adds that member, unless there are no actions. Returns `details`.
ErrorDetails& add_next_actions(ErrorDetails& details, const std::vector<NextAction>& actions);

// Proposes only tools that the server lists and the tier allows, under their names in tools/list.
class NextActions {
 public:
  explicit NextActions(App& app) : app_(app) {}

  // Adds a proposal: a call of the tool that has such arguments. `priority` is from 0 to 1.
  template <class Input>
  NextActions& add(const Input& arguments, double priority, std::string reason,
                   std::optional<std::string> condition = {}) {
    std::string json;
    json::Writer out(json);
    write_call(out, arguments);
    return add_call(tool_name(arguments), std::move(json), priority, std::move(reason), std::move(condition));
  }
  // The same with arguments that no struct can have: those of the call that failed, or some that are not
  // complete. `tool` is the name with dots, and `args` a canonical JSON object. `ask_user` has the names of
  // arguments that `args` lacks because only the user can give them.
  NextActions& add_call(std::string_view tool, std::string args, double priority, std::string reason,
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

// Proposes the call that restores the snapshot, if a tool can. `id` is in the form that the tools accept.
void propose_restore(NextActions& actions, std::string_view id, double priority, std::string reason,
                     std::string condition);

}  // namespace snapgen::tools
