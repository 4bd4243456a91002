#include "tools/work/memory/index.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include <unistd.h>

#include "tools/engine/base/hash.h"

namespace snapgen::core {
namespace {

constexpr std::int64_t index_version = 1;
constexpr std::int64_t hits_max = 64;          // Per word.
constexpr std::size_t query_words_max = 12;    // Per query.
constexpr std::size_t indexed_files_max = 50;  // Per query.
constexpr std::int64_t tail_bytes = 256;
constexpr double file_weight = 12;  // A shared file weighs more than any word.

constexpr const char* tables = R"sql(
CREATE TABLE IF NOT EXISTS source(number INTEGER PRIMARY KEY, device INTEGER, inode INTEGER, size INTEGER,
                                  mtime INTEGER, done INTEGER, tail TEXT);
CREATE TABLE IF NOT EXISTS learning(row INTEGER PRIMARY KEY, id TEXT UNIQUE, kind INTEGER, said INTEGER,
                                    at INTEGER, trigger TEXT, action TEXT, task TEXT);
CREATE VIRTUAL TABLE IF NOT EXISTS word USING fts5(text, tokenize='porter unicode61',
                                                   content='', columnsize=0);
CREATE TABLE IF NOT EXISTS learning_file(file TEXT, row INTEGER, PRIMARY KEY(file, row)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS violation(type TEXT PRIMARY KEY, count INTEGER, prevention TEXT, description TEXT)
                                    WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS violation_count ON violation(count);
CREATE TABLE IF NOT EXISTS violation_file(file TEXT, type TEXT, count INTEGER, PRIMARY KEY(file, type))
                                         WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS revert(file TEXT PRIMARY KEY, count INTEGER) WITHOUT ROWID;
)sql";

// Words too common to search for.
constexpr std::array<std::string_view, 42> common = {
    "a",   "add",  "all",  "an", "and", "are", "as",   "at",  "be",   "by",   "do",   "for", "from", "has",
    "if",  "in",   "into", "is", "it",  "its", "make", "new", "not",  "of",   "on",   "or",  "so",   "that",
    "the", "then", "this", "to", "up",  "use", "was",  "we",  "when", "will", "with", "you", "your", "can"};

// A hash of the bytes before the read position, which shows whether it is still the same file.
std::string tail_of(const JsonLines& file, std::int64_t done) {
  const std::int64_t begin = std::max<std::int64_t>(0, done - tail_bytes);
  Result<std::string> bytes = file.read(begin, static_cast<std::size_t>(done - begin));
  if (!bytes || static_cast<std::int64_t>(bytes->size()) < done - begin) return "?";
  return sha256_hex(*bytes);
}

// Reads a row of id, kind, said, at, trigger, action, task.
Recalled recalled(const Query& row) {
  Recalled one;
  one.learning.id = row.text(0);
  one.learning.kind = static_cast<LearningKind>(std::clamp<std::int64_t>(row.integer(1), 0, 4));
  one.said = row.integer(2);
  one.learning.at_ms = row.integer(3);
  one.learning.trigger = row.text(4);
  one.learning.action = row.text(5);
  one.learning.task_id = row.text(6);
  return one;
}

void remove_database(const std::string& path) {
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) ::unlink((path + suffix).c_str());
}

}  // namespace

std::vector<std::string> words_of(std::string_view text, std::size_t limit) {
  std::vector<std::string> words;
  std::string word;
  auto end_word = [&] {
    const bool wanted = word.size() >= 2 && word.size() <= 64 && words.size() < limit &&
                        std::find(common.begin(), common.end(), word) == common.end() &&
                        std::find(words.begin(), words.end(), word) == words.end();
    if (wanted) words.push_back(word);
    word.clear();
  };
  for (char c : text) {
    const bool inside =
        (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
    if (c >= 'A' && c <= 'Z')
      word += static_cast<char>(c + 32);
    else if (inside)
      word += c;
    else
      end_word();
  }
  end_word();
  return words;
}

Result<Unit> MemoryIndex::open() {
  for (bool again : {false, true}) {
    Result<std::unique_ptr<Database>> opened = Database::open(path_);
    if (opened) {
      database_ = *std::move(opened);
      std::int64_t found = 0;
      {
        Query query = database_->query("PRAGMA user_version");
        if (query.step()) found = query.integer(0);
      }
      const bool usable = !database_->failed() && (found == 0 || found == index_version);
      if (usable && database_->run(tables) && database_->run("PRAGMA user_version = 1")) return Unit{};
      database_.reset();
    }
    if (!again) remove_database(path_);
  }
  // If the disk is not writable, the index is in memory for the life of the server.
  database_ = TRY(Database::open(":memory:"));
  if (database_->run(tables)) return Unit{};
  return Error(ErrorCode::unavailable, "The index of learnings cannot be made.", {}, path_);
}

Result<Unit> MemoryIndex::catch_up() {
  std::vector<LinesState> states;
  for (const JsonLines* each : {&files_.learnings, &files_.violations, &files_.reverts})
    states.push_back(each->state());
  const bool is_there = path_ == ":memory:" || ::access(path_.c_str(), F_OK) == 0;
  if (database_ && is_there && states == seen_) return Unit{};
  if (!is_there) database_.reset();
  for (int tries = 0; tries < 2; ++tries) {
    if (!database_) {
      TRY(open());
    }
    unread_.reset();
    if (update()) {
      seen_ = std::move(states);
      return Unit{};
    }
    // A file is unreadable; rebuilding the index would not help.
    if (unread_) return *unread_;
    database_.reset();
    remove_database(path_);
  }
  return Error(ErrorCode::unavailable, "The index of learnings cannot be brought up to date.", {}, path_);
}

bool MemoryIndex::update() {
  if (!database_->run("BEGIN IMMEDIATE")) return false;
  const bool taken = take(files_.learnings, 0, &MemoryIndex::add_learning) &&
                     take(files_.violations, 1, &MemoryIndex::add_violation) &&
                     take(files_.reverts, 2, &MemoryIndex::add_revert);
  if (taken && !database_->failed()) return database_->run("COMMIT");
  database_->run("ROLLBACK");
  return false;
}

bool MemoryIndex::cannot_read(const Error& error) {
  unread_ = error;
  return false;
}

// Indexes the new lines of a file. Returns false if the file does not begin with the lines indexed before:
// the index must then be rebuilt.
bool MemoryIndex::take(const JsonLines& file, int number, bool (MemoryIndex::*add)(std::string_view line)) {
  if (Result<std::string> readable = file.read(0, 0); !readable) return cannot_read(readable.error());
  const LinesState now = file.state();
  LinesState before;
  std::int64_t done = 0;
  std::string tail;
  {
    Query query =
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
      file.each_line(done, [&](std::string_view line) { added = added && (this->*add)(line); });
  if (!end) return cannot_read(end.error());
  done = *end;
  Query query = database_->query("INSERT OR REPLACE INTO source VALUES(?, ?, ?, ?, ?, ?, ?)");
  query.bind(number).bind(static_cast<std::int64_t>(now.device)).bind(static_cast<std::int64_t>(now.inode));
  query.bind(now.size).bind(now.mtime_ns).bind(done).bind(tail_of(file, done));
  query.step();
  return added && !database_->failed();
}

// A repeated learning gets a new row, because the latest rows are searched first.
bool MemoryIndex::add_learning(std::string_view line) {
  std::optional<Learning> learning = learning_of(line);
  if (!learning) return true;
  std::int64_t said = 1;
  std::string words = learning->trigger + "\n" + learning->action + "\n";
  for (const std::string& each : learning->keywords) words += each + "\n";
  for (const std::string& each : learning->files) words += each + "\n";
  {
    Query query = database_->query("SELECT said FROM learning WHERE id = ?");
    query.bind(learning->id);
    if (query.step()) said = query.integer(0) + 1;
  }
  std::int64_t row = 1;
  {
    Query query = database_->query("SELECT max(row) FROM learning");
    if (query.step()) row = query.integer(0) + 1;
  }
  {
    // The words of the replaced row no longer lead to a learning.
    Query query = database_->query("INSERT OR REPLACE INTO learning VALUES(?, ?, ?, ?, ?, ?, ?, ?)");
    query.bind(row).bind(learning->id).bind(static_cast<std::int64_t>(learning->kind)).bind(said);
    query.bind(learning->at_ms).bind(learning->trigger).bind(learning->action).bind(learning->task_id);
    query.step();
  }
  {
    Query query = database_->query("INSERT INTO word(rowid, text) VALUES(?, ?)");
    query.bind(row).bind(words);
    query.step();
  }
  for (const std::string& each : learning->files) {
    Query query = database_->query("INSERT OR IGNORE INTO learning_file VALUES(?, ?)");
    query.bind(each).bind(row);
    query.step();
  }
  return !database_->failed();
}

bool MemoryIndex::add_violation(std::string_view line) {
  std::optional<Violation> violation = violation_of(line);
  if (!violation) return true;
  {
    Query query = database_->query(
        "INSERT INTO violation VALUES(?1, 1, ?2, ?3) ON CONFLICT(type) DO UPDATE SET count = count + 1, "
        "description = ?3, prevention = CASE ?2 WHEN '' THEN prevention ELSE ?2 END");
    query.bind(violation->type).bind(violation->prevention).bind(violation->description);
    query.step();
  }
  if (!violation->file.empty()) {
    Query query = database_->query(
        "INSERT INTO violation_file VALUES(?, ?, 1) ON CONFLICT(file, type) DO UPDATE SET count = count + 1");
    query.bind(violation->file).bind(violation->type);
    query.step();
  }
  return !database_->failed();
}

bool MemoryIndex::add_revert(std::string_view line) {
  std::optional<Revert> revert = revert_of(line);
  if (!revert) return true;
  Query query =
      database_->query("INSERT INTO revert VALUES(?, 1) ON CONFLICT(file) DO UPDATE SET count = count + 1");
  query.bind(revert->file);
  query.step();
  return !database_->failed();
}

std::vector<Recalled> MemoryIndex::recall(const std::vector<std::string>& words,
                                          const std::vector<std::string>& files, std::size_t limit) {
  std::int64_t rows = 0;
  {
    Query query = database_->query("SELECT max(row) FROM learning");
    if (query.step()) rows = query.integer(0);
  }
  std::map<std::int64_t, double> strengths;
  // `query` returns rows, the latest first. A word is rarer the further back its hits reach.
  auto weigh = [&](Query& query, double weight) {
    std::vector<std::int64_t> hits;
    while (query.step()) hits.push_back(query.integer(0));
    if (hits.empty()) return;
    const double reach = static_cast<double>(rows - hits.back() + 1);
    const bool all = static_cast<std::int64_t>(hits.size()) < hits_max;
    const double count = static_cast<double>(hits.size()) * (all ? 1 : static_cast<double>(rows) / reach);
    const double rarity = std::log(1 + static_cast<double>(rows) / count);
    for (std::int64_t row : hits) strengths[row] += weight + rarity;
  };
  for (std::size_t i = 0; i < std::min(words.size(), query_words_max); ++i) {
    Query query = database_->query("SELECT rowid FROM word WHERE word MATCH ? ORDER BY rowid DESC LIMIT 64");
    query.bind("\"" + words[i] + "\"");
    weigh(query, 0);
  }
  for (std::size_t i = 0; i < std::min(files.size(), indexed_files_max); ++i) {
    Query query = database_->query("SELECT row FROM learning_file WHERE file = ? ORDER BY row DESC LIMIT 64");
    query.bind(files[i]);
    weigh(query, file_weight);
  }
  std::vector<Recalled> found;
  for (const auto& [row, strength] : strengths) {
    Query query =
        database_->query("SELECT id, kind, said, at, trigger, action, task FROM learning WHERE row = ?");
    query.bind(row);
    if (!query.step()) continue;
    Recalled& one = found.emplace_back(recalled(query));
    one.strength = strength * (1 + std::log2(static_cast<double>(one.said)));
  }
  std::stable_sort(found.begin(), found.end(), [](const Recalled& a, const Recalled& b) {
    return a.strength != b.strength ? a.strength > b.strength : a.learning.at_ms > b.learning.at_ms;
  });
  if (found.size() > limit) found.resize(limit);
  return found;
}

std::vector<Recalled> MemoryIndex::latest(std::size_t limit) {
  Query query = database_->query(
      "SELECT id, kind, said, at, trigger, action, task FROM learning ORDER BY row DESC LIMIT ?");
  query.bind(static_cast<std::int64_t>(limit));
  std::vector<Recalled> found;
  while (query.step()) found.push_back(recalled(query));
  return found;
}

std::int64_t MemoryIndex::count_of(std::string_view type) {
  Query query = database_->query("SELECT count FROM violation WHERE type = ?");
  query.bind(type);
  return query.step() ? query.integer(0) : 0;
}

std::vector<ViolationCount> MemoryIndex::frequent(std::int64_t from, const std::vector<std::string>& files,
                                                  std::size_t limit) {
  std::vector<ViolationCount> found;
  {
    Query query = database_->query(
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
    Query query = database_->query("SELECT type FROM violation_file WHERE file = ?");
    query.bind(files[i]);
    while (query.step()) near.insert(query.text(0));
  }
  std::stable_partition(found.begin(), found.end(),
                        [&](const ViolationCount& each) { return near.contains(each.type); });
  if (found.size() > limit) found.resize(limit);
  return found;
}

FileHistory MemoryIndex::history_of(std::string_view file) {
  FileHistory history;
  {
    Query query = database_->query("SELECT coalesce(sum(count), 0) FROM violation_file WHERE file = ?");
    query.bind(file);
    if (query.step()) history.violations = query.integer(0);
  }
  Query query = database_->query("SELECT count FROM revert WHERE file = ?");
  query.bind(file);
  if (query.step()) history.reverts = query.integer(0);
  return history;
}

}  // namespace snapgen::core
