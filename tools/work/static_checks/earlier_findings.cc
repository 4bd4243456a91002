#include "tools/work/static_checks/earlier_findings.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "tools/engine/base/hash.h"
#include "tools/engine/base/plain_text.h"
#include "tools/engine/files/durable.h"

namespace snapgen::core {
namespace {

constexpr std::uint64_t file_bytes_max = 1 << 20;
constexpr std::size_t name_digits = 16;

// Failed tests are compared by their names, because their messages often have times and addresses.
std::string name_of(const CheckFinding& finding) {
  const std::string& message = finding.is_test ? std::string() : finding.message;
  return sha256_hex(finding.path + '\0' + finding.code + '\0' + message).substr(0, name_digits);
}

std::vector<std::string> names_of_errors(const CheckReport& report) {
  std::vector<std::string> names;
  for (const CheckFinding& each : report.findings)
    if (each.is_error) names.push_back(name_of(each));
  std::ranges::sort(names);
  return names;
}

std::size_t count_in(const std::vector<std::string>& sorted, const std::string& name) {
  return std::ranges::equal_range(sorted, name).size();
}

std::string line_of(std::int64_t at_ms, const std::vector<std::string>& errors) {
  std::string line = std::to_string(at_ms);
  for (const std::string& name : errors) line += " " + name;
  return line + "\n";
}

}  // namespace

EarlierFindings::EarlierFindings(const std::string& tree_folder, std::optional<std::int64_t> task_began_ms,
                                 std::int64_t now_ms)
    : folder_(tree_folder + "/findings"), task_began_ms_(task_began_ms), now_ms_(now_ms) {}

// Returns the runs in a file, the last one first.
std::vector<EarlierFindings::Run> EarlierFindings::runs_in(const std::string& file) const {
  std::vector<Run> runs;
  const Result<std::string> text = read_whole_file(folder_ + "/" + file, file_bytes_max);
  if (!text) return runs;
  std::string_view rest = *text, line, word;
  while (next_line(rest, line)) {
    next_part(line, word, ' ');
    Run& run = runs.emplace_back();
    std::from_chars(word.data(), word.data() + word.size(), run.at_ms);
    if (run.at_ms <= 0) return {};
    while (next_part(line, word, ' ')) run.errors.emplace_back(word);
    std::ranges::sort(run.errors);
  }
  return runs;
}

void EarlierFindings::compare(const CheckCommand& command, CheckReport& report) const {
  if (report.checked.empty()) return;  // The program did not run.
  const std::string file = sha256_hex(command.name + '\0' + command.folder);
  const std::vector<std::string> errors = names_of_errors(report);
  const std::vector<Run> runs = runs_in(file);
  const auto earlier = std::ranges::find_if(
      runs, [&](const Run& run) { return !task_began_ms_ || run.at_ms < *task_began_ms_; });
  if (earlier != runs.end()) {
    report.compared_with = task_began_ms_ ? EarlierCheck::before_task : EarlierCheck::previous;
    for (CheckFinding& each : report.findings) {
      if (!each.is_error) continue;
      const std::string name = name_of(each);
      const std::size_t count_before = count_in(earlier->errors, name);
      if (count_before == 0) each.age = FindingAge::found_now;
      // If there are more equal errors than before, nothing tells which are new.
      if (count_before >= count_in(errors, name)) each.age = FindingAge::found_before;
    }
  }
  if (command.file_count > 0 || report.unstored_findings > 0 || !make_folders(folder_)) return;
  std::string text = line_of(now_ms_, errors);
  if (task_began_ms_ && earlier != runs.end()) text += line_of(earlier->at_ms, earlier->errors);
  static_cast<void>(replace_file(folder_, file, text, Durability::process_crash));
}

}  // namespace snapgen::core
