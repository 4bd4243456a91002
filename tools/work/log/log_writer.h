#pragma once
// LogWriter: the server's logs in `.snapback/logs/`, one JSON object per line:
//
//   mcp.jsonl        tool calls and their durations
//   errors.jsonl     failed calls, with causes that the client does not get
//   audit.jsonl      deletions and restores in the work tree, the store and browsers, and acknowledged risks
//   security.jsonl   rejected paths and tiers
//   work.jsonl       results of checks, and measured risk (history/work_note.h)
//
// A background thread writes, so add() does not wait. A full file is rotated to x.1.jsonl, that one to
// x.2.jsonl, and so on, so that all files together remain below a limit. Several servers may write the same
// files.
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "runtime/base/result.h"

namespace snapgen::core {

enum class LogKind : std::uint8_t { calls, errors, audit, security, work };
inline constexpr std::size_t log_kind_count = 5;
std::string_view file_name(LogKind kind);
// Returns the path of a log's file in the workspace `root`. `age` is the number of rotations since it was
// written.
std::string log_path(const std::string& root, LogKind kind, int age);

// Whether a line is worth creating the `.snapback` folder, or is only written if that folder exists.
enum class LogFolder : bool { only_if_exists, create_if_missing };

struct LogLimits {
  // Returns limits that keep all files together below `bytes`; each kind of log has an equal share.
  static LogLimits of(std::int64_t bytes);

  std::int64_t file_bytes_max = 2 << 20;
  int rotated_files_max = 2;              // Number of rotated files per kind of log.
  std::size_t queued_lines_max = 10'000;  // Lines in the queue; further ones are dropped and counted.
};

// Thread-safe.
class LogWriter {
 public:
  // `root` is the folder of the workspace. With nullopt, nothing is ever written.
  explicit LogWriter(std::optional<std::string> root, LogLimits limits = {})
      : root_(std::move(root)), limits_(limits) {}
  LogWriter(LogWriter&&) = delete;
  // Writes the lines that are still in the queue.
  ~LogWriter();

  // Queues a line, which is one JSON object without line breaks. It is dropped if the folder of the logs is
  // deleted before it is written, as by `git clean`, which would fail if the folder were made again.
  void add(LogKind kind, std::string line, LogFolder folder = LogFolder::create_if_missing);
  // Writes the line to disk before it returns. Errors: permission_denied, unavailable; not_found (there is no
  // workspace).
  Result<Unit> write_durably(LogKind kind, std::string_view line);
  // Waits until all lines that were added before this call are written or have failed.
  void flush();

 private:
  struct Entry {
    LogKind kind;
    LogFolder folder;
    std::string line;
    bool had_folder = false;  // The folder of the logs existed when the line was queued.
  };

  bool has_folder() const;
  void run();
  void write(const std::vector<Entry>& batch);
  Result<Unit> append(LogKind kind, std::string_view lines, LogFolder folder, bool durable);
  void rotate(const std::string& folder, LogKind kind) const;
  void remove_oldest(const std::string& folder) const;

  const std::optional<std::string> root_;
  const LogLimits limits_;
  std::mutex mutex_;
  std::condition_variable line_added_, batch_written_;
  std::vector<Entry> queue_;
  std::int64_t dropped_count_ = 0;
  bool writing_ = false;
  bool ending_ = false;
  int flush_waiter_count_ = 0;  // Number of callers that wait in flush().
  std::jthread writer_;         // The thread that writes. It starts with the first line that can be written.
};

}  // namespace snapgen::core
