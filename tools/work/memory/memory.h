#pragma once
// Memory: what a workspace has taught those who work in it. The truth is in `.snapback/learnings/`, in JSON
// lines that several servers append to; the index beside it is made from them (index.h).
//
//   user-learnings.jsonl   what to do when (Learning)
//   violations.jsonl       rules that were broken (Violation)
//   reverts.jsonl          files that had to be put back (Revert)
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/work/memory/index.h"

namespace snapgen::core {

// From how many on a violation is a pattern, and is to be looked for by a program (wire specification,
// "Auto-promotion thresholds").
inline constexpr std::int64_t promoted_from = 3;
inline constexpr std::int64_t automated_from = 5;

struct RecallQuery {
  std::string text;  // The task's title, and anything else that says what it is about.
  std::vector<std::string> keywords;
  std::vector<std::string> files;
  std::size_t limit = 5;
};

struct Recollection {
  std::vector<Recalled> learnings;       // The strongest first.
  std::vector<ViolationCount> patterns;  // Promoted violations: those of the files first, then by count.
};

// Thread-safe.
class Memory {
 public:
  // `root`: the workspace. `index_folder`: where the index may be; made when it is needed.
  Memory(std::string root, std::string index_folder);

  // Returns the id. Errors: permission_denied, unavailable.
  Result<std::string> learn(Learning learning);
  // Returns how often its type was seen, this time included, whoever else records meanwhile. Errors: the
  // same.
  Result<std::int64_t> record(const Violation& violation);
  Result<Unit> record(const std::vector<Revert>& reverts);

  // Errors: unavailable.
  Result<Recollection> recall(const RecallQuery& query);
  // What was said last comes first; its files and keywords are not among it. Errors: the same.
  Result<std::vector<Recalled>> latest(std::size_t limit);
  // Promoted violations, the most frequent first. Errors: the same.
  Result<std::vector<ViolationCount>> patterns();
  // One for each file. Errors: the same.
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
