#pragma once
// MemoryIndex: finds learnings, violations and reverts without reading all of them. It is a cache of the JSON
// lines. If it is absent, damaged, of another version, or of other files, it is rebuilt.
//
// Each word of a query is searched separately, the latest hits first and at most hits_max, so the cost of a
// recall does not grow with the history. How far back the hits reach shows how rare a word is.
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
  std::int64_t said = 1;  // How often it was learned.
  double strength = 0;
};

struct ViolationCount {
  std::string type;
  std::int64_t count = 0;
  std::string prevention;   // From the latest record that has one.
  std::string description;  // From the latest record.
};

struct MemoryFiles {
  JsonLines learnings, violations, reverts;
};

// Not thread-safe.
class MemoryIndex {
 public:
  // `path`: the database file, in an existing folder.
  MemoryIndex(std::string path, MemoryFiles files) : path_(std::move(path)), files_(std::move(files)) {}

  // Indexes the lines appended since the last call, or rebuilds the index if necessary. Errors: those of
  // JsonLines::each_line(), with the file; unavailable.
  Result<Unit> catch_up();

  // Returns learnings that match any of the words or files, the best match first.
  std::vector<Recalled> recall(const std::vector<std::string>& words, const std::vector<std::string>& files,
                               std::size_t limit);
  // The latest first.
  std::vector<Recalled> latest(std::size_t limit);
  std::int64_t count_of(std::string_view type);
  // Violations seen at least `from` times: those in the given files first, then by count.
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
  std::vector<LinesState> seen_;  // State at the last catch_up().
  std::optional<Error> unread_;   // The error of a file that could not be indexed.
};

// Returns distinct lower-case words of at least two bytes, without very common ones; at most `limit`.
std::vector<std::string> words_of(std::string_view text, std::size_t limit);

}  // namespace snapgen::core
