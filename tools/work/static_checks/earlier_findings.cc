#include "tools/work/static_checks/earlier_findings.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "tools/engine/base/hash.h"
#include "tools/engine/base/plain_text.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/workspace/workspace_parts.h"

namespace snapgen::core {
namespace {

constexpr std::uint64_t file_bytes_max = 1 << 20;
constexpr std::size_t name_digits = 16;
constexpr std::size_t runs_max = 8;

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

// A failure of which only the exit code is known may be another one each time.
bool is_without_cause(const CheckFinding& finding) {
  return finding.path.empty() && finding.code.empty() && finding.message.find(": ") == std::string::npos &&
         finding.message.find(" ended with exit code ") != std::string::npos;
}

// Returns the name of the program's file. The arguments at the end, which name files, do not count.
std::string file_of(const CheckCommand& command) {
  const std::size_t files = command.file_count > 0 ? static_cast<std::size_t>(command.file_count)
                                                   : command.all_files_arguments.size();
  std::string text =
      command.name + '\0' + command.folder + '\0' + std::to_string(static_cast<int>(command.subsystem));
  for (std::size_t i = 0; i + files < command.argv.size(); ++i) text += '\0' + command.argv[i];
  return sha256_hex(text);
}

std::int64_t number_in(std::string_view& line) {
  std::string_view word;
  next_part(line, word, ' ');
  std::int64_t number = 0;
  std::from_chars(word.data(), word.data() + word.size(), number);
  return number;
}

}  // namespace

EarlierFindings::EarlierFindings(const Workspace& workspace, std::optional<std::int64_t> task_began_ms)
    : workspace_(workspace),
      folder_(tree_folder_of(workspace) + "/findings"),
      task_began_ms_(task_began_ms) {}

// Returns the runs in a file, the last one first.
std::vector<EarlierFindings::Run> EarlierFindings::runs_in(const std::string& file) const {
  std::vector<Run> runs;
  const Result<std::string> text = read_whole_file(folder_ + "/" + file, file_bytes_max);
  if (!text) return runs;
  std::string_view rest = *text, line, word;
  while (next_line(rest, line)) {
    Run run{.at_ms = number_in(line), .task_began_ms = number_in(line), .errors = {}};
    if (run.at_ms <= 0) return {};
    while (next_part(line, word, ' ')) run.errors.emplace_back(word);
    std::ranges::sort(run.errors);
    runs.push_back(std::move(run));
  }
  return runs;
}

bool EarlierFindings::is_earlier(const Run& run) const {
  return !task_began_ms_ || (run.at_ms < *task_began_ms_ && run.task_began_ms != *task_began_ms_);
}

void EarlierFindings::compare(const CheckCommand& command, CheckReport& report) const {
  if (report.checked.empty()) return;  // The program did not run.
  const std::string file = file_of(command);
  const std::vector<std::string> errors = names_of_errors(report);
  std::vector<Run> runs = runs_in(file);
  const auto earlier = std::ranges::find_if(runs, [&](const Run& run) { return is_earlier(run); });
  if (earlier != runs.end()) {
    report.compared_with = task_began_ms_ ? EarlierCheck::before_task : EarlierCheck::previous;
    for (CheckFinding& each : report.findings) {
      if (!each.is_error || is_without_cause(each)) continue;
      const std::string name = name_of(each);
      const std::size_t count_before = count_in(earlier->errors, name);
      // If there are more equal errors than before, nothing tells which are new.
      each.age = count_before == 0                        ? FindingAge::found_now
                 : count_before >= count_in(errors, name) ? FindingAge::found_before
                                                          : FindingAge::unclear;
    }
  }
  if (command.file_count > 0 || !make_folders(folder_)) return;
  if (report.unstored_findings > 0) {
    runs.clear();  // What was found before says nothing about the next run.
  } else {
    runs.insert(runs.begin(), {.at_ms = now_of(workspace_) / 1'000'000,
                               .task_began_ms = task_began_ms_.value_or(0),
                               .errors = errors});
    if (runs.size() > runs_max) runs.resize(runs_max);
  }
  std::string text;
  for (const Run& run : runs) {
    text += std::to_string(run.at_ms) + " " + std::to_string(run.task_began_ms);
    for (const std::string& name : run.errors) text += " " + name;
    text += "\n";
  }
  static_cast<void>(replace_file(folder_, file, text, Durability::process_crash));
}

}  // namespace snapgen::core
