#include "tools/cli/facade_words.h"

#include <algorithm>
#include <string_view>

#include "runtime/json/members.h"
#include "schemas/tool_names.h"
#include "tools/engine/base/phrase.h"

namespace snapgen::tools {
namespace {

Colour risk_colour(RiskLevel level) {
  switch (level) {
    case RiskLevel::low: return Colour::green;
    case RiskLevel::medium: return Colour::yellow;
    case RiskLevel::high: break;
  }
  return Colour::red;
}

// Returns a string argument of an action; empty if it is absent.
std::string argument(const NextAction& action, std::string_view name) {
  return json::string_member(action.args.text, name);
}

// Returns the command that does what an action proposes; empty if there is none.
std::string command_of(const NextAction& action) {
  // Callers may get the name with `_` for each dot.
  const auto calls = [&](std::string_view name) {
    return std::ranges::equal(action.tool, name,
                              [](char a, char b) { return a == b || (a == '_' && b == '.'); });
  };
  if (calls(tool_names::snapback_session)) return "snap session " + argument(action, "op");
  if (calls(tool_names::snapback_context)) return "snap ctx " + argument(action, "op");
  if (calls(tool_names::snapback_snapshot_create)) return "snap snapshot create";
  if (calls(tool_names::snapback_snapshot_list)) return "snap snapshot list";
  if (calls(tool_names::snapback_snapshot_restore))
    return "snap snapshot restore " + core::short_snapshot_id(argument(action, "snapshot_id"));
  if (calls(tool_names::snapback_validate))
    return argument(action, "mode") == "comprehensive" ? "snap check full" : "snap check";
  return "";
}

}  // namespace

std::string health_in_words(const SessionHealth& health, const Terminal& out) {
  const std::string risk = std::string(text(health.risk_level)) + " (" + std::to_string(health.risk_score) +
                           (health.risk_score == 1 ? " point)" : " points)");
  return "risk " + out.paint(risk_colour(health.risk_level), risk) + ", protection " +
         std::to_string(health.protection) + " %, " + core::count_with_noun(health.dirty, "uncommitted file");
}

std::string learnings_in_words(const std::vector<Learned>& learnings, const Terminal& out) {
  if (learnings.empty()) return "";
  AlignedRows rows;
  for (const Learned& each : learnings)
    rows.add({{std::string(text(each.type)), Colour::cyan},
              {each.trigger.empty() ? each.action : each.trigger + ": " + each.action}});
  return "learned\n" + rows.text(out, 2);
}

std::string actions_in_words(const std::vector<NextAction>& actions, const Terminal& out) {
  AlignedRows rows;
  for (const NextAction& each : actions) {
    const std::string command = command_of(each);
    if (!command.empty()) rows.add({{command, Colour::cyan}, {each.reason}});
  }
  return rows.empty() ? "" : "suggested next steps\n" + rows.text(out, 2);
}

}  // namespace snapgen::tools
