#pragma once
// LearningIndex: finds learnings, violations and reverts without reading all of them. It is a cache of the
// JSON lines. If it is absent, damaged, of another version, or of other files, it is rebuilt.
//
// Learnings are ranked by BM25 (bm25.h) over their terms (terms.h). Each term of a query is searched
// separately, the latest hits first and at most hits_max, so the cost of a recall does not grow with the
// history. A term with hits_max hits is rated by the age of the oldest: the older it is, the rarer the term.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/files/json_lines.h"
#include "tools/insight/risk/measure.h"
#include "tools/work/memory/database.h"
#include "tools/work/memory/records.h"

namespace snapgen::core {

struct RecalledLearning {
  Learning learning;
  std::int64_t recorded_count = 1;  // How often the learning was recorded, at least 1.
  std::int64_t strength = 0;        // How well it matches a query. Only the order has a meaning.
};

struct ViolationCount {
  std::string type;
  std::int64_t count = 0;
  std::string prevention;   // The prevention of the latest record that has one.
  std::string description;  // The description of the latest record.
};

struct LearningFiles {
  JsonLinesFile learnings, violations, reverts;
};

// Not thread-safe.
class LearningIndex {
 public:
  // `path` is the database file, in an existing folder.
  LearningIndex(std::string path, LearningFiles files) : path_(std::move(path)), files_(std::move(files)) {}

  // Indexes the lines that were appended since the last call, or rebuilds the index if necessary. Errors:
  // those of JsonLinesFile::for_each_line(), with the file; unavailable.
  Result<Unit> index_new_lines();

  // Returns at most `limit` learnings that match a task, which is described like a learning: by text,
  // keywords and files. Learnings on one of the files are first, then those with the best score. A word that
  // most learnings have, or a folder that many have, is not a match. A learning on one of `other_files`
  // matches like one on a file of the task.
  std::vector<RecalledLearning> recall(Learning task, const std::vector<std::string>& other_files,
                                       std::size_t limit);
  // Returns up to `limit` learnings, the latest first.
  std::vector<RecalledLearning> latest_learnings(std::size_t limit);
  bool has_learning(const std::string& learning_id) { return !action_of(learning_id).empty(); }
  // Returns the action of a learning; empty if there is none with this id.
  std::string action_of(const std::string& learning_id);
  std::int64_t violation_count(std::string_view type);
  // Returns violations seen at least `from` times: those in the given files first, then by count.
  std::vector<ViolationCount> frequent_violations(std::int64_t from, const std::vector<std::string>& files,
                                                  std::size_t limit);
  // Returns the history of each file that has one, by path.
  std::map<std::string, FileHistory> file_histories();
  // Returns what is recorded against findings with this code: the prevention of the violation of that type,
  // else the action of the latest learning that names the code. Empty if nothing is recorded.
  std::string prevention_of_code(const std::string& code);
  // Returns what is recorded for a file: the prevention of the violation that occurred in it most often, with
  // its type, else the action of the latest learning on it. Empty if nothing is recorded.
  std::string prevention_in_file(const std::string& file);

 private:
  Result<Unit> open();
  bool update();
  bool index_lines(const JsonLinesFile& file, int number, bool (LearningIndex::*add)(std::string_view line));
  bool cannot_read(const Error& error);
  bool add_learning(std::string_view line);
  std::optional<Learning> remove_learning(const std::string& id, std::int64_t& recorded_count);
  std::string latest_action(const std::string& term);
  bool add_violation(std::string_view line);
  bool add_revert(std::string_view line);

  std::string path_;
  LearningFiles files_;
  std::unique_ptr<Database> database_;
  std::vector<JsonLinesStat> seen_;  // The state of the files at the last index_new_lines().
  std::optional<Error> read_error_;  // The error of a file that could not be indexed.
};

}  // namespace snapgen::core
