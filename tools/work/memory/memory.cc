#include "tools/work/memory/memory.h"

#include "tools/engine/base/phrase.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/files/path.h"

namespace snapgen::core {
namespace {

constexpr std::size_t patterns_max = 256;

}  // namespace

std::string unreadable_lines_sentence(std::int64_t count) {
  return count == 0 ? std::string()
                    : count_with_noun(count, "line") + " in .snapback/learnings cannot be read.";
}

Result<std::int64_t> count_unreadable_lines(const RecordFolders& folders) {
  const RecordLines lines(folders);
  std::int64_t count = 0;
  for (const CopiedLines* each : {&lines.learnings, &lines.violations, &lines.reverts}) {
    const CopyDifference difference = TRY(each->compare());
    count += difference.unreadable;
  }
  return count;
}

LearningStore::LearningStore(const RecordFolders& folders)
    : folders_(folders),
      lines_(folders),
      index_(folders.records + "/memory.sqlite", {.learnings = lines_.learnings.records(),
                                                  .violations = lines_.violations.records(),
                                                  .reverts = lines_.reverts.records()}) {}

std::int64_t LearningStore::count_unreadable() const {
  return lines_.learnings.unreadable_lines() + lines_.violations.unreadable_lines() +
         lines_.reverts.unreadable_lines();
}

Result<Unit> LearningStore::index_new_lines() {
  TRY(lines_.learnings.import_new_lines());
  TRY(lines_.violations.import_new_lines());
  TRY(lines_.reverts.import_new_lines());
  // If the folder of the index cannot be created, the index is in memory.
  static_cast<void>(make_folders(folders_.records));
  return index_.index_new_lines();
}

Result<RecordedLearning> LearningStore::record_learning(Learning learning) {
  RecordedLearning recorded{.learning = std::move(learning)};
  Learning& stored = recorded.learning;
  recorded.is_redacted = redact_texts(stored);
  stored.id = learning_id(stored);
  stored.tree = folders_.name;
  std::lock_guard lock(mutex_);
  // Without an index, the learning is recorded, but counts as new.
  recorded.is_known = index_new_lines() && index_.has_learning(stored.id);
  TRY(lines_.learnings.append([&] { return Result<std::string>(json_line(stored)); }));
  return recorded;
}

Result<std::int64_t> LearningStore::record(Violation violation) {
  redact_texts(violation);
  violation.tree = folders_.name;
  std::lock_guard lock(mutex_);
  // A copy that cannot be read does not prevent the record.
  static_cast<void>(index_new_lines());
  std::int64_t count = 0;
  const auto count_others = [&]() -> Result<std::string> {
    TRY(index_.index_new_lines());
    count = index_.violation_count(violation.type);
    return json_line(violation);
  };
  TRY(lines_.violations.append(count_others));
  return count + 1;
}

Result<Unit> LearningStore::record(const std::vector<Revert>& reverts) {
  if (reverts.empty()) return Unit{};
  std::string lines;
  for (Revert each : reverts) {
    each.tree = folders_.name;
    lines += (lines.empty() ? "" : "\n") + json_line(each);
  }
  std::lock_guard lock(mutex_);
  return lines_.reverts.append([&] { return Result<std::string>(lines); });
}

Result<Withdrawn> LearningStore::withdraw(const Withdrawal& withdrawal) {
  std::lock_guard lock(mutex_);
  TRY(index_new_lines());
  Withdrawn withdrawn{.action = index_.action_of(withdrawal.of),
                      .violations = index_.violation_count(withdrawal.of)};
  if (withdrawn.action.empty() && withdrawn.violations == 0)
    return Error(ErrorCode::not_found, "There is no learning with the id, and no violation of the type, " +
                                           path_in_sentence(withdrawal.of) + ".");
  CopiedLines& lines = withdrawn.action.empty() ? lines_.violations : lines_.learnings;
  TRY(lines.append([&] { return Result<std::string>(json_line(withdrawal)); }));
  return withdrawn;
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
  found.unreadable_lines = count_unreadable();
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
  return count_unreadable();
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
