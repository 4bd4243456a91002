#include "tools/insight/check/report.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "tools/engine/base/phrase.h"

namespace snapgen::core {
namespace {

constexpr std::size_t joined_names_bytes_max = 200;

// Joins tests that failed at one place with one message: they have one cause.
std::vector<CheckFinding> join_failed_tests(std::vector<CheckFinding> sorted) {
  std::vector<CheckFinding> joined;
  std::int64_t unnamed = 0;
  const auto end_run = [&] {
    if (unnamed > 0) joined.back().code += " and " + std::to_string(unnamed) + " more";
    unnamed = 0;
  };
  const CheckFinding* first = nullptr;  // The first finding of the run; in `sorted`.
  for (CheckFinding& each : sorted) {
    const bool is_same = first != nullptr && each.is_test && first->is_test && !each.path.empty() &&
                         each.path == first->path && each.line == first->line &&
                         each.message == first->message;
    if (!is_same) {
      end_run();
      first = &each;
      joined.push_back(each);
    } else if (joined.back().code.size() + each.code.size() <= joined_names_bytes_max) {
      joined.back().code += ", " + each.code;
    } else {
      ++unnamed;
    }
  }
  end_run();
  return joined;
}

}  // namespace

std::string without_full_stop(std::string text) {
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string full_message(const CheckFinding& finding) {
  if (finding.prevention.empty()) return finding.message;
  return finding.message + (finding.message.empty() ? "" : " ") + "(recorded: " + finding.prevention + ")";
}

void TestCounts::add(const TestCounts& other) {
  passed += other.passed;
  failed += other.failed;
  skipped += other.skipped;
  todo += other.todo;
}

CheckMark CheckReport::mark(Subsystem subsystem) const {
  const auto index = static_cast<std::size_t>(subsystem);
  return blocked[index] && marks[index] == CheckMark::pass ? CheckMark::skipped : marks[index];
}

void CheckReport::add_mark(Subsystem subsystem, CheckMark added) {
  mark(subsystem) = std::max(mark(subsystem), added);
}

void CheckReport::count_finding(CheckFinding finding) {
  ++(finding.is_error ? error_count : warning_count);
  list_finding(std::move(finding));
}

void CheckReport::list_finding(CheckFinding finding) {
  if (findings.size() < stored_findings_max)
    findings.push_back(std::move(finding));
  else
    ++unstored_findings;
}

void CheckReport::add_checked(CheckedTool part) {
  const auto same = std::find_if(checked.begin(), checked.end(),
                                 [&](const CheckedTool& each) { return each.tool == part.tool; });
  if (same == checked.end()) return checked.push_back(std::move(part));
  same->file_count = same->file_count > 0 && part.file_count > 0 ? same->file_count + part.file_count : 0;
}

std::vector<std::string> CheckReport::unchecked_files() const {
  std::vector<std::string> files;
  for (const std::string& path : uncovered) {
    const Language language = language_of(path);
    const bool is_compiled = has_run_any_build || compiled.contains(language) ||
                             (compiled_projects.contains(language) && !outside_projects.contains(path));
    if (!is_compiled) files.push_back(path);
  }
  return files;
}

bool CheckReport::is_complete() const {
  const bool is_compiled =
      mark(Subsystem::types) != CheckMark::skipped || mark(Subsystem::build) != CheckMark::skipped;
  const bool has_partial =
      std::any_of(checked.begin(), checked.end(), [](const CheckedTool& each) { return each.is_partial; });
  return skipped.empty() && (is_compiled || !has_partial);
}

std::string CheckReport::checked_tools_text() const {
  std::string text;
  for (const CheckedTool& each : checked) {
    text += (text.empty() ? "" : ", ") + each.tool;
    if (each.file_count > 0) text += " (" + count_with_noun(each.file_count, "file") + ")";
  }
  return text;
}

CheckMark CheckReport::overall() const {
  return std::max(static_checks_mark, *std::max_element(marks.begin(), marks.end()));
}

void CheckReport::add(CheckReport other) {
  for (std::size_t i = 0; i < marks.size(); ++i) {
    marks[i] = std::max(marks[i], other.marks[i]);
    blocked[i] = blocked[i] || other.blocked[i];
  }
  static_checks_mark = std::max(static_checks_mark, other.static_checks_mark);
  error_count += other.error_count;
  warning_count += other.warning_count;
  tests.add(other.tests);
  unstored_findings += other.unstored_findings;
  for (CheckedTool& each : other.checked) add_checked(std::move(each));
  std::move(other.findings.begin(), other.findings.end(), std::back_inserter(findings));
  std::move(other.skipped.begin(), other.skipped.end(), std::back_inserter(skipped));
  std::move(other.notes.begin(), other.notes.end(), std::back_inserter(notes));
  if (reminder.empty()) reminder = std::move(other.reminder);
  has_checked_code = has_checked_code || other.has_checked_code;
  std::move(other.uncovered.begin(), other.uncovered.end(), std::back_inserter(uncovered));
  compiled.merge(other.compiled);
  compiled_projects.merge(other.compiled_projects);
  outside_projects.merge(other.outside_projects);
  has_run_any_build = has_run_any_build || other.has_run_any_build;
  compared_with = std::max(compared_with, other.compared_with);
  is_informational = is_informational || other.is_informational;
}

void CheckReport::sort(const std::vector<std::string>& first) {
  const auto key = [&](const CheckFinding& one) {
    const bool is_asked_for = std::binary_search(first.begin(), first.end(), one.path);
    // Orders findings without a path last.
    return std::make_tuple(!one.is_error, one.is_older(), one.distance, !is_asked_for, one.is_document,
                           one.code != syntax_code, one.path.empty(), std::string_view(one.path), one.line,
                           one.column);
  };
  std::stable_sort(findings.begin(), findings.end(),
                   [&](const CheckFinding& a, const CheckFinding& b) { return key(a) < key(b); });
  std::vector<CheckFinding> once;
  std::int64_t times = 1;
  const auto end_run = [&] {
    if (times > 1) once.back().message += " (" + std::to_string(times) + " times)";
    times = 1;
  };
  for (CheckFinding& each : findings) {
    if (once.empty() || once.back() != each) {
      end_run();
      once.push_back(std::move(each));
      continue;
    }
    ++times;
    // A test that failed for the same reason as another is counted once as an error, but twice in `tests`.
    if (each.distance > 0) continue;
    --(each.is_error ? error_count : warning_count);
  }
  end_run();
  const auto count_of = [&](FindingAge age) { return std::ranges::count(once, age, &CheckFinding::age); };
  found_now_count = count_of(FindingAge::found_now);
  found_before_count = count_of(FindingAge::found_before);
  elsewhere_count = count_of(FindingAge::elsewhere);
  findings = join_failed_tests(std::move(once));
  if (findings.size() <= stored_findings_max) return;
  unstored_findings += static_cast<std::int64_t>(findings.size() - stored_findings_max);
  findings.resize(stored_findings_max);
}

}  // namespace snapgen::core
