#include "tools/app/next_actions.h"

#include <algorithm>
#include <utility>

#include "runtime/mcp/server.h"
#include "tools/app/tier.h"

namespace snapgen::tools {

NextActions& NextActions::add(std::string_view tool, std::string args, double priority, std::string reason,
                              std::optional<std::string> condition, std::vector<std::string> ask_user) {
  const mcp::Tool* found = app_.shared.server ? app_.shared.server->tool(tool) : nullptr;
  if (!found || !allows(app_.tier, found->tier)) return *this;
  NextAction& action = found_.emplace_back();
  action.args = json::Raw{std::move(args)};
  if (!ask_user.empty()) action.ask_user = std::move(ask_user);
  action.condition = std::move(condition);
  action.priority = priority;
  action.reason = std::move(reason);
  action.tool = app_.shared.server->shown_name(*found);
  return *this;
}

std::vector<NextAction> NextActions::ranked() && {
  constexpr std::size_t proposed_max = 5;
  std::stable_sort(found_.begin(), found_.end(),
                   [](const NextAction& a, const NextAction& b) { return a.priority > b.priority; });
  if (found_.size() > proposed_max) found_.resize(proposed_max);
  return std::move(found_);
}

}  // namespace snapgen::tools
