#include "tools/engine/operations/history/recorder.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "runtime/base/fd.h"
#include "tools/engine/base/thread.h"
#include "tools/engine/git/repository/watch_position.h"
#include "tools/engine/operations/history/take_moment.h"
#include "tools/engine/store/caches/file_record.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::core {
namespace {

constexpr std::int64_t ms = 1'000'000;
// The first moment is taken so long after the first call, whose caller can use the processors until then.
constexpr std::int64_t begin_after_ns = 300 * ms;
constexpr std::int64_t quiet_ns = 700 * ms;          // Without changes of other processes.
constexpr std::int64_t own_quiet_ns = 100 * ms;      // Without changes of this process.
constexpr std::int64_t changing_ns_max = 5000 * ms;  // A moment is taken although changes go on.
constexpr std::int64_t own_changing_ns_max = 1000 * ms;
constexpr std::int64_t retry_ns = 10'000 * ms;  // After a failure; it doubles with each.
constexpr int failures_max = 9;
// Between two moments without a watch, which walk the tree.
constexpr std::int64_t unwatched_ns = 2000 * ms;
constexpr int watch_tries_max = 5;
constexpr std::int64_t part_of_time =
    20;  // Of the time, the recorder uses this part at most without a watch.
constexpr std::int64_t idle_ns = 60'000 * ms;  // The memory of the last state is released after so long.

// When changes were first and last seen, in nanoseconds; 0: none since the last moment.
struct Seen {
  std::int64_t first_ns = 0;
  std::int64_t last_ns = 0;

  void add(std::int64_t now) {
    if (first_ns == 0) first_ns = now;
    last_ns = now;
  }
  // When to take a moment.
  std::optional<std::int64_t> due_ns(std::int64_t quiet, std::int64_t changing_max) const {
    if (first_ns == 0) return std::nullopt;
    return std::min(last_ns + quiet, first_ns + changing_max);
  }
};

}  // namespace

class HistoryRecorder::Loop {
 public:
  Loop(Workspace& workspace, MomentTaker& taker, LogLine log_line, std::function<void()> on_moment)
      : workspace_(workspace),
        taker_(taker),
        log_line_(std::move(log_line)),
        on_moment_(std::move(on_moment)) {
    wake_ = Fd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!wake_) return;
    workspace.live_tree().set_history_listener([this] {
      note_watch();
      note_change(seen_);
    });
    workspace.own_writes().set_listener([this] { note_change(own_seen_); });
    thread_ = try_start_thread([this](const std::stop_token& stop) { run(stop); });
  }
  Loop(Loop&&) = delete;
  ~Loop() {
    workspace_.live_tree().set_history_listener({});
    workspace_.own_writes().set_listener({});
    if (!thread_.joinable()) return;
    thread_.request_stop();
    wake();
    thread_.join();
  }

  void note_call() {
    {
      const std::lock_guard lock(mutex_);
      if (!std::exchange(is_begun_, true)) {
        begin_ns_ = now_ns() + begin_after_ns;
      } else if (is_watched_ || !has_base_ || called_) {
        return;
      }
      called_ = true;
    }
    wake();
  }

 private:
  void wake() const {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t done = ::write(wake_.get(), &one, sizeof one);
  }

  // Only a watch notifies of changes, so no pause is needed any more.
  void note_watch() {
    const std::lock_guard lock(mutex_);
    is_watched_ = true;
    was_notified_ = true;
    watch_tries_ = 0;
    watch_at_ns_ = 0;
    if (std::exchange(unwatched_until_ns_, 0) != 0) wake();
  }

  void note_change(Seen& seen) {
    bool wakes = false;
    {
      const std::lock_guard lock(mutex_);
      // While changes go on, the thread sleeps until it may be quiet, and needs no further wake-up.
      wakes = seen.first_ns == 0;
      seen.add(now_ns());
    }
    if (wakes) wake();
  }

  // The time of the next moment and its cause; nullopt: wait for a change.
  struct Next {
    std::int64_t at_ns = 0;
    MomentCause cause = MomentCause::quiet;
  };
  std::optional<Next> next() {
    const std::lock_guard lock(mutex_);
    if (!is_begun_) return std::nullopt;
    const std::int64_t not_before_ns = std::max(retry_at_ns_, unwatched_until_ns_);
    if (!has_base_) return Next{.at_ns = std::max(begin_ns_, not_before_ns), .cause = MomentCause::begin};
    std::optional<Next> next;
    const auto add = [&](std::optional<std::int64_t> at_ns, MomentCause cause) {
      if (at_ns && (!next || *at_ns < next->at_ns)) next = Next{.at_ns = *at_ns, .cause = cause};
    };
    add(seen_.due_ns(quiet_ns, changing_ns_max), MomentCause::quiet);
    add(own_seen_.due_ns(own_quiet_ns, own_changing_ns_max), MomentCause::quiet);
    for (const std::int64_t at_ns : {watch_at_ns_, again_at_ns_})
      if (at_ns != 0) add(at_ns, MomentCause::quiet);
    if (is_requested_) add(0, MomentCause::request);
    if (called_ && !is_watched_) add(0, MomentCause::call);
    if (next) next->at_ns = std::max(next->at_ns, not_before_ns);
    return next;
  }

  void run(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      const std::optional<Next> next = this->next();
      const std::int64_t now = now_ns();
      if (next && next->at_ns <= now) {
        take(next->cause, stop);
      } else {
        // The wait is clamped, because the clock may be set meanwhile.
        const std::int64_t wait_ns = next ? std::min(next->at_ns - now, changing_ns_max) : idle_wait_ns();
        wait(wait_ns);
      }
    }
    bool has_changes = workspace_.live_tree().verified_ns().has_value();
    {
      const std::lock_guard lock(mutex_);
      has_changes = has_changes && has_base_ && (seen_.first_ns != 0 || own_seen_.first_ns != 0);
    }
    if (has_changes) static_cast<void>(taker_.take(MomentCause::end, MomentPace::normal, {}));
  }

  // Until the memory is released; -1: for ever.
  std::int64_t idle_wait_ns() const { return has_memory_ ? idle_ns : -1; }

  void wait(std::int64_t wait_ns) {
    // poll() ignores descriptors below 0.
    std::array<pollfd, 3> all{{{.fd = wake_.get(), .events = POLLIN, .revents = 0},
                               {.fd = log_changes_.get(), .events = POLLIN, .revents = 0},
                               {.fd = position_changes_.get(), .events = POLLIN, .revents = 0}}};
    const int timeout_ms = wait_ns < 0 ? -1 : static_cast<int>((wait_ns + ms - 1) / ms);
    const int ready = ::poll(all.data(), all.size(), timeout_ms);
    if (ready == 0 && wait_ns == idle_ns) {
      taker_.release_memory();
      has_memory_ = false;
    }
    for (const pollfd& each : all)
      if (each.revents != 0) discard_input(each.fd);
    if (all[1].revents != 0) find_events();
    if (all[2].revents != 0) {
      watch_git();  // There may be new folders of branches.
      note_change(seen_);
    }
  }

  // Requests a moment if a hook has appended events.
  void find_events() {
    const Result<Timeline> timeline = taker_.log().read();
    if (!timeline) return;
    const std::size_t count = timeline->events.size();
    const bool is_new = count > std::exchange(event_count_, count);
    const std::lock_guard lock(mutex_);
    if (!is_new) return;
    is_requested_ = true;
    is_begun_ = true;
  }

  // Watches what no watch of files notices: git moves HEAD, a branch or the index.
  void watch_git() {
    if (!workspace_.repository().is_git()) return;
    Result<Fd> watch = watch_position(workspace_.repository());
    if (watch) position_changes_ = *std::move(watch);
  }

  // Watches the log, to which hooks append events.
  void watch_log() {
    if (log_changes_) return;
    watch_git();
    if (Result<Fd> mark = taker_.log().mark_recorded()) mark_ = *std::move(mark);
    const Result<Timeline> timeline = taker_.log().read();
    if (timeline) event_count_ = timeline->events.size();
    Result<Fd> watch = taker_.log().watch();
    if (watch) log_changes_ = *std::move(watch);
  }

  // Writes a line to the log, once.
  void report(const std::string& line) {
    if (log_line_ && reported_.insert(line).second) log_line_(line);
  }

  void take(MomentCause cause, const std::stop_token& stop) {
    {
      const std::lock_guard lock(mutex_);
      seen_ = {};
      own_seen_ = {};
      called_ = false;
      is_requested_ = false;
      was_notified_ = false;
    }
    const std::int64_t began = now_ns();
    const MomentPace pace = cause == MomentCause::begin ? MomentPace::background : MomentPace::normal;
    const Result<TakenMoment> taken = taker_.take(cause, pace, stop);
    has_memory_ = true;
    if (taken) watch_log();
    if (taken && taken->is_new && on_moment_) on_moment_();
    if (!taken && taken.error().code != ErrorCode::cancelled)
      report("The history has a gap: " + taken.error().message);
    if (taken && !taken->copy_failure.empty())
      report("The copy of the history for snap recover has a gap: " + taken->copy_failure);
    const bool is_watched = workspace_.live_tree().verified_ns().has_value();
    const std::lock_guard lock(mutex_);
    if (!was_notified_) is_watched_ = is_watched;  // Otherwise the watch may have begun since.
    has_base_ = has_base_ || taken;
    again_at_ns_ = taken ? taken->again_ms * ms : 0;
    const std::int64_t ended = now_ns();
    failures_ = taken ? 0 : std::min(failures_ + 1, failures_max);
    retry_at_ns_ = taken ? 0 : ended + (retry_ns << (failures_ - 1));
    const std::int64_t pause_ns = std::max(unwatched_ns, (ended - began) * part_of_time);
    unwatched_until_ns_ = taken && !is_watched_ ? ended + pause_ns : 0;
    // Only queries begin a watch, and not at once if the last one was lost, so another moment is one.
    const bool wants_watch = taken && !is_watched_ && watch_tries_ < watch_tries_max;
    watch_at_ns_ = wants_watch ? ended + (pause_ns << watch_tries_++) : 0;
    if (!taken || !taken->unstable.empty()) seen_.add(ended);  // What was not recorded is tried again.
  }

  Workspace& workspace_;
  MomentTaker& taker_;
  LogLine log_line_;
  std::function<void()> on_moment_;
  Fd wake_;

  std::mutex mutex_;  // Guards the members below.
  Seen seen_;
  Seen own_seen_;
  bool is_begun_ = false;  // A call or an event was noted.
  bool has_base_ = false;  // A moment was taken.
  bool is_watched_ = false;
  bool was_notified_ = false;  // By the watch, since the last moment was begun.
  bool called_ = false;
  bool is_requested_ = false;
  std::int64_t begin_ns_ = 0;
  int watch_tries_ = 0;                  // Moments since the tree was last watched.
  std::int64_t watch_at_ns_ = 0;         // The time of the next try; 0: none.
  std::int64_t again_at_ns_ = 0;         // TakenMoment::again_ms; 0: none.
  std::int64_t retry_at_ns_ = 0;         // After a failure.
  std::int64_t unwatched_until_ns_ = 0;  // The end of the pause without a watch.

  // Used by thread_ only.
  Fd log_changes_;
  Fd position_changes_;
  Fd mark_;  // HistoryLog::mark_recorded().
  std::size_t event_count_ = 0;
  bool has_memory_ = false;
  int failures_ = 0;  // Since the last moment.
  std::set<std::string> reported_;
  std::jthread thread_;
};

HistoryRecorder::HistoryRecorder(Workspace& workspace, const HistoryOptions& options, LogLine log_line,
                                 std::function<void()> on_moment)
    : taker_(std::make_unique<MomentTaker>(workspace, options)),
      loop_(std::make_unique<Loop>(workspace, *taker_, std::move(log_line), std::move(on_moment))) {}

HistoryRecorder::~HistoryRecorder() = default;

void HistoryRecorder::note_call() { loop_->note_call(); }

MomentTaker& HistoryRecorder::taker() { return *taker_; }

}  // namespace snapgen::core
