#pragma once
// LearningStore: the lessons learned in a repository. They are JSON lines in its store, which several servers
// append to, with copies in each work tree (copied_lines.h); the index is derived from them (index.h).
//
//   user-learnings.jsonl   what to do, and when (Learning)
//   violations.jsonl       broken rules (Violation)
//   reverts.jsonl          restored files (Revert)
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/work/memory/copied_lines.h"
#include "tools/work/memory/index.h"
#include "tools/work/memory/record_folders.h"

namespace snapgen::core {

// A violation that was seen `promotion_count_min` times is promoted to a pattern. From `automation_count_min`
// times on, checks report it as an error.
inline constexpr std::int64_t promotion_count_min = 3;
inline constexpr std::int64_t automation_count_min = 5;

struct RecallQuery {
  std::string text;  // The title of the task, and any other description of it.
  std::vector<std::string> keywords;
  std::vector<std::string> files;
  std::vector<std::string> changed_files;  // A learning on one of them matches, whatever words it has.
  std::size_t limit = 5;                   // The maximum number of learnings.
};

struct RecallAnswer {
  std::vector<RecalledLearning> learnings;  // The learnings, the best match first.
  // All promoted violations: those in the files of the query first, then by count.
  std::vector<ViolationCount> patterns;
  std::int64_t unreadable_lines = 0;  // As LearningStore::unreadable_lines().
};

// A learning, as it was recorded.
struct RecordedLearning {
  Learning learning;      // The learning with its id, and without likely secrets.
  bool is_known = false;  // True if the learning was recorded before.
  bool is_redacted = false;
};

// The code or the file of a check's finding; the other member is empty.
struct FindingKey {
  std::string code;
  std::string file;
};

// Returns "2 lines in .snapback/learnings cannot be read."; empty if there are none.
std::string unreadable_lines_sentence(std::int64_t count);

// Counts the lines in `.snapback/learnings` that are not records. Writes nothing. Errors: as
// CopiedLines::compare().
Result<std::int64_t> count_unreadable_lines(const RecordFolders& folders);

// What a withdrawal removed.
struct Withdrawn {
  std::string action;           // That of a learning; empty for violations.
  std::int64_t violations = 0;  // How many violations of a type.
};

// Thread-safe.
class LearningStore {
 public:
  explicit LearningStore(const RecordFolders& folders);

  // Records a learning. Likely secrets are removed from its texts (redact.h); record() does the same. Errors:
  // permission_denied, unavailable.
  Result<RecordedLearning> record_learning(Learning learning);
  // Records a violation. Returns how often its type was seen, including this time and records of other
  // processes. Errors: as record_learning().
  Result<std::int64_t> record(Violation violation);
  Result<Unit> record(const std::vector<Revert>& reverts);
  // Withdraws a learning by its id, or all violations of a type. Errors: not_found; as record_learning().
  Result<Withdrawn> withdraw(const Withdrawal& withdrawal);

  // Returns the learnings and patterns that match the query. Errors: unavailable.
  Result<RecallAnswer> recall(const RecallQuery& query);
  // Returns up to `limit` learnings, the latest first. Errors: unavailable.
  Result<std::vector<RecalledLearning>> latest_learnings(std::size_t limit);
  // Returns promoted violations: those in `files` first, then by count. Errors: unavailable.
  Result<std::vector<ViolationCount>> promoted_violations(const std::vector<std::string>& files);
  // Returns, for each finding, LearningIndex::prevention_of_code() its code or prevention_in_file() its file.
  // It is empty if nothing is recorded. Errors: unavailable.
  Result<std::vector<std::string>> preventions(const std::vector<FindingKey>& findings);
  // Returns the number of recorded lines that are not understood. Errors: unavailable.
  Result<std::int64_t> unreadable_lines();
  // Returns one history per file. Errors: unavailable.
  Result<std::vector<FileHistory>> file_histories(const std::vector<std::string>& files);

 private:
  Result<Unit> index_new_lines();
  std::int64_t count_unreadable() const;

  const RecordFolders folders_;
  std::mutex mutex_;
  RecordLines lines_;
  LearningIndex index_;
};

}  // namespace snapgen::core
