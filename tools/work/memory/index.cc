#include "tools/work/memory/index.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include <unistd.h>

#include "tools/engine/base/hash.h"
#include "tools/engine/files/path.h"
#include "tools/work/memory/bm25.h"
#include "tools/work/memory/terms.h"

namespace snapgen::core {
namespace {

constexpr std::int64_t index_version = 4;
constexpr std::int64_t hits_max = 128;        // Maximum number of learnings that are read for each term.
constexpr std::size_t query_terms_max = 128;  // Maximum number of terms of a query, besides paths.
constexpr std::size_t query_paths_max = 100;  // Maximum number of paths of a query.
// Maximum number of files of a query, or of a repeated learning.
constexpr std::size_t indexed_files_max = 50;
constexpr std::size_t ranked_max = 64;  // Maximum number of learnings that are ranked.
constexpr std::int64_t tail_bytes = 256;
// A word that more learnings than `few` have, and more than half of all, is not a match. A word that is the
// name of a folder on one side is no match if more than an eighth have it, and never if it is on both.
constexpr std::int64_t few = 5;
constexpr std::int64_t word_share = 2;
constexpr std::int64_t folder_share = 8;
// The score of a learning on no file, folder or identifier of the task must be at least a third of the best
// score.
constexpr std::int64_t score_share = 3;

constexpr const char* tables = R"sql(
CREATE TABLE IF NOT EXISTS source(number INTEGER PRIMARY KEY, device INTEGER, inode INTEGER, size INTEGER,
                                  mtime INTEGER, done INTEGER, tail TEXT);
CREATE TABLE IF NOT EXISTS learning(row INTEGER PRIMARY KEY, id TEXT UNIQUE, said INTEGER, record TEXT);
CREATE TABLE IF NOT EXISTS posting(term TEXT, row INTEGER, weight INTEGER, length INTEGER,
                                   PRIMARY KEY(term, row)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS total(one INTEGER PRIMARY KEY, learnings INTEGER, length INTEGER);
CREATE TABLE IF NOT EXISTS violation(type TEXT PRIMARY KEY, count INTEGER, prevention TEXT, description TEXT)
                                    WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS violation_count ON violation(count);
CREATE TABLE IF NOT EXISTS violation_file(file TEXT, type TEXT, count INTEGER, PRIMARY KEY(file, type))
                                         WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS revert(file TEXT PRIMARY KEY, count INTEGER) WITHOUT ROWID;
)sql";

// Returns a hash of the last bytes before `done`, up to which the file was read. If the hash differs at the
// next call, the file has been replaced.
std::string tail_of(const JsonLinesFile& file, std::int64_t done) {
  const std::int64_t begin = std::max<std::int64_t>(0, done - tail_bytes);
  Result<std::string> bytes = file.read(begin, static_cast<std::size_t>(done - begin));
  if (!bytes || static_cast<std::int64_t>(bytes->size()) < done - begin) return "?";
  return sha256_hex(*bytes);
}

// Reads a row with the columns `said` and `record`.
std::optional<RecalledLearning> recalled(const SqlQuery& row) {
  std::optional<Learning> learning = parse_learning(row.text(1));
  if (!learning) return std::nullopt;
  return RecalledLearning{.learning = *std::move(learning), .recorded_count = row.integer(0)};
}

struct Posting {
  std::int64_t row = 0;
  std::int64_t weight = 0;
  std::int64_t length = 0;
};

// Returns the latest learnings with a term, the latest first; at most hits_max.
std::vector<Posting> postings_of(Database& database, std::string_view term) {
  SqlQuery query =
      database.query("SELECT row, weight, length FROM posting WHERE term = ? ORDER BY row DESC LIMIT ?");
  query.bind(term).bind(hits_max);
  std::vector<Posting> found;
  while (query.step())
    found.push_back({.row = query.integer(0), .weight = query.integer(1), .length = query.integer(2)});
  return found;
}

struct Totals {
  std::int64_t learnings = 0;
  std::int64_t length = 0;
  std::int64_t rows = 0;  // The greatest row number.
};

Totals totals_of(Database& database) {
  SqlQuery query = database.query("SELECT learnings, length, (SELECT max(row) FROM learning) FROM total");
  if (!query.step()) return {};
  return {.learnings = query.integer(0), .length = query.integer(1), .rows = query.integer(2)};
}

void add_to_totals(Database& database, std::int64_t learnings, std::int64_t length) {
  database.run(
      "INSERT INTO total VALUES(1, ?1, ?2) ON CONFLICT(one) DO UPDATE SET learnings = learnings + ?1, "
      "length = length + ?2",
      learnings, length);
}

// Returns how many learnings have a term. If `postings` has only the latest ones, the term is assumed to be
// as frequent among the earlier learnings.
std::int64_t count_with_term(const std::vector<Posting>& postings, const Totals& totals) {
  const auto count = static_cast<std::int64_t>(postings.size());
  if (count < hits_max) return count;
  const std::int64_t reach = totals.rows - postings.back().row + 1;
  return std::min(totals.learnings, count * totals.rows / std::max<std::int64_t>(1, reach));
}

struct ScoredLearning {
  std::int64_t row = 0;
  std::int64_t score = 0;
  bool is_match = false;
  bool is_on_subject = false;  // It is on a file of the task, or names a function or other identifier of it.
  bool is_on_folder = false;   // It is on a folder that has a file of the task.
  int words = 0;               // How many words of the task's text it has, however common they are.
};

// Orders learnings: those on a file or an identifier of the task first, then by score, then the latest first.
bool is_better(const ScoredLearning& a, const ScoredLearning& b) {
  if (a.is_on_subject != b.is_on_subject) return a.is_on_subject;
  return a.score != b.score ? a.score > b.score : a.row > b.row;
}

// Returns the folders of the first paths, and those above them; at most query_paths_max.
std::set<std::string, std::less<>> folders_of(const std::vector<std::string>& paths) {
  std::set<std::string, std::less<>> folders;
  for (const std::string& path : paths)
    for (std::string_view at = parent_path(path); !at.empty() && folders.size() < query_paths_max;
         at = parent_path(at))
      folders.emplace(at);
  return folders;
}

// Returns all learnings that match a term of the query with their scores, in no order.
std::vector<ScoredLearning> candidates_for(Database& database, const Terms& terms) {
  const Totals totals = totals_of(database);
  const std::int64_t all = totals.learnings;
  if (all < 1) return {};
  const std::int64_t average = std::max<std::int64_t>(1, (totals.length + all / 2) / all);
  std::unordered_map<std::int64_t, ScoredLearning> found;
  for (std::size_t i = 0; i < std::min(terms.words.size(), query_terms_max); ++i) {
    const Term& term = terms.words[i];
    const std::vector<Posting> postings = postings_of(database, term.text);
    const std::int64_t count = count_with_term(postings, totals);
    const std::int64_t rarity = rarity_q16(all, count);
    const bool is_rare_word = count <= few || count * word_share <= all;
    const bool is_rare_folder = count * folder_share <= all;
    for (const Posting& each : postings) {
      ScoredLearning& one = found[each.row];
      const std::int64_t score = bm25_q16(rarity, each.weight, each.length, average);
      one.score += term.is_folder_name_only ? score * folder_weight / word_weight : score;
      const bool is_folder_name_only = term.is_folder_name_only || each.weight < word_weight;
      const bool is_shared_folder = term.is_folder_name_only && each.weight < word_weight;
      one.is_match = one.is_match || (is_shared_folder      ? false
                                      : is_folder_name_only ? is_rare_folder
                                                            : is_rare_word);
      one.is_on_subject = one.is_on_subject || (is_rare_word && is_identifier_term(term.text));
      one.words += is_folder_name_only ? 0 : 1;
    }
  }
  for (std::size_t i = 0; i < std::min(terms.paths.size(), query_paths_max); ++i)
    for (const Posting& each : postings_of(database, path_term(terms.paths[i]))) {
      ScoredLearning& one = found[each.row];
      one.is_match = one.is_on_subject = true;
    }
  for (const std::string& folder : folders_of(terms.paths))
    for (const Posting& each : postings_of(database, path_term(folder))) {
      ScoredLearning& one = found[each.row];
      one.is_match = one.is_on_folder = true;
    }
  const bool has_match =
      std::any_of(found.begin(), found.end(), [](const auto& each) { return each.second.is_match; });
  std::vector<ScoredLearning> matches;
  for (auto& [row, each] : found) {
    each.row = row;
    // If all learnings are about the same subject, none of its words is rare. Two words then make a match.
    if (each.is_match || (!has_match && each.words >= 2)) matches.push_back(each);
  }
  return matches;
}

// Adds the elements of `more` that `list` lacks, up to indexed_files_max.
void merge(std::vector<std::string>& list, const std::vector<std::string>& more) {
  for (const std::string& each : more)
    if (list.size() < indexed_files_max && std::find(list.begin(), list.end(), each) == list.end())
      list.push_back(each);
}

void remove_database(const std::string& path) {
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) ::unlink((path + suffix).c_str());
}

}  // namespace

Result<Unit> LearningIndex::open() {
  for (bool again : {false, true}) {
    Result<std::unique_ptr<Database>> opened = Database::open(path_);
    if (opened) {
      database_ = *std::move(opened);
      std::int64_t found = 0;
      {
        SqlQuery query = database_->query("PRAGMA user_version");
        if (query.step()) found = query.integer(0);
      }
      const bool usable = !database_->failed() && (found == 0 || found == index_version);
      if (usable && database_->execute(tables) && database_->execute("PRAGMA user_version = 4"))
        return Unit{};
      database_.reset();
    }
    if (!again) remove_database(path_);
  }
  // The disk is not writable, so this process has its index in memory.
  database_ = TRY(Database::open(":memory:"));
  if (database_->execute(tables)) return Unit{};
  return Error(ErrorCode::unavailable,
               "The index of learnings cannot be made, on disk or in memory. Try again.", {}, path_);
}

Result<Unit> LearningIndex::index_new_lines() {
  std::vector<JsonLinesStat> states;
  for (const JsonLinesFile* each : {&files_.learnings, &files_.violations, &files_.reverts})
    states.push_back(each->current_stat());
  const bool is_there = path_ == ":memory:" || ::access(path_.c_str(), F_OK) == 0;
  if (database_ && is_there && states == seen_) return Unit{};
  if (!is_there) database_.reset();
  for (int tries = 0; tries < 2; ++tries) {
    if (!database_) {
      TRY(open());
    }
    read_error_.reset();
    if (update()) {
      seen_ = std::move(states);
      return Unit{};
    }
    // A file is unreadable, so rebuilding the index would not help.
    if (read_error_) return *read_error_;
    database_.reset();
    remove_database(path_);
  }
  return Error(ErrorCode::unavailable, "The index of learnings, " + path_in_sentence(path_) +
                                           ", cannot be updated. Delete it; the next call builds it again.");
}

bool LearningIndex::update() {
  if (!database_->execute("BEGIN IMMEDIATE")) return false;
  const bool taken = index_lines(files_.learnings, 0, &LearningIndex::add_learning) &&
                     index_lines(files_.violations, 1, &LearningIndex::add_violation) &&
                     index_lines(files_.reverts, 2, &LearningIndex::add_revert);
  if (taken && !database_->failed()) return database_->execute("COMMIT");
  database_->execute("ROLLBACK");
  return false;
}

bool LearningIndex::cannot_read(const Error& error) {
  read_error_ = error;
  return false;
}

// Indexes the new lines of a file. Returns false if the lines indexed before are not at its beginning; then
// the index must be rebuilt.
bool LearningIndex::index_lines(const JsonLinesFile& file, int number,
                                bool (LearningIndex::*add)(std::string_view line)) {
  if (Result<std::string> readable = file.read(0, 0); !readable) return cannot_read(readable.error());
  const JsonLinesStat now = file.current_stat();
  JsonLinesStat before;
  std::int64_t done = 0;
  std::string tail;
  {
    SqlQuery query =
        database_->query("SELECT device, inode, size, mtime, done, tail FROM source WHERE number = ?");
    query.bind(number);
    if (query.step()) {
      before = {.device = static_cast<std::uint64_t>(query.integer(0)),
                .inode = static_cast<std::uint64_t>(query.integer(1)),
                .size = query.integer(2),
                .mtime_ns = query.integer(3)};
      done = query.integer(4);
      tail = query.text(5);
    }
  }
  if (before == now) return true;
  const bool same_file = before.device == now.device && before.inode == now.inode;
  const bool grown = now.size > before.size && tail_of(file, done) == tail;
  if (done > 0 && !(same_file && grown)) return false;
  bool added = true;
  Result<std::int64_t> end =
      file.for_each_line(done, [&](std::string_view line) { added = added && (this->*add)(line); });
  if (!end) return cannot_read(end.error());
  done = *end;
  database_->run("INSERT OR REPLACE INTO source VALUES(?, ?, ?, ?, ?, ?, ?)", number,
                 static_cast<std::int64_t>(now.device), static_cast<std::int64_t>(now.inode), now.size,
                 now.mtime_ns, done, tail_of(file, done));
  return added && !database_->failed();
}

// Removes a learning and its postings, and adds the times it was learned to `said`. Returns nullopt if there
// is no such learning.
std::optional<Learning> LearningIndex::remove_learning(const std::string& id, std::int64_t& count) {
  std::int64_t row = 0;
  std::optional<Learning> learning;
  {
    SqlQuery query = database_->query("SELECT row, said, record FROM learning WHERE id = ?");
    query.bind(id);
    if (!query.step()) return std::nullopt;
    row = query.integer(0);
    count += query.integer(1);
    learning = parse_learning(query.text(2));
  }
  if (!learning) return std::nullopt;
  const Terms terms = terms_of(*database_, *learning);
  auto drop = [&](std::string_view term) {
    database_->run("DELETE FROM posting WHERE term = ? AND row = ?", term, row);
  };
  for (const Term& each : terms.words) drop(each.text);
  for (const std::string& each : terms.paths) drop(path_term(each));
  database_->run("DELETE FROM learning WHERE row = ?", row);
  add_to_totals(*database_, -1, -terms.length);
  return learning;
}

// Adds a learning. A repeated one gets a new row, because the latest rows are searched first, and retains its
// earlier files and keywords.
bool LearningIndex::add_learning(std::string_view line) {
  if (std::optional<Withdrawal> withdrawal = parse_withdrawal(line)) {
    std::int64_t unused = 0;
    remove_learning(withdrawal->of, unused);
    return !database_->failed();
  }
  std::optional<Learning> learning = parse_learning(line);
  if (!learning) return true;
  std::int64_t count = 1;
  if (std::optional<Learning> earlier = remove_learning(learning->id, count)) {
    merge(learning->files, earlier->files);
    merge(learning->keywords, earlier->keywords);
  }
  const std::string record = json_line(*learning);
  // Computes the terms from the stored record, because remove_learning() does so to find them again.
  learning = parse_learning(record);
  if (!learning) return true;
  const std::int64_t row = totals_of(*database_).rows + 1;
  database_->run("INSERT OR REPLACE INTO learning VALUES(?, ?, ?, ?)", row, learning->id, count, record);
  const Terms terms = terms_of(*database_, *learning);
  auto add = [&](std::string_view term, std::int64_t weight) {
    database_->run("INSERT OR REPLACE INTO posting VALUES(?, ?, ?, ?)", term, row, weight, terms.length);
  };
  for (const Term& each : terms.words) add(each.text, each.weight);
  for (const std::string& each : terms.paths) add(path_term(each), 0);
  add_to_totals(*database_, 1, terms.length);
  return !database_->failed();
}

bool LearningIndex::add_violation(std::string_view line) {
  if (std::optional<Withdrawal> withdrawal = parse_withdrawal(line)) {
    database_->run("DELETE FROM violation WHERE type = ?", withdrawal->of);
    database_->run("DELETE FROM violation_file WHERE type = ?", withdrawal->of);
    return !database_->failed();
  }
  std::optional<Violation> violation = parse_violation(line);
  if (!violation) return true;
  database_->run(
      "INSERT INTO violation VALUES(?1, 1, ?2, ?3) ON CONFLICT(type) DO UPDATE SET count = count + 1, "
      "description = ?3, prevention = CASE ?2 WHEN '' THEN prevention ELSE ?2 END",
      violation->type, violation->prevention, violation->description);
  if (!violation->file.empty())
    database_->run(
        "INSERT INTO violation_file VALUES(?, ?, 1) ON CONFLICT(file, type) DO UPDATE SET count = count + 1",
        violation->file, violation->type);
  return !database_->failed();
}

bool LearningIndex::add_revert(std::string_view line) {
  std::optional<Revert> revert = parse_revert(line);
  if (!revert) return true;
  database_->run("INSERT INTO revert VALUES(?, 1) ON CONFLICT(file) DO UPDATE SET count = count + 1",
                 revert->file);
  return !database_->failed();
}

std::vector<RecalledLearning> LearningIndex::recall(Learning task,
                                                    const std::vector<std::string>& other_files,
                                                    std::size_t limit) {
  if (task.files.size() > indexed_files_max) task.files.resize(indexed_files_max);
  Terms terms = terms_of(*database_, task);
  terms.paths.insert(terms.paths.end(), other_files.begin(), other_files.end());
  std::vector<ScoredLearning> candidates = candidates_for(*database_, terms);
  std::sort(candidates.begin(), candidates.end(), is_better);
  if (candidates.size() > std::max(limit, ranked_max)) candidates.resize(std::max(limit, ranked_max));
  std::vector<std::pair<ScoredLearning, RecalledLearning>> ranked;
  std::int64_t best = 0;
  for (ScoredLearning& each : candidates) {
    SqlQuery query = database_->query("SELECT said, record FROM learning WHERE row = ?");
    query.bind(each.row);
    std::optional<RecalledLearning> one = query.step() ? recalled(query) : std::nullopt;
    if (!one) continue;
    // Each doubling of the repetitions adds an eighth to the score, at most a half in total.
    const auto count = static_cast<std::uint64_t>(std::max<std::int64_t>(1, one->recorded_count));
    each.score += each.score * std::min<std::int64_t>(log2_q16(count) >> 16, 4) / 8;
    best = std::max(best, each.score);
    one->strength = each.score;
    ranked.emplace_back(each, *std::move(one));
  }
  std::sort(ranked.begin(), ranked.end(),
            [](const auto& a, const auto& b) { return is_better(a.first, b.first); });
  std::vector<RecalledLearning> found;
  for (auto& [candidate, one] : ranked)
    if (found.size() < limit &&
        (candidate.is_on_subject || candidate.is_on_folder || candidate.score * score_share >= best))
      found.push_back(std::move(one));
  return found;
}

std::vector<RecalledLearning> LearningIndex::latest_learnings(std::size_t limit) {
  SqlQuery query = database_->query("SELECT said, record FROM learning ORDER BY row DESC LIMIT ?");
  query.bind(static_cast<std::int64_t>(limit));
  std::vector<RecalledLearning> found;
  while (query.step())
    if (std::optional<RecalledLearning> one = recalled(query)) found.push_back(*std::move(one));
  return found;
}

std::string LearningIndex::action_of(const std::string& learning_id) {
  SqlQuery query = database_->query("SELECT said, record FROM learning WHERE id = ?");
  query.bind(learning_id);
  std::optional<RecalledLearning> one = query.step() ? recalled(query) : std::nullopt;
  return one ? std::move(one->learning.action) : std::string();
}

std::int64_t LearningIndex::violation_count(std::string_view type) {
  SqlQuery query = database_->query("SELECT count FROM violation WHERE type = ?");
  query.bind(type);
  return query.step() ? query.integer(0) : 0;
}

std::vector<ViolationCount> LearningIndex::frequent_violations(std::int64_t from,
                                                               const std::vector<std::string>& files,
                                                               std::size_t limit) {
  std::vector<ViolationCount> found;
  {
    SqlQuery query = database_->query(
        "SELECT type, count, prevention, description FROM violation WHERE count >= ? ORDER BY count DESC, "
        "type "
        "LIMIT 256");
    query.bind(from);
    while (query.step())
      found.push_back({.type = query.text(0),
                       .count = query.integer(1),
                       .prevention = query.text(2),
                       .description = query.text(3)});
  }
  std::set<std::string> near;
  for (std::size_t i = 0; i < std::min(files.size(), indexed_files_max); ++i) {
    SqlQuery query = database_->query("SELECT type FROM violation_file WHERE file = ?");
    query.bind(files[i]);
    while (query.step()) near.insert(query.text(0));
  }
  std::stable_partition(found.begin(), found.end(),
                        [&](const ViolationCount& each) { return near.contains(each.type); });
  if (found.size() > limit) found.resize(limit);
  return found;
}

std::map<std::string, FileHistory> LearningIndex::file_histories() {
  std::map<std::string, FileHistory> found;
  {
    SqlQuery query = database_->query("SELECT file, sum(count) FROM violation_file GROUP BY file");
    while (query.step()) found[query.text(0)].violation_count = query.integer(1);
  }
  SqlQuery query = database_->query("SELECT file, count FROM revert");
  while (query.step()) found[query.text(0)].revert_count = query.integer(1);
  return found;
}

std::string LearningIndex::latest_action(const std::string& term) {
  SqlQuery query = database_->query(
      "SELECT learning.said, learning.record FROM posting JOIN learning ON learning.row = posting.row "
      "WHERE posting.term = ? ORDER BY posting.row DESC LIMIT 1");
  query.bind(term);
  std::optional<RecalledLearning> one = query.step() ? recalled(query) : std::nullopt;
  return one ? std::move(one->learning.action) : std::string();
}

std::string LearningIndex::prevention_of_code(const std::string& code) {
  {
    SqlQuery query = database_->query("SELECT prevention FROM violation WHERE type = ?");
    query.bind(code);
    std::string prevention = query.step() ? query.text(0) : std::string();
    if (!prevention.empty()) return prevention;
  }
  for (const std::string& each : code_terms(*database_, code))
    if (std::string action = latest_action(each); !action.empty()) return action;
  return {};
}

std::string LearningIndex::prevention_in_file(const std::string& file) {
  {
    SqlQuery query = database_->query(
        "SELECT violation.type, violation.prevention FROM violation_file JOIN violation USING(type) "
        "WHERE violation_file.file = ? AND violation.prevention <> '' "
        "ORDER BY violation_file.count DESC, violation.type LIMIT 1");
    query.bind(file);
    if (query.step()) return query.text(0) + ": " + query.text(1);
  }
  return latest_action(path_term(file));
}

}  // namespace snapgen::core
