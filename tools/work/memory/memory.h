#pragma once
// Memory: the lessons learned in a workspace. The data is in `.snapback/learnings/`, in JSON lines that
// several servers append to; the index is derived from them (index.h).
//
//   user-learnings.jsonl   what to do, and when (Learning)
//   violations.jsonl       broken rules (Violation)
//   reverts.jsonl          restored files (Revert)
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/work/memory/index.h"

namespace snapgen::core {

// The counts from which a violation is a pattern, and from which checks report it as an error.
inline constexpr std::int64_t promoted_from = 3;
inline constexpr std::int64_t automated_from = 5;

struct RecallQuery {
  std::string text;  // The task's title, and any other description of it.
  std::vector<std::string> keywords;
  std::vector<std::string> files;
  std::size_t limit = 5;  // Of learnings.
};

struct RecallAnswer {
  std::vector<Recalled> learnings;       // The best match first.
  std::vector<ViolationCount> patterns;  // All promoted violations: those in the files first, then by count.
};

// A learning as it was recorded.
struct RecordedLearning {
  Learning learning;      // With its id, and without secrets.
  bool is_known = false;  // It was recorded before.
  bool is_redacted = false;
};

// A finding of a check. One of the two members is set.
struct RecordedAgainst {
  std::string code;
  std::string file;
};

// Thread-safe.
class Memory {
 public:
  // `root`: the workspace. `index_folder`: the folder of the index; created when needed.
  Memory(std::string root, std::string index_folder);

  // Texts are recorded without likely secrets (redact.h), here and in record(). Errors: permission_denied,
  // unavailable.
  Result<RecordedLearning> learn(Learning learning);
  // Returns how often the type was seen, including this time and records of other processes. Errors: as
  // learn().
  Result<std::int64_t> record(Violation violation);
  Result<Unit> record(const std::vector<Revert>& reverts);

  // Errors: unavailable.
  Result<RecallAnswer> recall(const RecallQuery& query);
  // The latest first. Errors: unavailable.
  Result<std::vector<Recalled>> latest(std::size_t limit);
  // Promoted violations: those in `files` first, then by count. Errors: unavailable.
  Result<std::vector<ViolationCount>> patterns(const std::vector<std::string>& files);
  // What is recorded against each finding: MemoryIndex::prevention_of() its code, or prevention_in() its
  // file. Empty: nothing. Errors: unavailable.
  Result<std::vector<std::string>> preventions(const std::vector<RecordedAgainst>& findings);
  // One history per file. Errors: unavailable.
  Result<std::vector<FileHistory>> histories(const std::vector<std::string>& files);

 private:
  Result<Unit> prepare();
  Result<Unit> catch_up();

  const std::string root_;
  const std::string index_folder_;
  const MemoryFiles files_;
  std::mutex mutex_;
  MemoryIndex index_;
};

}  // namespace snapgen::core
