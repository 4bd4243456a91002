#pragma once
// LogBook: what a server did, in `.snapback/logs/`, as JSON objects a line:
//
//   mcp.jsonl        calls of tools, and how long they took
//   errors.jsonl     why a call failed, with what its client was not told
//   audit.jsonl      what was destroyed or put back, in the work tree, the store and browsers, and risks that
//                    somebody acknowledged
//   security.jsonl   what was refused: paths, tiers
//   work.jsonl       what checks came to, and the risk as it was measured (history/work_note.h)
//
// A thread of its own writes: who adds a line does not wait. A file that grows too large becomes x.1.jsonl,
// that one x.2.jsonl, and so on. So all files together stay below a limit. Several servers may write the same
// files.
#include <array>
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

enum class LogPage : std::uint8_t { calls, errors, audit, security, work };
inline constexpr std::size_t log_pages = 5;
std::string_view file_name(LogPage page);
// The file of a page below the workspace `root`; `age`: how often it was put aside since.
std::string log_path(const std::string& root, LogPage page, int age);

// Whether a line is worth a new folder in the workspace.
enum class LogFolder : bool { if_there, made };

struct LogLimits {
  // All files together stay below `bytes`, by equal shares.
  static LogLimits of(std::int64_t bytes);

  std::int64_t file_bytes_max = 2 << 20;
  int old_files = 2;                 // Of each page.
  std::size_t waiting_max = 10'000;  // Lines; what comes then is counted, and lost.
};

// Thread-safe.
class LogBook {
 public:
  // `root`: the workspace; none: nothing is ever written.
  explicit LogBook(std::optional<std::string> root, LogLimits limits = {})
      : root_(std::move(root)), limits_(limits) {}
  LogBook(LogBook&&) = delete;
  // Writes what waits.
  ~LogBook();

  // `line`: one JSON object without line breaks.
  void add(LogPage page, std::string line, LogFolder folder = LogFolder::made);
  // Has it on disk when it returns. Errors: permission_denied, unavailable; not_found (there is no
  // workspace).
  Result<Unit> keep(LogPage page, std::string_view line);
  // Waits until all that was added before is written, or could not be.
  void flush();

 private:
  struct Entry {
    LogPage page;
    LogFolder folder;
    std::string line;
  };

  void run();
  void write(const std::vector<Entry>& batch);
  Result<Unit> append(LogPage page, std::string_view lines, LogFolder folder, bool durable);
  void put_aside(const std::string& folder, LogPage page) const;
  void remove_oldest(const std::string& folder) const;

  const std::optional<std::string> root_;
  const LogLimits limits_;
  std::mutex mutex_;
  std::condition_variable came_, done_;
  std::vector<Entry> waiting_;
  std::int64_t lost_ = 0;
  bool writing_ = false;
  bool ending_ = false;
  int hurried_ = 0;      // Who waits in flush().
  std::jthread writer_;  // Begun with the first line, or with the first for which there is one.
};

}  // namespace snapgen::core
