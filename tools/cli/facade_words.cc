#include "tools/cli/facade_words.h"

#include "tools/core/phrase.h"

namespace snapgen::tools {
namespace {

Colour colour_of(RiskLevel level) {
  switch (level) {
    case RiskLevel::low: return Colour::green;
    case RiskLevel::medium: return Colour::yellow;
    case RiskLevel::high: break;
  }
  return Colour::red;
}

}  // namespace

std::string words_of(const SessionHealth& health, const Terminal& out) {
  const std::string risk = std::string(text(health.risk_level)) + " (" + std::to_string(health.risk_score) +
                           (health.risk_score == 1 ? " point)" : " points)");
  return "risk " + out.paint(colour_of(health.risk_level), risk) + ", protection " +
         std::to_string(health.protection) + " %, " + core::counted(health.dirty, "uncommitted file");
}

std::string words_of(const std::vector<Learned>& learnings, const Terminal& out) {
  if (learnings.empty()) return "";
  Rows rows;
  for (const Learned& each : learnings)
    rows.add({{std::string(text(each.type)), Colour::cyan},
              {each.trigger.empty() ? each.action : each.trigger + ": " + each.action}});
  return "learned\n" + rows.text(out, 2);
}

std::string words_of(const std::vector<NextAction>& actions, const Terminal& out) {
  if (actions.empty()) return "";
  Rows rows;
  for (const NextAction& each : actions) rows.add({{each.tool, Colour::cyan}, {each.reason}});
  return "tools that would make sense now\n" + rows.text(out, 2);
}

}  // namespace snapgen::tools
