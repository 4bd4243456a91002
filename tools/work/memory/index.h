#pragma once
// MemoryIndex: where learnings, violations and reverts are found without reading all of them. It is made
// from the JSON lines and can be thrown away at any time: absent, damaged, of another version, or of other
// files than those that stand there, it is made anew.
//
// A word of the question is looked up by itself, the latest hits first and no more than hits_max of them, so
// that what a recall costs does not grow with the history. How rare a word is follows from how far back its
// hits reach.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/files/json_lines.h"
#include "tools/insight/risk/measure.h"
#include "tools/work/memory/database.h"
#include "tools/work/memory/records.h"

namespace snapgen::core {

struct Recalled {
  Learning learning;
  std::int64_t said = 1;  // How often.
  double strength = 0;
};

struct ViolationCount {
  std::string type;
  std::int64_t count = 0;
  std::string prevention;   // The latest that was given,
  std::string description;  // and what happened then.
};

struct MemoryFiles {
  JsonLines learnings, violations, reverts;
};

// By one thread at a time.
class MemoryIndex {
 public:
  // `path`: of the database, whose folder is there.
  MemoryIndex(std::string path, MemoryFiles files) : path_(std::move(path)), files_(std::move(files)) {}

  // Takes in what was appended since; makes everything anew where that does not do. Errors: those of
  // JsonLines::each_line(), with the file; unavailable.
  Result<Unit> catch_up();

  // Learnings that have to do with any of the words or files, the strongest first.
  std::vector<Recalled> recall(const std::vector<std::string>& words, const std::vector<std::string>& files,
                               std::size_t limit);
  // What was said last comes first.
  std::vector<Recalled> latest(std::size_t limit);
  std::int64_t count_of(std::string_view type);
  // Those that were seen at least `from` times: of the given files first, then by count.
  std::vector<ViolationCount> frequent(std::int64_t from, const std::vector<std::string>& files,
                                       std::size_t limit);
  FileHistory history_of(std::string_view file);

 private:
  Result<Unit> open();
  bool update();
  bool take(const JsonLines& file, int number, bool (MemoryIndex::*add)(std::string_view line));
  bool cannot_read(const Error& error);
  bool add_learning(std::string_view line);
  bool add_violation(std::string_view line);
  bool add_revert(std::string_view line);

  std::string path_;
  MemoryFiles files_;
  std::unique_ptr<Database> database_;
  std::vector<LinesState> seen_;  // As of the last catch_up().
  std::optional<Error> unread_;   // Why a file could not be taken in.
};

// Lower-case words of two bytes and more, without those that stand in any sentence; each once, at most
// `limit`.
std::vector<std::string> words_of(std::string_view text, std::size_t limit);

}  // namespace snapgen::core
