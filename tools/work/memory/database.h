#pragma once
// Database: one SQLite file with cached prepared statements. Only the memory's index uses it.
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace snapgen::core {

// A run of a prepared statement. The destructor resets the statement.
class SqlQuery {
 public:
  explicit SqlQuery(sqlite3_stmt* statement) : statement_(statement) {}
  SqlQuery(SqlQuery&&) = delete;
  ~SqlQuery();

  // Each binds the next parameter; the first one is 1.
  SqlQuery& bind(std::string_view text);
  SqlQuery& bind(std::int64_t value);

  // Moves to the next row. Returns false at the end or if the database failed; see Database::failed().
  bool step();
  std::int64_t integer(int column) const;
  std::string text(int column) const;

 private:
  sqlite3_stmt* statement_;
  int bound_ = 0;
};

class Database {
 public:
  // `path` is a file, or ":memory:". Errors: unavailable (not a database, not readable or writable, no FTS5).
  static Result<std::unique_ptr<Database>> open(const std::string& path);
  Database(Database&&) = delete;
  ~Database();

  // Runs statements without results. Returns false on failure.
  bool execute(const char* sql);
  // Reuses the prepared statement of an earlier call with the same text. Only one SqlQuery per text may exist
  // at a time.
  SqlQuery query(const char* sql);

  // Runs a statement without results. The values are those of its parameters, in their order.
  template <class... Values>
  void run(const char* sql, const Values&... values) {
    SqlQuery statement = query(sql);
    (statement.bind(values), ...);
    statement.step();
  }
  // Returns the words of a text in their order, by FTS5's tokenizer "porter unicode61": in lower case,
  // without diacritics, and English words as their stems.
  std::vector<std::string> stems(std::string_view text) const;

  // Returns whether anything failed since open(). If so, no result is valid.
  bool failed() const;

 private:
  class Tokenizer;
  explicit Database(sqlite3* handle);

  sqlite3* handle_;
  std::unique_ptr<Tokenizer> tokenizer_;             // The tokenizer, which is not null after open().
  std::map<const void*, sqlite3_stmt*> statements_;  // The key is the address of the SQL literal.
  bool failed_ = false;
  friend class SqlQuery;
};

}  // namespace snapgen::core
