#pragma once
// HistoryLog: the file `log` in `trees/<x>/history` of the store, with one record in each line: a base, a
// moment or an event of a host. Several processes append to it. Only thin_history() replaces it.
//
// A line that a crash left incomplete is ignored, and so is one of an unknown kind. Four lock files are in
// the folder: `lock` is held while the log is written, `turn` while a process takes a moment or thins the
// log, `copy` while one updates the copy of the store, and `recorder` while a server records the history.
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/fd.h"
#include "runtime/base/result.h"
#include "tools/engine/files/file_lock.h"
#include "tools/engine/store/history/host_event.h"
#include "tools/engine/store/history/moment.h"

namespace snapgen::core {

// thin_history() removes the oldest moments if their lines take more.
inline constexpr std::int64_t thinned_log_bytes = 64 << 20;

// The records of a log. Shared, because it has thousands of moments and a new one adds to them.
struct Timeline {
  std::vector<std::shared_ptr<const HistoryBase>> bases;  // In file order.
  std::vector<std::shared_ptr<const Moment>> moments;     // By number.
  std::vector<std::shared_ptr<const HostEvent>> events;   // In file order.
  std::int64_t event_bytes = 0;                           // The size of their lines.

  // The log from which they were read: its inode, and the end of the last whole line.
  std::uint64_t inode = 0;
  std::int64_t end = 0;

  std::uint64_t last_number() const;
  // The moment with this number, or the one into which it was merged; null if there is none.
  std::shared_ptr<const Moment> find(std::uint64_t number) const;
  // The position of the repository after the moment `number`; empty if it is not recorded.
  GitPosition position_after(std::uint64_t number) const;
  // The time of the state after the moment `number`, in milliseconds since 1970; 0 if it is not recorded.
  std::int64_t time_of(std::uint64_t number) const;
};

// The folder of the history of a work tree. `tree_folder`: see WorkTrees.
std::string history_folder(const std::string& tree_folder);

// Thread-safe.
class HistoryLog {
 public:
  explicit HistoryLog(std::string folder) : folder_(std::move(folder)) {}

  const std::string& folder() const { return folder_; }

  // Makes the folder. Errors: unavailable.
  Result<Unit> prepare() const;

  // Waits for the turn to take moments, which lasts until the result is closed. Errors: unavailable;
  // cancelled.
  Result<Fd> wait_for_turn(const std::stop_token& stop,
                           std::chrono::milliseconds wait_max = std::chrono::minutes(1)) const;

  // Locks the copy of the store. Errors: unavailable (another process updates it).
  Result<Fd> lock_copy() const;

  // Marks the history as recorded by a server, until the result is closed. Errors: unavailable.
  Result<Fd> mark_recorded() const;
  // Whether a server records the history, which then takes a moment when an event is appended.
  bool is_recorded() const;

  // Returns all records; reads only those that were appended since the last call. Errors: unavailable.
  Result<Timeline> read();

  // Appends lines, each without its line break, as a whole or not at all. Errors: unavailable.
  Result<Unit> append(const std::vector<std::string>& lines) const;
  // Appends an event whose texts are within_limits(), unless the log is so large that nothing seems to thin
  // it: events must not make it unreadable. Errors: unavailable.
  Result<Unit> append(const HostEvent& event) const;

  // Replaces what read() returned as `replaced` by `text`, and retains what was appended since. The caller
  // has the turn. Errors: unavailable.
  Result<Unit> replace(std::string_view text, const Timeline& replaced);

  // Makes all processes pause or resume recording: they take no moments while the file `paused` is in the
  // folder. Errors: unavailable.
  Result<Unit> pause() const;
  Result<Unit> resume() const;
  // When the history was paused, in milliseconds since 1970; nullopt: it is not.
  std::optional<std::int64_t> paused_since_ms() const;
  // Returns a descriptor that becomes readable when the log is changed, until discard_input() is called.
  // Errors: unavailable (no watches are left; prepare() was not called).
  Result<Fd> watch() const;

  // The size of the log in bytes; 0 if there is none.
  std::int64_t bytes() const;

  void release_memory();

 private:
  Result<Fd> lock(const char* name, const std::stop_token& stop, LockKind kind = LockKind::exclusive,
                  std::chrono::milliseconds wait_max = std::chrono::minutes(1)) const;
  void add_line(std::string_view line);
  Result<Unit> read_new_lines();  // The caller holds mutex_.

  std::string folder_;
  std::mutex mutex_;
  Timeline timeline_;
  std::uint64_t inode_ = 0;
  std::int64_t read_bytes_ = 0;  // The end of the last whole line that was read.
};

}  // namespace snapgen::core
