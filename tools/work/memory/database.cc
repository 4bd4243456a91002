#include "tools/work/memory/database.h"

#include <fcntl.h>
#include <sqlite3.h>

#include "runtime/base/fd.h"

namespace snapgen::core {
namespace {

constexpr int busy_ms_max = 5000;  // Long enough for another process to build the whole index.

// Returns null if this build of SQLite has no FTS5. The connection owns the result.
fts5_api* fts5_of(sqlite3* handle) {
  fts5_api* api = nullptr;
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(handle, "SELECT fts5(?1)", -1, &statement, nullptr) == SQLITE_OK) {
    sqlite3_bind_pointer(statement, 1, static_cast<void*>(&api), "fts5_api_ptr", nullptr);
    sqlite3_step(statement);
  }
  sqlite3_finalize(statement);
  return api;
}

}  // namespace

// An instance of FTS5's tokenizer, which must be destroyed before the connection.
class Database::Tokenizer {
 public:
  explicit Tokenizer(fts5_api& api) {
    void* context = nullptr;
    const char* base = "unicode61";
    if (api.xFindTokenizer(&api, "porter", &context, &methods_) != SQLITE_OK ||
        methods_.xCreate(context, &base, 1, &instance_) != SQLITE_OK)
      instance_ = nullptr;
  }
  Tokenizer(Tokenizer&&) = delete;
  ~Tokenizer() {
    if (instance_ != nullptr) methods_.xDelete(instance_);
  }

  bool is_valid() const { return instance_ != nullptr; }
  std::vector<std::string> stems(std::string_view text) const {
    std::vector<std::string> found;
    auto take = [](void* out, int, const char* stem, int bytes, int, int) {
      static_cast<std::vector<std::string>*>(out)->emplace_back(stem, static_cast<std::size_t>(bytes));
      return SQLITE_OK;
    };
    methods_.xTokenize(instance_, &found, FTS5_TOKENIZE_DOCUMENT, text.data(), static_cast<int>(text.size()),
                       take);
    return found;
  }

 private:
  fts5_tokenizer methods_{};
  Fts5Tokenizer* instance_ = nullptr;
};

SqlQuery::~SqlQuery() {
  if (statement_ == nullptr) return;
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

SqlQuery& SqlQuery::bind(std::string_view text) {
  if (statement_ != nullptr)
    sqlite3_bind_text(statement_, ++bound_, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
  return *this;
}

SqlQuery& SqlQuery::bind(std::int64_t value) {
  if (statement_ != nullptr) sqlite3_bind_int64(statement_, ++bound_, value);
  return *this;
}

bool SqlQuery::step() { return statement_ != nullptr && sqlite3_step(statement_) == SQLITE_ROW; }

std::int64_t SqlQuery::integer(int column) const { return sqlite3_column_int64(statement_, column); }

std::string SqlQuery::text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  if (bytes == nullptr) return {};
  return std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)));
}

Result<std::unique_ptr<Database>> Database::open(const std::string& path) {
  // Creates the file, because SQLite would follow a symlink and use default permissions. SQLite gives the
  // files that it creates later the permissions of this one.
  if (path != ":memory:" &&
      !Fd(::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600)))
    return Error(ErrorCode::unavailable, "The index of learnings cannot be opened.", {}, path);
  sqlite3* handle = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  const int opened = sqlite3_open_v2(path.c_str(), &handle, flags, nullptr);
  std::unique_ptr<Database> database(new Database(handle));
  if (opened != SQLITE_OK)
    return Error(ErrorCode::unavailable, "The index of learnings cannot be opened.", {}, path);
  sqlite3_busy_timeout(handle, busy_ms_max);
  // The index can be rebuilt from the JSON lines, so losing data in a crash of the machine is acceptable.
  if (!database->execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA trusted_schema=OFF; "
                         "PRAGMA temp_store=MEMORY;"))
    return Error(ErrorCode::unavailable, "The index of learnings cannot be read.", {}, path);
  fts5_api* api = fts5_of(handle);
  if (api != nullptr) database->tokenizer_ = std::make_unique<Tokenizer>(*api);
  if (api == nullptr || !database->tokenizer_->is_valid())
    return Error(ErrorCode::unavailable, "The index of learnings needs an SQLite with FTS5. Install one.", {},
                 path);
  return database;
}

Database::Database(sqlite3* handle) : handle_(handle) {}

Database::~Database() {
  tokenizer_.reset();
  for (const auto& [text, statement] : statements_) sqlite3_finalize(statement);
  sqlite3_close(handle_);
}

bool Database::execute(const char* sql) {
  const bool done = sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) == SQLITE_OK;
  failed_ = failed_ || !done;
  return done;
}

SqlQuery Database::query(const char* sql) {
  sqlite3_stmt*& statement = statements_[sql];
  if (statement == nullptr &&
      sqlite3_prepare_v3(handle_, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr) != SQLITE_OK) {
    failed_ = true;
    statement = nullptr;
  }
  return SqlQuery(statement);
}

std::vector<std::string> Database::stems(std::string_view text) const {
  if (text.empty()) return {};
  return tokenizer_->stems(text);
}

bool Database::failed() const {
  const int code = sqlite3_errcode(handle_);
  return failed_ || (code != SQLITE_OK && code != SQLITE_ROW && code != SQLITE_DONE);
}

}  // namespace snapgen::core
