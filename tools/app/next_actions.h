#pragma once
// NextActions: the calls that an answer, or an error, proposes to the client.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schemas/facade/next_action.h"
#include "tools/app/app.h"

namespace snapgen::tools {

// The name in tools/list of a tool that the server lists and the tier allows; empty: it may not be called.
// `tool`: its dotted name.
std::string callable_name(const App& app, std::string_view tool);

// Arguments of snapback.session that start a task, whose title names `files`, or without any the workspace.
std::string session_start(const App& app, const std::vector<std::string>& files = {});

// `,"next_actions":[…]`, a further member of an error's details; empty without actions.
std::string next_actions_member(const std::vector<NextAction>& actions);

// Proposes only tools that the server lists and the tier allows, under their names in tools/list.
class NextActions {
 public:
  explicit NextActions(App& app) : app_(app) {}

  // `tool`: its dotted name. `args`: canonical JSON that conforms to its schema. `priority`: 0 to 1.
  // `ask_user`: the names of arguments that `args` lacks because only the user can give them.
  NextActions& add(std::string_view tool, std::string args, double priority, std::string reason,
                   std::optional<std::string> condition = {}, std::vector<std::string> ask_user = {});
  App& app() const { return app_; }
  // Returns at most five actions, by descending priority.
  std::vector<NextAction> ranked() &&;

 private:
  App& app_;
  std::vector<NextAction> found_;
};

}  // namespace snapgen::tools
