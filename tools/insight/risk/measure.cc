#include "tools/insight/risk/measure.h"

#include <algorithm>

#include "tools/engine/base/phrase.h"
#include "tools/engine/files/path.h"
#include "tools/insight/risk/rules.h"

namespace snapgen::core {
namespace {

// A value of `from` or more scores `points`.
struct RiskStep {
  std::int64_t from;
  int points;
};
constexpr RiskStep size_steps[] = {
    {.from = 200, .points = 4}, {.from = 50, .points = 3}, {.from = 15, .points = 1}};
constexpr RiskStep dependents_steps[] = {
    {.from = 100, .points = 4}, {.from = 25, .points = 3}, {.from = 8, .points = 1}};
constexpr RiskStep violation_steps[] = {
    {.from = 5, .points = 3}, {.from = 2, .points = 2}, {.from = 1, .points = 1}};
constexpr RiskStep revert_steps[] = {{.from = 3, .points = 3}, {.from = 1, .points = 2}};
// A deletion is at least a medium risk, because importers no longer work.
constexpr int deletion_points = medium_risk_points;
constexpr std::size_t graph_paths_max = 200;

template <std::size_t N>
int points_of(const RiskStep (&steps)[N], std::int64_t count) {
  for (const RiskStep& step : steps)
    if (count >= step.from) return step.points;
  return 0;
}

// For example "12 files", "at least 1000 files".
std::string dependents_in_words(std::int64_t count) {
  return (count >= dependents_counted_max ? "at least " : "") + count_with_noun(count, "file");
}

// Peak finds the path with the highest count.
struct Peak {
  std::string path;
  std::int64_t count = 0;
  void take(const std::string& other, std::int64_t other_count) {
    if (other_count <= count) return;
    path = other;
    count = other_count;
  }
};

}  // namespace

std::string uncounted_sentence(const Risk& risk) {
  if (risk.files_with_counted_dependents == risk.all_files) return {};
  return " The dependents of " + std::to_string(risk.files_with_counted_dependents) + " of the " +
         std::to_string(risk.all_files) + " files were counted.";
}

Risk measure_risk(const RiskInput& input) {
  Risk risk;
  auto add = [&](std::string text, int points) {
    if (points > 0) risk.reasons.push_back({.text = std::move(text), .points = points});
  };
  for (const RiskRule& rule : risk_rules()) {
    auto at = std::find_if(input.paths.begin(), input.paths.end(), [&](const std::string& path) {
      const bool is_test = input.is_test != nullptr && input.is_test(path);
      return meets(rule, path) && !(rule.is_of_code && is_test);
    });
    if (at != input.paths.end()) add(path_in_sentence(*at) + ": " + std::string(rule.reason), rule.points);
  }
  Peak deleted;
  for (const DeletedFile& each : input.deleted) deleted.take(each.path, each.dependent_count);
  add(path_in_sentence(deleted.path) + ": deleted, and " + dependents_in_words(deleted.count) +
          " depended on it",
      deleted.count > 0 ? deletion_points + points_of(dependents_steps, deleted.count) : 0);
  add(std::to_string(input.changed_file_count) +
          (input.are_planned ? " files are named" : " files are changed"),
      points_of(size_steps, input.changed_file_count));
  Peak violations, reverts, dependents;
  for (std::size_t i = 0; i < std::min(input.histories.size(), input.paths.size()); ++i) {
    violations.take(input.paths[i], input.histories[i].violation_count);
    reverts.take(input.paths[i], input.histories[i].revert_count);
  }
  if (input.graph != nullptr) {
    const std::size_t counted = std::min(graph_paths_max, input.paths.size());
    for (std::size_t i = 0; i < counted; ++i)
      dependents.take(input.paths[i], input.graph->count_dependents(input.paths[i]).value_or(0));
    risk.files_with_counted_dependents = static_cast<std::int64_t>(counted);
    risk.all_files = static_cast<std::int64_t>(input.paths.size());
  }
  add(path_in_sentence(violations.path) + ": " + count_with_noun(violations.count, "violation") + " before",
      points_of(violation_steps, violations.count));
  add(path_in_sentence(reverts.path) + ": restored " + count_with_noun(reverts.count, "time") + " before",
      points_of(revert_steps, reverts.count));
  add(path_in_sentence(dependents.path) + ": " + dependents_in_words(dependents.count) + " depend on it",
      points_of(dependents_steps, dependents.count));
  std::stable_sort(risk.reasons.begin(), risk.reasons.end(),
                   [](const RiskReason& a, const RiskReason& b) { return a.points > b.points; });
  for (const RiskReason& reason : risk.reasons) risk.points += reason.points;
  if (risk.points >= medium_risk_points) risk.level = RiskLevel::medium;
  if (risk.points >= high_risk_points) risk.level = RiskLevel::high;
  return risk;
}

}  // namespace snapgen::core
