#include "tools/wire/common.h"

#include <algorithm>

#include "tools/app/next_actions.h"
#include "tools/insight/pattern/detect.h"
#include "tools/work/task/workspace_services.h"

namespace snapgen::tools {
namespace {

// With these limits an answer stays below 200 tokens, at about 4 bytes per token.
constexpr std::size_t recalled_bytes_max = 220;  // Of all learnings and patterns.
constexpr std::size_t reserved_pattern_bytes_max = 60;
constexpr std::size_t reasons_bytes_max = 110;

}  // namespace

Result<core::WorkStatus> work_status_of(App& app, const core::Task& task, const std::stop_token& stop) {
  core::WorkspaceServices services = TRY(app.services());
  return core::measure_work_status(services, task, stop);
}

RecalledText to_schema(const App& app, const core::RecallAnswer& memory) {
  std::vector<std::string> patterns;
  for (const core::ViolationCount& each : memory.patterns) {
    const std::string words =
        (core::has_detector(each.type) ? "avoid " : "reminder, not checked: ") + each.type;
    patterns.push_back(each.prevention.empty() ? words : words + ": " + each.prevention);
  }
  RecalledText recalled;
  std::int64_t shown = 0, learnings = 0;
  bool is_cut = false;
  // Space is reserved for the first pattern, so that learnings cannot displace it.
  const std::size_t reserved =
      patterns.empty() ? 0 : std::min(patterns.front().size(), reserved_pattern_bytes_max);
  std::size_t left = recalled_bytes_max - reserved;
  const auto add = [&](const std::string& words) {
    recalled.lines += "\n- " + words;
    left -= std::min(left, words.size());
    ++shown;
  };
  for (const core::RecalledLearning& each : memory.learnings) {
    const core::Learning& one = each.learning;
    const std::string both = one.trigger.empty() ? one.action : one.trigger + ": " + one.action;
    // If both do not fit, the action is what the client needs. Part of an action is of little use, so only
    // the best one is cut.
    const std::string& words = both.size() <= left ? both : one.action;
    if (words.size() > left && learnings > 0) continue;
    is_cut = is_cut || words.size() > left;
    add(shortened(words, left));
    ++learnings;
  }
  left += reserved;
  for (const std::string& each : patterns) {
    const bool is_first = &each == &patterns.front();
    if (each.size() > left && !is_first) continue;
    is_cut = is_cut || each.size() > left;
    add(shortened(each, left));
  }
  if (shown > 0) recalled.shown = std::to_string(shown) + "L";
  const auto all = static_cast<std::int64_t>(memory.learnings.size());
  if (all > 0) recalled.sentence = count_with_noun(all, "learning") + " may help";
  if (learnings < all) recalled.sentence += ", " + std::to_string(learnings) + " shown";
  if (learnings < all || is_cut) {
    const std::string session = callable_name(app, "snapback.session");
    recalled.sentence +=
        (recalled.sentence.empty() ? "Whole texts: " : "; whole texts: ") +
        (session.empty() ? std::string(".snapback/learnings/*.jsonl") : session + ", op recommendations");
  }
  if (!recalled.sentence.empty()) recalled.sentence += ".";
  return recalled;
}

std::string short_risk_sentence(const core::Risk& risk) {
  std::string text = risk.level == core::RiskLevel::low      ? "Low risk"
                     : risk.level == core::RiskLevel::medium ? "Medium risk"
                                                             : "High risk";
  std::string reasons;
  for (std::size_t i = 0; i < risk.reasons.size() && i < 2; ++i)
    reasons += (i == 0 ? "" : "; ") + shortened(risk.reasons[i].text, reasons_bytes_max / 2);
  return text + (reasons.empty() ? "." : " (" + reasons + ").") + core::uncounted_sentence(risk);
}

}  // namespace snapgen::tools
