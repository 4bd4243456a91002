#include "tools/work/log/log_writer.h"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/fd.h"
#include "tools/engine/base/thread.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/files/file_lock.h"
#include "tools/engine/files/json_lines.h"

namespace snapgen::core {
namespace {

// How long the writer waits for further lines, to write them together.
constexpr std::chrono::milliseconds gathering(5);

constexpr std::array<std::string_view, log_kind_count> names = {"mcp", "errors", "audit", "security", "work"};

std::string file_path(const std::string& folder, LogKind kind, int age) {
  std::string path = folder + "/" + std::string(names[static_cast<std::size_t>(kind)]);
  if (age > 0) path += "." + std::to_string(age);
  return path + ".jsonl";
}

Error log_error(const std::string& path) {
  const int number = errno;
  return Error(number == ELOOP || number == EACCES || number == EPERM ? ErrorCode::permission_denied
                                                                      : ErrorCode::unavailable,
               "Cannot write .snapback/logs: " + std::string(std::strerror(number)) + ".", {}, path);
}

// Returns the size of as many whole lines as fit into `bytes_max`, but of at least one line.
std::size_t whole_lines(std::string_view lines, std::int64_t bytes_max) {
  const auto most = static_cast<std::size_t>(bytes_max);
  if (lines.size() <= most) return lines.size();
  std::size_t end = lines.rfind('\n', most - 1);
  if (end == std::string_view::npos) end = lines.find('\n');
  return end == std::string_view::npos ? lines.size() : end + 1;
}

// Opens and locks the file at `path`, and makes sure that the path still leads to the locked file.
Result<Fd> open_locked(const std::string& path) {
  constexpr int tries_max = 8;
  for (int tries = 0; tries < tries_max; ++tries) {
    Fd fd(::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600));
    if (!fd) return log_error(path);
    if (lock_file(fd.get(), {}) != LockResult::acquired) return log_error(path);
    struct stat own, there;
    if (::fstat(fd.get(), &own) != 0) return log_error(path);
    if (!S_ISREG(own.st_mode))
      return Error(ErrorCode::permission_denied,
                   ".snapback/logs/" + std::string(base_name(path)) + " is not a regular file. Move it away.",
                   {}, path);
    // Another server may have renamed the file after it was opened and before it was locked.
    if (::lstat(path.c_str(), &there) == 0 && there.st_ino == own.st_ino && there.st_dev == own.st_dev)
      return fd;
  }
  return Error(ErrorCode::unavailable,
               "Another process keeps moving the log files in .snapback/logs. End it, and try again.", {},
               path);
}

}  // namespace

std::string_view file_name(LogKind kind) { return names[static_cast<std::size_t>(kind)]; }

std::string log_path(const std::string& root, LogKind kind, int age) {
  return file_path(root + "/.snapback/logs", kind, age);
}

LogLimits LogLimits::of(std::int64_t bytes) {
  LogLimits limits;
  limits.file_bytes_max =
      bytes / (static_cast<std::int64_t>(log_kind_count) * (limits.rotated_files_max + 1));
  return limits;
}

LogWriter::~LogWriter() {
  {
    std::lock_guard lock(mutex_);
    ending_ = true;
  }
  line_added_.notify_all();
  if (writer_.joinable()) writer_.join();
}

void LogWriter::add(LogKind kind, std::string line, LogFolder folder) {
  if (!root_) return;
  const bool had_folder = has_folder();
  bool first = false;
  std::vector<Entry> here;
  {
    std::lock_guard lock(mutex_);
    if (queue_.size() >= limits_.queued_lines_max) {
      ++dropped_count_;
      return;
    }
    first = queue_.empty();
    queue_.push_back({.kind = kind, .folder = folder, .line = std::move(line), .had_folder = had_folder});
    if (!writer_.joinable()) writer_ = try_start_thread([this] { run(); });
    if (!writer_.joinable()) here = std::exchange(queue_, {});
  }
  if (!here.empty()) return write(here);
  if (first) line_added_.notify_one();
}

Result<Unit> LogWriter::write_durably(LogKind kind, std::string_view line) {
  if (!root_)
    return Error(ErrorCode::not_found,
                 "No workspace is open, so nothing can be logged. Name one with --workspace.");
  return append(kind, std::string(line) + "\n", LogFolder::create_if_missing, true);
}

void LogWriter::flush() {
  std::unique_lock lock(mutex_);
  ++flush_waiter_count_;
  line_added_.notify_all();
  batch_written_.wait(lock, [&] { return queue_.empty() && !writing_; });
  --flush_waiter_count_;
}

bool LogWriter::has_folder() const {
  struct stat st;
  return ::lstat((*root_ + "/.snapback/logs").c_str(), &st) == 0;
}

void LogWriter::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    line_added_.wait(lock, [&] { return ending_ || !queue_.empty(); });
    if (queue_.empty()) return;
    // New lines do not wake the thread during this wait; flush() and the destructor do.
    line_added_.wait_for(lock, gathering, [&] { return ending_ || flush_waiter_count_ > 0; });
    std::vector<Entry> batch = std::exchange(queue_, {});
    if (dropped_count_ > 0)
      batch.push_back({.kind = LogKind::calls,
                       .folder = LogFolder::only_if_exists,
                       .line = "{\"lost_lines\":" + std::to_string(std::exchange(dropped_count_, 0)) + "}"});
    writing_ = true;
    lock.unlock();
    write(batch);
    lock.lock();
    writing_ = false;
    batch_written_.notify_all();
  }
}

void LogWriter::write(const std::vector<Entry>& batch) {
  for (std::size_t kind = 0; kind < log_kind_count; ++kind) {
    std::string lines;
    LogFolder folder = LogFolder::only_if_exists;
    const bool has_folder_now = has_folder();
    for (const Entry& each : batch) {
      if (each.had_folder && !has_folder_now) continue;
      if (static_cast<std::size_t>(each.kind) != kind) continue;
      lines.append(each.line).append("\n");
      if (each.folder == LogFolder::create_if_missing) folder = LogFolder::create_if_missing;
    }
    if (lines.empty()) continue;
    // Errors are ignored, because an unwritable log must not stop the server.
    Result<Unit> appended = append(static_cast<LogKind>(kind), lines, folder, false);
    static_cast<void>(appended);
  }
}

Result<Unit> LogWriter::append(LogKind kind, std::string_view lines, LogFolder folder, bool durable) {
  struct stat st;
  const bool is_there = ::lstat((*root_ + "/.snapback").c_str(), &st) == 0;
  if (!is_there && folder == LogFolder::only_if_exists) return Unit{};
  std::string made = TRY(make_state_folder(*root_, "logs"));
  const std::string path = file_path(made, kind, 0);
  while (!lines.empty()) {
    const std::string_view part = lines.substr(0, whole_lines(lines, limits_.file_bytes_max));
    lines.remove_prefix(part.size());
    Fd fd = TRY(open_locked(path));
    if (::fstat(fd.get(), &st) != 0) return log_error(path);
    const bool is_full =
        st.st_size > 0 && st.st_size + static_cast<std::int64_t>(part.size()) > limits_.file_bytes_max;
    if (is_full) {
      rotate(made, kind);
      fd = TRY(open_locked(path));
    }
    if (!append_lines(fd.get(), part)) return log_error(path);
    if (!durable) continue;
    TRY(sync_file(fd.get()));
  }
  return Unit{};
}

// Rotates the files of a kind of log. The caller holds its lock.
void LogWriter::rotate(const std::string& folder, LogKind kind) const {
  for (int age = limits_.rotated_files_max; age > 0; --age)
    ::rename(file_path(folder, kind, age - 1).c_str(), file_path(folder, kind, age).c_str());
  remove_oldest(folder);
}

// Deletes the oldest rotated files, also those that an earlier version or larger limits left behind.
void LogWriter::remove_oldest(const std::string& folder) const {
  constexpr int ages_max = 9;  // The most rotated files per kind in any version.
  struct Old {
    std::string path;
    std::int64_t bytes = 0;
  };
  // The rotated files in the order of deletion: the oldest first, and among these audit lines last.
  std::vector<Old> old;
  std::int64_t bytes = 0;
  for (int age = ages_max; age > 0; --age) {
    for (const LogKind kind :
         {LogKind::calls, LogKind::errors, LogKind::work, LogKind::security, LogKind::audit}) {
      const std::string path = file_path(folder, kind, age);
      struct stat st;
      if (::lstat(path.c_str(), &st) != 0) continue;
      bytes += st.st_size;
      old.push_back({.path = path, .bytes = st.st_size});
    }
  }
  const std::int64_t bytes_max =
      limits_.file_bytes_max * static_cast<std::int64_t>(log_kind_count) * limits_.rotated_files_max;
  for (const Old& each : old) {
    if (bytes <= bytes_max) return;
    if (::unlink(each.path.c_str()) == 0) bytes -= each.bytes;
  }
}

}  // namespace snapgen::core
