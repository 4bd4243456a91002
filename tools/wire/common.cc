#include "tools/wire/common.h"

#include "tools/insight/pattern/detect.h"
#include "tools/work/task/workspace_services.h"

namespace snapgen::tools {
namespace {

// With these limits an answer stays below 200 tokens, at about 3 bytes per token. A learning and a pattern
// fit, each with an ellipsis of 3 bytes.
constexpr std::size_t learned_bytes_max = 130;
constexpr std::size_t one_learning_bytes_max = 61;
constexpr std::size_t only_learning_bytes_max = learned_bytes_max - 5;  // Without the ellipsis and "; ".
constexpr std::size_t reasons_bytes_max = 110;

}  // namespace

Result<core::WorkStatus> work_status_of(App& app, const core::Task& task, const std::stop_token& stop) {
  core::WorkspaceServices services = TRY(app.services());
  return core::measure_work_status(services, task, stop);
}

RecalledText to_schema(const core::RecallAnswer& memory) {
  const bool is_alone = memory.patterns.size() + memory.learnings.size() == 1;
  const std::size_t item_bytes_max = is_alone ? only_learning_bytes_max : one_learning_bytes_max;
  std::vector<std::string> patterns;
  for (const core::ViolationCount& each : memory.patterns) {
    const std::string words = (core::has_detector(each.type) ? "avoid " : "reminder ") + each.type;
    patterns.push_back(
        shortened(each.prevention.empty() ? words : words + ": " + each.prevention, item_bytes_max));
  }
  RecalledText recalled;
  std::string& text = recalled.text;
  std::size_t limit = learned_bytes_max;
  auto add = [&](const std::string& item) {
    const std::string next = (text.empty() ? "" : "; ") + item;
    const bool fits = text.size() + next.size() <= limit;
    if (fits) text += next;
    return fits;
  };
  // Space is reserved for the first pattern, so that learnings cannot displace it.
  if (!patterns.empty()) limit -= patterns.front().size() + 2;
  for (const core::RecalledLearning& each : memory.learnings) {
    const core::Learning& one = each.learning;
    // If both do not fit, the action is what the client needs.
    const std::string both = one.trigger + ": " + one.action;
    const std::string& words = one.trigger.empty() || both.size() > item_bytes_max ? one.action : both;
    if (add(shortened(words, item_bytes_max))) ++recalled.learnings;
  }
  limit = learned_bytes_max;
  for (const std::string& each : patterns) add(each);
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
