// Compares engines for the blob store: each stores the files named on standard input durably, reads them
// back, and stores them again. Run by `./dev bench engines`; prints the rows of a Markdown table.
//
//   (a) our segments   (b) SQLite, WAL mode   (c) loose files   (d) git's loose objects, by git hash-object
//
// (a), (b) and (c) hash and compress in the same way, with our code. Each is durable before its clock stops:
// (a) after one fdatasync, (b) after one transaction with synchronous=FULL, (c) after syncfs, before the
// files get their names.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/base/fd.h"
#include "tools/engine/base/parallel.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/store/blobs/blob_store.h"
#include "tools/engine/store/blobs/codec.h"
#ifdef SNAPGEN_HAS_SQLITE
#include <sqlite3.h>
#endif

namespace snapgen::core {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t reads = 2000;

[[noreturn]] void abandon_puts(const std::string& why) {
  std::cerr << why << "\n";
  std::exit(1);
}

void must(bool good, const std::string& what) {
  if (!good) abandon_puts(what + " failed");
}

std::string content_of(const std::string& path) {
  Result<std::string> bytes = read_whole_file(path, 1 << 30);
  must(bool(bytes), "reading " + path);
  return *std::move(bytes);
}

class Engine {
 public:
  virtual ~Engine() = default;
  virtual void store(const std::vector<std::string>& files) = 0;
  // Returns the content of the file that was stored.
  virtual std::string read(const std::string& file, const BlobId& id) = 0;
};

class Segments final : public Engine {
 public:
  explicit Segments(const std::string& folder) : store_(*open_segment_store(folder)) {}
  void store(const std::vector<std::string>& files) override {
    in_parallel(files.size(), 16, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) must(bool(store_->put(content_of(files[i]))), "put");
    });
    must(bool(store_->commit()), "commit");
  }
  std::string read(const std::string&, const BlobId& id) override { return *store_->get(id); }

 private:
  std::unique_ptr<BlobStore> store_;
};

std::string packed(const std::string& bytes) {
  std::string out;
  return compress(bytes, out) == Codec::raw ? 'r' + bytes : 'z' + out;
}

std::string unpacked(std::string bytes, std::size_t raw_bytes) {
  Codec codec = bytes[0] == 'r' ? Codec::raw : Codec::zstd;
  return *decompressed(codec, bytes.substr(1), raw_bytes);
}

class LooseFiles final : public Engine {
 public:
  explicit LooseFiles(std::string folder) : folder_(std::move(folder)) {
    for (int i = 0; i < 256; ++i) fs::create_directories(folder_ + "/" + fan(i));
  }
  void store(const std::vector<std::string>& files) override {
    std::vector<std::pair<std::string, std::string>> renames;
    std::mutex mutex;
    in_parallel(files.size(), 16, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        std::string bytes = content_of(files[i]);
        std::string path = path_of(blob_id_of(bytes));
        if (::access(path.c_str(), F_OK) == 0) continue;
        std::string temporary = path + "." + std::to_string(i);
        Fd fd(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
        must(fd && write_at(fd.get(), std::to_string(bytes.size()) + "\n" + packed(bytes), 0), "writing");
        std::lock_guard lock(mutex);
        renames.emplace_back(temporary, path);
      }
    });
    Fd fd(::open(folder_.c_str(), O_RDONLY | O_DIRECTORY));
    if (!renames.empty()) ::syncfs(fd.get());
    for (const auto& [from, to] : renames) fs::rename(from, to);
    if (!renames.empty()) ::syncfs(fd.get());
  }
  std::string read(const std::string&, const BlobId& id) override {
    std::string bytes = content_of(path_of(id));
    std::size_t line = bytes.find('\n');
    return unpacked(bytes.substr(line + 1), std::stoul(bytes));
  }

 private:
  static std::string fan(int i) {
    char text[3];
    std::snprintf(text, sizeof text, "%02x", i);
    return text;
  }
  std::string path_of(const BlobId& id) const {
    std::string hex = id.hex();
    return folder_ + "/" + hex.substr(0, 2) + "/" + hex.substr(2);
  }
  std::string folder_;
};

#ifdef SNAPGEN_HAS_SQLITE
class Sqlite final : public Engine {
 public:
  explicit Sqlite(const std::string& folder) {
    fs::create_directories(folder);
    must(sqlite3_open((folder + "/blobs.db").c_str(), &db_) == SQLITE_OK, "sqlite3_open");
    run("pragma journal_mode=wal");
    run("pragma synchronous=full");
    run("create table if not exists blobs (id blob primary key, raw integer, bytes blob)");
    has_ = prepared("select 1 from blobs where id = ?");
    add_ = prepared("insert or ignore into blobs values (?, ?, ?)");
    get_ = prepared("select raw, bytes from blobs where id = ?");
  }
  ~Sqlite() override {
    for (sqlite3_stmt* statement : {has_, add_, get_}) sqlite3_finalize(statement);
    sqlite3_close(db_);
  }
  Sqlite(Sqlite&&) = delete;
  void store(const std::vector<std::string>& files) override {
    std::mutex mutex;
    run("begin immediate");
    in_parallel(files.size(), 16, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        std::string bytes = content_of(files[i]);
        BlobId id = blob_id_of(bytes);
        {
          std::lock_guard lock(mutex);
          if (is_here(id)) continue;
        }
        std::string stored = packed(bytes);
        std::lock_guard lock(mutex);
        bind(add_, id);
        sqlite3_bind_int64(add_, 2, static_cast<sqlite3_int64>(bytes.size()));
        sqlite3_bind_blob64(add_, 3, stored.data(), stored.size(), SQLITE_STATIC);
        must(sqlite3_step(add_) == SQLITE_DONE, "insert");
        sqlite3_reset(add_);
      }
    });
    run("commit");
    run("pragma wal_checkpoint(truncate)");
  }
  std::string read(const std::string&, const BlobId& id) override {
    bind(get_, id);
    must(sqlite3_step(get_) == SQLITE_ROW, "select");
    auto raw = static_cast<std::size_t>(sqlite3_column_int64(get_, 0));
    return unpacked({static_cast<const char*>(sqlite3_column_blob(get_, 1)),
                     static_cast<std::size_t>(sqlite3_column_bytes(get_, 1))},
                    raw);
  }

 private:
  void run(const char* sql) { must(sqlite3_exec(db_, sql, nullptr, nullptr, nullptr) == SQLITE_OK, sql); }
  sqlite3_stmt* prepared(const char* sql) {
    sqlite3_stmt* statement = nullptr;
    must(sqlite3_prepare_v2(db_, sql, -1, &statement, nullptr) == SQLITE_OK, sql);
    return statement;
  }
  static void bind(sqlite3_stmt* statement, const BlobId& id) {
    sqlite3_reset(statement);
    sqlite3_bind_blob(statement, 1, id.digest.data(), static_cast<int>(id.digest.size()), SQLITE_TRANSIENT);
  }
  bool is_here(const BlobId& id) {
    bind(has_, id);
    bool here = sqlite3_step(has_) == SQLITE_ROW;
    sqlite3_reset(has_);
    return here;
  }
  sqlite3* db_ = nullptr;
  sqlite3_stmt* has_ = nullptr;
  sqlite3_stmt* add_ = nullptr;
  sqlite3_stmt* get_ = nullptr;
};
#endif

// The store of git: its objects have other ids, which git prints.
class Git final : public Engine {
 public:
  explicit Git(const std::string& folder) : folder_(folder) {
    must(std::system(("git init -q --bare '" + folder + "'").c_str()) == 0, "git init");
  }
  void store(const std::vector<std::string>& files) override {
    std::ofstream list(folder_ + "/list");
    for (const std::string& file : files) list << file << "\n";
    list.close();
    std::string command = "git --git-dir='" + folder_ + "' hash-object -w --no-filters --stdin-paths < '" +
                          folder_ + "/list' > '" + folder_ + "/ids'";
    must(std::system(command.c_str()) == 0, "git hash-object");
    Fd fd(::open(folder_.c_str(), O_RDONLY | O_DIRECTORY));
    ::syncfs(fd.get());
  }
  std::string read(const std::string&, const BlobId&) override { return {}; }
  // One process answers all reads. Returns the seconds of `count` reads.
  double read_many(std::size_t count) {
    std::string command = "shuf -n " + std::to_string(count) + " --random-source=/bin/true '" + folder_ +
                          "/ids' > '" + folder_ + "/wanted'; exec git --git-dir='" + folder_ +
                          "' cat-file --batch < '" + folder_ + "/wanted' > /dev/null";
    auto begin = std::chrono::steady_clock::now();
    must(std::system(command.c_str()) == 0, "git cat-file");
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

 private:
  std::string folder_;
};

struct Took {
  double wall = 0;
  double cpu = 0;
};

double cpu_seconds() {
  double sum = 0;
  for (int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage = {};
    ::getrusage(who, &usage);
    sum += static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
  }
  return sum;
}

Took timed(const std::function<void()>& work) {
  auto begin = std::chrono::steady_clock::now();
  double cpu = cpu_seconds();
  work();
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
          cpu_seconds() - cpu};
}

double disk_megabytes(const std::string& folder) {
  double sum = 0;
  for (auto& entry : fs::recursive_directory_iterator(folder)) {
    struct stat st;
    if (entry.path().filename() == "list" || entry.path().filename() == "ids") continue;
    if (::lstat(entry.path().c_str(), &st) == 0) sum += static_cast<double>(st.st_blocks) * 512;
  }
  return sum / 1e6;
}

void measure(const char* name, const std::string& folder, const std::vector<std::string>& files,
             const std::vector<std::pair<std::string, BlobId>>& samples,
             const std::function<std::unique_ptr<Engine>()>& open) {
  fs::remove_all(folder);
  std::unique_ptr<Engine> engine = open();
  Took first = timed([&] { engine->store(files); });
  double size = disk_megabytes(folder);
  Took second = timed([&] { engine->store(files); });
  double latency_us = 0;
  if (auto* git = dynamic_cast<Git*>(engine.get())) {
    latency_us = git->read_many(samples.size()) * 1e6 / static_cast<double>(samples.size());
  } else {
    Took took = timed([&] {
      for (const auto& [file, id] : samples)
        must(!engine->read(file, id).empty() || fs::is_empty(file), "read");
    });
    latency_us = took.wall * 1e6 / static_cast<double>(samples.size());
  }
  std::printf("| %s | %.2f s | %.2f s | %.0f MB | %.2f s | %.0f µs |\n", name, first.wall, first.cpu, size,
              second.wall, latency_us);
  std::fflush(stdout);
  engine.reset();
  fs::remove_all(folder);
}

int run(const std::string& scratch) {
  std::vector<std::string> files;
  for (std::string line; std::getline(std::cin, line);) {
    struct stat st;
    if (::lstat(line.c_str(), &st) == 0 && S_ISREG(st.st_mode)) files.push_back(line);
  }
  if (files.empty()) abandon_puts("name files on the standard input");
  double bytes = 0;
  for (const std::string& file : files)
    bytes += static_cast<double>(content_of(file).size());  // Reading the files also fills the page cache.
  std::vector<std::pair<std::string, BlobId>> samples;
  std::mt19937 random(1);
  for (std::size_t i = 0; i < std::min(reads, files.size()); ++i) {
    const std::string& file = files[random() % files.size()];
    samples.emplace_back(file, blob_id_of(content_of(file)));
  }
  std::printf("%zu files, %.0f MB\n\n", files.size(), bytes / 1e6);
  std::printf(
      "| engine | store all | CPU | on disk | store all again | read one |\n|---|---|---|---|---|---|\n");
  measure("our segments", scratch + "/segments", files, samples,
          [&] { return std::make_unique<Segments>(scratch + "/segments"); });
#ifdef SNAPGEN_HAS_SQLITE
  measure("SQLite, WAL", scratch + "/sqlite", files, samples,
          [&] { return std::make_unique<Sqlite>(scratch + "/sqlite"); });
#else
  std::printf("| SQLite, WAL | (libsqlite3-dev is not installed) | | | | |\n");
#endif
  measure("loose files", scratch + "/loose", files, samples,
          [&] { return std::make_unique<LooseFiles>(scratch + "/loose"); });
  measure("git, loose objects", scratch + "/git", files, samples,
          [&] { return std::make_unique<Git>(scratch + "/git"); });
  return 0;
}

}  // namespace
}  // namespace snapgen::core

int main(int count, char** values) {
  if (count != 2) {
    std::cerr << "usage: engines SCRATCH_FOLDER < LIST_OF_FILES\n";
    return 2;
  }
  return snapgen::core::run(values[1]);
}
