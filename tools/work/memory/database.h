#pragma once
// Database: one SQLite file, with statements that are prepared once. For the memory's index alone.
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "runtime/base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace snapgen::core {

// One run of a prepared statement; ends when it dies.
class Query {
 public:
  explicit Query(sqlite3_stmt* statement) : statement_(statement) {}
  Query(Query&&) = delete;
  ~Query();

  // Parameters from 1 on, in their order.
  Query& bind(std::string_view text);
  Query& bind(std::int64_t value);

  // Moves to the next row. False: there is none, or the database failed, see Database::failed().
  bool step();
  std::int64_t integer(int column) const;
  std::string text(int column) const;

 private:
  sqlite3_stmt* statement_;
  int bound_ = 0;
};

class Database {
 public:
  // `path`: a file, or ":memory:". Errors: unavailable (not a database, not readable, not writable).
  static Result<std::unique_ptr<Database>> open(const std::string& path);
  Database(Database&&) = delete;
  ~Database();

  // Any statements without results. False: it failed.
  bool run(const char* sql);
  // A statement that was prepared by an earlier call with the same text is used again. Ends with the Query:
  // there is one of each text at a time.
  Query query(const char* sql);

  // Whether anything has failed since it was opened. Nothing that was read then counts.
  bool failed() const;

 private:
  explicit Database(sqlite3* handle) : handle_(handle) {}

  sqlite3* handle_;
  std::map<const void*, sqlite3_stmt*> statements_;  // By the address of their text: literals.
  bool failed_ = false;
  friend class Query;
};

}  // namespace snapgen::core
