#include "tools/engine/store/history/history_log.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <utility>

#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/json/reader.h"
#include "tools/engine/base/common_errors.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/files/file_stat.h"
#include "tools/engine/files/json_lines.h"

namespace snapgen::core {
namespace {

constexpr const char* log_name = "log";
constexpr const char* lock_name = "lock";
constexpr const char* turn_name = "turn";
constexpr const char* copy_name = "copy";
constexpr const char* recorder_name = "recorder";
constexpr const char* paused_name = "paused";
constexpr std::chrono::milliseconds no_wait{0};
constexpr std::size_t read_at_once = 1 << 20;
constexpr std::int64_t log_bytes_max = 4 * thinned_log_bytes;  // A larger log is not read.
// Longer lines are skipped: a moment has at most 256 changes in its line, whose paths have 4 KiB at most.
constexpr std::size_t line_bytes_max = 16 << 20;

Error unreadable_history_error(std::string cause) {
  return Error(ErrorCode::unavailable,
               "The history cannot be read or written. snap doctor checks the permissions of the store.", {},
               std::move(cause));
}

}  // namespace

std::uint64_t Timeline::last_number() const {
  const std::uint64_t in_base = bases.empty() ? 0 : bases.back()->number;
  return std::max(in_base, moments.empty() ? 0 : moments.back()->number);
}

std::shared_ptr<const Moment> Timeline::find(std::uint64_t number) const {
  const auto at =
      std::ranges::lower_bound(moments, number, {}, [](const auto& moment) { return moment->number; });
  return at != moments.end() && (*at)->first_number <= number ? *at : nullptr;
}

GitPosition Timeline::position_after(std::uint64_t number) const {
  GitPosition position;
  std::uint64_t found = 0;
  for (const auto& base : bases) {
    if (base->number > number || base->number < found) continue;
    position = base->position;
    found = base->number;
  }
  for (const auto& moment : moments)
    if (moment->number <= number && moment->number >= found) position = moment->position;
  return position;
}

std::int64_t Timeline::time_of(std::uint64_t number) const {
  std::int64_t at_ms = 0;
  for (const auto& base : bases)
    if (base->number == number) at_ms = base->at_ms;
  if (const std::shared_ptr<const Moment> moment = find(number)) at_ms = moment->at_ms;
  return at_ms;
}

std::string history_folder(const std::string& tree_folder) { return tree_folder + "/history"; }

Result<Unit> HistoryLog::prepare() const {
  TRY(make_folders(folder_));
  return check_plain_folder(folder_, "the folder history of the store");
}

Result<Fd> HistoryLog::lock(const char* name, const std::stop_token& stop, LockKind kind,
                            std::chrono::milliseconds wait_max) const {
  const std::string path = folder_ + "/" + name;
  Fd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!fd) return system_error(errno, "open", path);
  switch (lock_file(fd.get(), stop, kind, wait_max)) {
    case LockResult::acquired: return fd;
    case LockResult::cancelled: return cancelled_call_error();
    case LockResult::failed: return system_error(errno, "lock", path);
    case LockResult::busy: break;
  }
  return Error(ErrorCode::unavailable, "Another process uses the history; try again.");
}

Result<Fd> HistoryLog::wait_for_turn(const std::stop_token& stop, std::chrono::milliseconds wait_max) const {
  return lock(turn_name, stop, LockKind::exclusive, wait_max);
}

Result<Fd> HistoryLog::lock_copy() const { return lock(copy_name, {}, LockKind::exclusive, no_wait); }

Result<Fd> HistoryLog::mark_recorded() const { return lock(recorder_name, {}, LockKind::shared); }

bool HistoryLog::is_recorded() const {
  const Fd fd(::open((folder_ + "/" + recorder_name).c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC));
  return fd && lock_file(fd.get(), {}, LockKind::exclusive, no_wait) == LockResult::busy;
}

void HistoryLog::add_line(std::string_view line) {
  if (!json::valid_utf8(line)) return;
  if (line.starts_with("{\"moment\"")) {
    std::optional<Moment> moment = parse_moment(line);
    if (moment && moment->first_number > timeline_.last_number())
      timeline_.moments.push_back(std::make_shared<const Moment>(*std::move(moment)));
  } else if (line.starts_with("{\"event\"")) {
    std::optional<HostEvent> event = parse_event(line);
    if (!event) return;
    timeline_.events.push_back(std::make_shared<const HostEvent>(*std::move(event)));
    timeline_.event_bytes += static_cast<std::int64_t>(line.size()) + 1;
  } else if (line.starts_with("{\"base\"")) {
    std::optional<HistoryBase> base = parse_base(line);
    if (base && base->number >= timeline_.last_number())
      timeline_.bases.push_back(std::make_shared<const HistoryBase>(*std::move(base)));
  }
}

Result<Unit> HistoryLog::read_new_lines() {
  const std::string path = folder_ + "/" + log_name;
  const Fd fd(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!fd && errno == ENOENT) {
    timeline_ = {};
    inode_ = 0;
    read_bytes_ = 0;
    return Unit{};
  }
  struct stat st;
  if (!fd || ::fstat(fd.get(), &st) != 0) return unreadable_history_error(path);
  if (!S_ISREG(st.st_mode)) return unreadable_history_error(path + " is not a file");
  if (st.st_size > log_bytes_max)
    return Error(ErrorCode::unavailable, "The history's log has more than " +
                                             size_text(static_cast<std::uint64_t>(log_bytes_max)) +
                                             ", which no server writes. Delete " + path + ".");
  if (st.st_ino != inode_ || st.st_size < read_bytes_) {
    timeline_ = {};
    inode_ = st.st_ino;
    read_bytes_ = 0;
  }
  std::string piece;        // The beginning of a line.
  bool is_skipped = false;  // The beginning of the line was too long, and the rest is skipped.
  for (std::int64_t at = read_bytes_; at < st.st_size;) {
    const auto count = static_cast<std::size_t>(std::min<std::int64_t>(st.st_size - at, read_at_once));
    const std::size_t before = piece.size();
    piece.resize(before + count);
    Result<Unit> read = read_at(fd.get(), piece.data() + before, count, static_cast<std::uint64_t>(at));
    if (!read) return unreadable_history_error(read.error().message);
    at += static_cast<std::int64_t>(count);
    std::string_view rest = piece;
    for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
      if (!std::exchange(is_skipped, false)) add_line(rest.substr(0, end));
      rest.remove_prefix(end + 1);
    }
    if (rest.size() > line_bytes_max) {
      is_skipped = true;
      rest = {};
    }
    if (!is_skipped) read_bytes_ = at - static_cast<std::int64_t>(rest.size());
    piece.erase(0, piece.size() - rest.size());
  }
  return Unit{};
}

Result<Timeline> HistoryLog::read() {
  const std::lock_guard guard(mutex_);
  TRY(read_new_lines());
  timeline_.inode = inode_;
  timeline_.end = read_bytes_;
  return timeline_;
}

Result<Unit> HistoryLog::append(const std::vector<std::string>& lines) const {
  if (lines.empty()) return Unit{};
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  const Fd held = TRY(lock(lock_name, {}));
  const std::string path = folder_ + "/" + log_name;
  const Fd fd(::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!fd || !append_lines(fd.get(), text)) return system_error(errno, "write", path);
  return Unit{};
}

Result<Unit> HistoryLog::append(const HostEvent& event) const {
  if (bytes() > 2 * thinned_log_bytes) return Unit{};
  return append(std::vector{encoded_event(within_limits(event))});
}

Result<Unit> HistoryLog::replace(std::string_view text, const Timeline& replaced) {
  const std::lock_guard guard(mutex_);
  const Fd held = TRY(lock(lock_name, {}));
  const std::string path = folder_ + "/" + log_name;
  std::string appended;
  {
    const Fd fd(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat st;
    if (!fd || ::fstat(fd.get(), &st) != 0) return system_error(errno, "read", path);
    if (st.st_ino == replaced.inode && st.st_size > replaced.end) {
      appended.resize(static_cast<std::size_t>(st.st_size - replaced.end));
      TRY(read_at(fd.get(), appended.data(), appended.size(), static_cast<std::uint64_t>(replaced.end)));
    }
  }
  return replace_file(folder_, log_name, std::string(text) + appended, Durability::machine_crash);
}

Result<Unit> HistoryLog::pause() const {
  TRY(prepare());
  return make_file_if_missing(folder_, paused_name, "");
}

Result<Unit> HistoryLog::resume() const {
  const std::string path = folder_ + "/" + paused_name;
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return system_error(errno, "remove", path);
  return Unit{};
}

std::optional<std::int64_t> HistoryLog::paused_since_ms() const {
  struct stat st;
  if (::lstat((folder_ + "/" + paused_name).c_str(), &st) != 0) return std::nullopt;
  return file_stat(st).mtime_ns / 1'000'000;
}

Result<Fd> HistoryLog::watch() const {
  Fd fd(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  constexpr std::uint32_t changes = IN_MODIFY | IN_MOVED_TO | IN_ONLYDIR;
  if (!fd || ::inotify_add_watch(fd.get(), folder_.c_str(), changes) < 0)
    return system_error(errno, "watch", folder_);
  return fd;
}

std::int64_t HistoryLog::bytes() const {
  struct stat st;
  return ::stat((folder_ + "/" + log_name).c_str(), &st) == 0 ? st.st_size : 0;
}

void HistoryLog::release_memory() {
  const std::lock_guard guard(mutex_);
  timeline_ = {};
  inode_ = 0;
  read_bytes_ = 0;
}

}  // namespace snapgen::core
