#include "tools/work/memory/memory.h"

#include "tools/engine/base/phrase.h"
#include "tools/engine/base/redact.h"
#include "tools/engine/files/durable.h"

namespace snapgen::core {
namespace {

constexpr std::size_t patterns_max = 256;

LearningFiles files_of(const std::string& root) {
  return {.learnings = JsonLinesFile(root, "learnings/user-learnings.jsonl"),
          .violations = JsonLinesFile(root, "learnings/violations.jsonl"),
          .reverts = JsonLinesFile(root, "learnings/reverts.jsonl")};
}

}  // namespace

std::string unreadable_lines_sentence(std::int64_t count) {
  return count == 0 ? std::string()
                    : count_with_noun(count, "line") + " in .snapback/learnings cannot be read.";
}

Result<std::int64_t> count_unreadable_lines(const std::string& root) {
  const LearningFiles files = files_of(root);
  std::int64_t count = 0;
  const auto count_in = [&](const JsonLinesFile& file, auto parse) {
    return file.for_each_line(0, [&](std::string_view line) { count += parse(line) ? 0 : 1; });
  };
  TRY(count_in(files.learnings, parse_learning));
  TRY(count_in(files.violations, parse_violation));
  TRY(count_in(files.reverts, parse_revert));
  return count;
}

LearningStore::LearningStore(std::string root, std::string index_folder)
    : root_(std::move(root)),
      index_folder_(std::move(index_folder)),
      files_(files_of(root_)),
      index_(index_folder_ + "/memory.sqlite", files_) {}

Result<Unit> LearningStore::prepare() {
  TRY(make_state_folder(root_, "learnings"));
  return Unit{};
}

Result<Unit> LearningStore::index_new_lines() {
  // If the folder of the index cannot be created, the index is in memory.
  Result<Unit> made = make_folders(index_folder_);
  static_cast<void>(made);
  return index_.index_new_lines();
}

Result<RecordedLearning> LearningStore::record_learning(Learning learning) {
  TRY(prepare());
  RecordedLearning recorded{.learning = std::move(learning)};
  Learning& kept = recorded.learning;
  for (std::string* text : {&kept.trigger, &kept.action}) {
    std::string safe = redact(*text);
    recorded.is_redacted = recorded.is_redacted || safe != *text;
    *text = std::move(safe);
  }
  kept.id = learning_id(kept);
  {
    std::lock_guard lock(mutex_);
    // Without an index, the learning is recorded, but counts as new.
    recorded.is_known = index_new_lines() && index_.has_learning(kept.id);
  }
  TRY(files_.learnings.append(json_line(kept)));
  return recorded;
}

Result<std::int64_t> LearningStore::record(Violation violation) {
  TRY(prepare());
  violation.description = redact(violation.description);
  violation.prevention = redact(violation.prevention);
  std::lock_guard lock(mutex_);
  std::int64_t count = 0;
  auto count_others = [&]() -> Result<Unit> {
    Result<Unit> ready = index_new_lines();
    if (ready) count = index_.violation_count(violation.type);
    return ready;
  };
  TRY(files_.violations.append(json_line(violation), count_others));
  return count + 1;
}

Result<Unit> LearningStore::record(const std::vector<Revert>& reverts) {
  if (reverts.empty()) return Unit{};
  TRY(prepare());
  std::string lines;
  for (const Revert& each : reverts) lines += (lines.empty() ? "" : "\n") + json_line(each);
  return files_.reverts.append(lines);
}

Result<RecallAnswer> LearningStore::recall(const RecallQuery& query) {
  std::lock_guard lock(mutex_);
  TRY(index_new_lines());
  Learning task{.action = query.text, .files = query.files, .keywords = query.keywords};
  RecallAnswer found;
  found.learnings = index_.recall(std::move(task), query.changed_files, query.limit);
  std::vector<std::string> files = query.files;
  files.insert(files.end(), query.changed_files.begin(), query.changed_files.end());
  found.patterns = index_.frequent_violations(promotion_count_min, files, patterns_max);
  found.unreadable_lines = index_.unreadable_lines();
  return found;
}

Result<std::vector<RecalledLearning>> LearningStore::latest_learnings(std::size_t limit) {
  std::lock_guard lock(mutex_);
  TRY(index_new_lines());
  return index_.latest_learnings(limit);
}

Result<std::vector<ViolationCount>> LearningStore::promoted_violations(
    const std::vector<std::string>& files) {
  std::lock_guard lock(mutex_);
  TRY(index_new_lines());
  return index_.frequent_violations(promotion_count_min, files, patterns_max);
}

Result<std::vector<std::string>> LearningStore::preventions(const std::vector<FindingKey>& findings) {
  std::lock_guard lock(mutex_);
  TRY(index_new_lines());
  std::vector<std::string> found;
  for (const FindingKey& each : findings)
    found.push_back(each.code.empty() ? index_.prevention_in_file(each.file)
                                      : index_.prevention_of_code(each.code));
  return found;
}

Result<std::int64_t> LearningStore::unreadable_lines() {
  std::lock_guard lock(mutex_);
  TRY(index_new_lines());
  return index_.unreadable_lines();
}

Result<std::vector<FileHistory>> LearningStore::file_histories(const std::vector<std::string>& files) {
  std::lock_guard lock(mutex_);
  TRY(index_new_lines());
  const std::map<std::string, FileHistory> all = index_.file_histories();
  std::vector<FileHistory> found;
  for (const std::string& each : files) {
    const auto at = all.find(each);
    found.push_back(at == all.end() ? FileHistory() : at->second);
  }
  return found;
}

}  // namespace snapgen::core
