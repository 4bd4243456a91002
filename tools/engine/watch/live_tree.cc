#include "tools/engine/watch/live_tree.h"

#include <algorithm>

#include <malloc.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "tools/engine/base/thread.h"
#include "tools/engine/store/caches/file_record.h"
#include "tools/engine/watch/late_close.h"
#include "tools/engine/watch/own_watch.h"
#include "tools/engine/watch/watch_client.h"
#include "tools/engine/watch/watched_tree.h"

namespace snapgen::core {
namespace {

constexpr int rest_ms = 100;     // Between two reads of the queue, so that a busy tree costs little.
constexpr int failures_max = 8;  // After so many failures, the pause does not double further.
// A watch begins this long after the first query. Its caller usually makes more queries, and can use the
// processors until then.
constexpr std::int64_t begin_after_ns = 300'000'000;

void wake_up(const Fd& wake) {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t done = ::write(wake.get(), &one, sizeof one);
}

// Waits until one of the descriptors is readable or the timeout expires.
void wait(int wake, int queue, int timeout_ms) {
  pollfd both[2] = {{.fd = wake, .events = POLLIN, .revents = 0},
                    {.fd = queue, .events = POLLIN, .revents = 0}};
  ::poll(both, queue >= 0 ? 2 : 1, timeout_ms);
  std::uint64_t count = 0;
  if (both[0].revents != 0) [[maybe_unused]]
    const ssize_t got = ::read(wake, &count, sizeof count);
}

}  // namespace

LiveTree::LiveTree(const Repository& repository, ListScope scope)
    : repository_(repository), scope_(std::move(scope)) {}

LiveTree::~LiveTree() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  wake_up(wake_);
  thread_.join();
}

void LiveTree::allow_watching(WatchOptions options) { options_ = std::move(options); }

void LiveTree::offer_watch() {
  const std::lock_guard lock(mutex_);
  if (is_offer_due_) wake_up(wake_);
}

// Call it under mutex_.
void LiveTree::try_to_offer() {
  if (!watched_tree_ || is_watch_lost_ || !is_offer_due_) return;
  is_offer_due_ = !watched_tree_->source().offer(options_->offers_folder, repository_.root());
}

void LiveTree::set_process_continues() {
  const std::lock_guard lock(mutex_);
  if (options_) options_->ends_with_process = false;
}

Result<std::shared_ptr<const GitStatus>> LiveTree::status(std::stop_token stop) {
  if (!options_) {
    GitStatus status = TRY(read_status(repository_, stop));
    return std::make_shared<const GitStatus>(std::move(status));
  }
  {
    const std::lock_guard lock(mutex_);
    if (watched_tree_ && !is_watch_lost_) {
      const std::int64_t now = now_ns();
      const std::shared_ptr<const GitStatus> before = known_status_;
      Result<std::shared_ptr<const GitStatus>> status = watched_tree_->status(git::ThreadCount::two, stop);
      notify_listener();
      if (!status) return status;
      if (*status) {
        if (*status != before) known_since_ns_ = now;
        known_status_ = *status;
        return status;
      }
      mark_lost();
    }
  }
  GitStatus status = TRY(read_status(repository_, stop));
  request_watch();
  return std::make_shared<const GitStatus>(std::move(status));
}

Result<std::shared_ptr<const FileList>> LiveTree::watched_files(std::stop_token stop,
                                                                std::optional<std::uint64_t>& moment) {
  const std::lock_guard lock(mutex_);
  has_files_query_ = true;
  if (!watched_tree_ || is_watch_lost_) return std::shared_ptr<const FileList>();
  Result<std::shared_ptr<const FileList>> files = watched_tree_->files(git::ThreadCount::two, stop);
  notify_listener();
  if (!files) return files;
  if (*files == nullptr && !watched_tree_->refusal().empty()) mark_lost();
  if (*files) moment = watches_begun_ + watched_tree_->change_count();
  return files;
}

Result<LiveFiles> LiveTree::files(std::stop_token stop) {
  LiveFiles out;
  if (options_) {
    out.files = TRY(watched_files(stop, out.moment));
    if (out.files) return out;
  }
  FileListing listing = TRY(list_files(repository_, stop));
  out.files = std::make_shared<const FileList>(file_list_of(std::move(listing), scope_));
  if (options_) request_watch();
  return out;
}

bool LiveTree::is_watched() const {
  const std::lock_guard lock(mutex_);
  return watched_tree_ && !is_watch_lost_;
}

Result<StatusAndLiveFiles> LiveTree::status_and_files(std::stop_token stop) {
  StatusAndLiveFiles out;
  if (is_watched()) {
    out.status = TRY(this->status(stop));
    out.files = TRY(this->files(stop));
    return out;
  }
  {
    const std::lock_guard lock(mutex_);
    has_files_query_ = true;
  }
  StatusAndFiles found = TRY(read_status_and_files(repository_, stop));
  out.status = std::make_shared<const GitStatus>(std::move(found.status));
  out.files.files = std::make_shared<const FileList>(file_list_of(std::move(found.files), scope_));
  if (options_) request_watch();
  return out;
}

std::optional<LiveTree::QuietStatus> LiveTree::try_status() {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock || !watched_tree_ || is_watch_lost_) return std::nullopt;
  QuietStatus out{.status = watched_tree_->cached_status(),
                  .files = watched_tree_->cached_files(),
                  .moment = watches_begun_ + watched_tree_->change_count()};
  notify_listener();
  if (!out.status || out.status != known_status_) return std::nullopt;
  return out;
}

// Processes the kernel's queue. Returns false if the tree is not watched. Call it under mutex_.
bool LiveTree::read_all_events() {
  const bool is_read = watched_tree_ && !is_watch_lost_ && watched_tree_->read_events();
  notify_listener();
  return is_read;
}

bool LiveTree::is_quiet_since(std::uint64_t moment) {
  const std::lock_guard lock(mutex_);
  return read_all_events() && watches_begun_ + watched_tree_->change_count() == moment;
}

bool LiveTree::folders_are_quiet_since(std::uint64_t moment) {
  const std::lock_guard lock(mutex_);
  return read_all_events() && moment >= watches_begun_ &&
         watches_begun_ + watched_tree_->folder_changed_at() <= moment;
}

void LiveTree::set_listener(std::function<void()> changed) {
  const std::lock_guard lock(mutex_);
  listener_ = std::move(changed);
  reported_changes_ = watched_tree_ ? watched_tree_->change_count() : 0;
}

void LiveTree::set_history_listener(std::function<void()> changed) {
  const std::lock_guard lock(mutex_);
  history_listener_ = std::move(changed);
}

// Call notify_listener(), call_listeners() and mark_lost() under mutex_.
void LiveTree::notify_listener() {
  if (!watched_tree_ || watched_tree_->change_count() == reported_changes_) return;
  reported_changes_ = watched_tree_->change_count();
  call_listeners();
}

void LiveTree::call_listeners() const {
  if (listener_) listener_();
  if (history_listener_) history_listener_();
}

void LiveTree::mark_lost() {
  is_watch_lost_ = true;
  wake_up(wake_);
}

void LiveTree::suspect(const std::vector<std::string>& paths) {
  const std::lock_guard lock(mutex_);
  if (!watched_tree_ || is_watch_lost_) return;
  for (const std::string& path : paths) watched_tree_->suspect(path);
}

void LiveTree::suspect_all() {
  const std::lock_guard lock(mutex_);
  if (watched_tree_ && !is_watch_lost_) watched_tree_->suspect_all();
}

std::optional<std::int64_t> LiveTree::verified_ns() const {
  const std::lock_guard lock(mutex_);
  if (!watched_tree_ || is_watch_lost_) return std::nullopt;
  return known_since_ns_;
}

bool LiveTree::release_memory() {
  const std::lock_guard lock(mutex_);
  return watched_tree_ && !is_watch_lost_ && watched_tree_->release_memory();
}

LiveTree::WatchDelay::WatchDelay(LiveTree& tree) : tree_(tree) {
  const std::lock_guard lock(tree_.mutex_);
  ++tree_.delay_count_;
}

LiveTree::WatchDelay::~WatchDelay() {
  const std::lock_guard lock(tree_.mutex_);
  if (--tree_.delay_count_ == 0 && tree_.is_watch_requested_) wake_up(tree_.wake_);
}

bool LiveTree::wait_for_watch() {
  std::unique_lock lock(mutex_);
  attempt_ended_.wait(lock, [this] { return !is_watch_requested_; });
  return watched_tree_ != nullptr && !is_watch_lost_;
}

void LiveTree::request_watch() {
  const std::lock_guard lock(mutex_);
  if (is_watch_requested_ || (watched_tree_ && !is_watch_lost_) || now_ns() < not_before_ns_) return;
  if (!wake_) {
    wake_ = Fd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!wake_) return;
  }
  is_watch_requested_ = true;
  not_before_ns_ = now_ns() + std::min(begin_after_ns, options_->pause_ns);
  if (thread_.joinable()) {
    wake_up(wake_);
  } else {
    thread_ = try_start_thread([this](const std::stop_token& stop) { run(stop); });
    is_watch_requested_ = thread_.joinable();  // If no thread could start, a later query tries again.
  }
}

void LiveTree::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    bool begins = false;
    std::int64_t begins_in_ns = 0;
    int queue = -1;
    std::unique_ptr<WatchedTree> ended;  // Destroyed without the lock, because it takes the kernel long.
    {
      const std::lock_guard lock(mutex_);
      if (watched_tree_ && !is_watch_lost_ && !watched_tree_->read_events()) is_watch_lost_ = true;
      notify_listener();
      if (watched_tree_ && is_watch_lost_) {
        call_listeners();  // The changes are unknown.
        ended = std::move(watched_tree_);
        known_status_.reset();
        is_watch_lost_ = false;
      }
      begins = is_watch_requested_ && delay_count_ == 0;
      // The wait is clamped, because the clock may be set meanwhile.
      begins_in_ns = std::clamp<std::int64_t>(not_before_ns_ - now_ns(), 0, begin_after_ns);
      try_to_offer();
      if (watched_tree_) queue = watched_tree_->source().fd();
    }
    ended.reset();
    if (begins && begins_in_ns == 0) {
      begin(stop);
      continue;
    }
    wait(wake_.get(), queue, begins ? static_cast<int>(begins_in_ns / 1'000'000) + 1 : -1);
    if (queue >= 0 && !stop.stop_requested()) wait(wake_.get(), -1, rest_ms);
  }
  const std::lock_guard lock(mutex_);
  if (watched_tree_ && options_->ends_with_process)
    close_in_child_process(watched_tree_->source().release_fd());
  watched_tree_.reset();
}

LiveTree::Attempt LiveTree::try_watch(std::unique_ptr<WatchSource> source, bool lists,
                                      const std::stop_token& stop) const {
  auto tree = std::make_unique<WatchedTree>(repository_, scope_, std::move(source));
  Result<std::shared_ptr<const GitStatus>> status = tree->status(git::ThreadCount::one, stop);
  if (!status) return {.tree = {}, .status = {}, .reason = status.error().message};
  if (*status == nullptr)
    return {
        .tree = {}, .status = {}, .reason = tree->refusal(), .is_limit_reached = tree->is_limit_reached()};
  // A failure to list the files is ignored here: the next query of the files reports it.
  if (lists) (void)tree->files(git::ThreadCount::one, stop);
  const bool is_limit_reached = tree->is_limit_reached();
  return {.tree = std::move(tree),
          .status = *std::move(status),
          .reason = {},
          .is_limit_reached = is_limit_reached};
}

LiveTree::Attempt LiveTree::try_own_watch(bool lists, const std::stop_token& stop) const {
  Result<std::unique_ptr<OwnWatch>> watch = OwnWatch::open(repository_.root(), options_->folders_max);
  if (watch) return try_watch(*std::move(watch), lists, stop);
  return {.tree = {}, .status = {}, .reason = watch.error().message, .is_limit_reached = true};
}

// Uses the watch of another process if this one may not watch the tree itself.
LiveTree::Attempt LiveTree::try_shared_watch(bool lists, const std::stop_token& stop, Fd& turn) const {
  const std::int64_t began = now_ns();
  Attempt attempt;
  std::unique_ptr<WatchClient> watch = WatchClient::connect(options_->offers_folder, repository_.root());
  const bool is_needed = is_own_watch_refused_ || (watch && exceeds_limit(*watch));
  if (watch && is_needed) {
    turn.reset();  // It uses nothing of the limit, so others may begin.
    attempt = try_watch(std::move(watch), lists, stop);
    attempt.was_begun = true;
  }
  attempt.shared_ns = now_ns() - began;
  return attempt;
}

// Returns whether all processes that watch the tree, with this one, would watch more folders than one may.
bool LiveTree::exceeds_limit(const WatchClient& other) const {
  return (other.offer_count() + 1) * other.size() > options_->folders_max;
}

LiveTree::Attempt LiveTree::try_any_watch(bool lists, const std::stop_token& stop, Fd& turn) {
  Attempt shared;
  const bool may_share = !options_->offers_folder.empty();
  if (is_own_watch_refused_) {
    shared = try_shared_watch(lists, stop, turn);
    if (shared.was_begun || now_ns() < own_not_before_ns_) return shared;
  }
  if (may_share) {
    turn = wait_for_turn(options_->offers_folder, stop);
    shared = try_shared_watch(lists, stop, turn);
    if (shared.was_begun) {
      is_own_watch_refused_ = true;
      return shared;
    }
  }
  const std::int64_t began = now_ns();
  Attempt own = try_own_watch(lists, stop);
  const std::int64_t spent = now_ns() - began;
  failures_ = own.tree ? 0 : std::min(failures_ + 1, failures_max);
  own_not_before_ns_ = now_ns() + std::max(options_->pause_ns << failures_, rest_after(spent));
  is_own_watch_refused_ = own.is_limit_reached && may_share;
  own.shared_ns = shared.shared_ns;
  if (!is_own_watch_refused_) return own;
  shared = try_shared_watch(lists, stop, turn);
  if (shared.tree) return shared;
  own.shared_ns += shared.shared_ns;
  return own;
}

// Returns how long not to begin again after an attempt that took so long.
std::int64_t LiveTree::rest_after(std::int64_t spent_ns) const {
  return options_->pause_ns > 0 ? 20 * spent_ns : 0;
}

// Creates the watch on this thread alone; meanwhile queries walk the tree.
void LiveTree::begin(const std::stop_token& stop) {
  bool lists = false;
  {
    const std::lock_guard lock(mutex_);
    lists = has_files_query_;
  }
  const std::int64_t began = now_ns();
  Fd turn;  // Closed after the watch is offered, so that the next process finds it.
  Attempt attempt = try_any_watch(lists, stop, turn);
  std::string line;
  {
    const std::lock_guard lock(mutex_);
    // To search for the watch of another process costs little, so it may begin earlier.
    not_before_ns_ = is_own_watch_refused_
                         ? now_ns() + std::max(options_->pause_ns, rest_after(attempt.shared_ns))
                         : own_not_before_ns_;
    const bool is_own = attempt.tree && attempt.tree->source().is_own();
    if (attempt.tree) {
      line = "watching " + std::to_string(attempt.tree->source().size()) + " folders";
      if (!is_own) line += " through another process";
    } else if (!attempt.reason.empty()) {
      line = "the work tree is not watched: " + attempt.reason;
    }
    known_since_ns_ = began;
    known_status_ = std::move(attempt.status);
    watched_tree_ = std::move(attempt.tree);
    reported_changes_ = watched_tree_ ? watched_tree_->change_count() : 0;
    watches_begun_ += std::uint64_t{1} << 32;
    is_watch_lost_ = false;
    is_offer_due_ = is_own && !options_->offers_folder.empty();
    try_to_offer();
    if (line == last_report_line_) line.clear();
    if (!line.empty()) last_report_line_ = line;
    if (watched_tree_ && history_listener_) history_listener_();
  }
  if (!line.empty() && options_->log_line && !stop.stop_requested()) options_->log_line(line);
#if defined(__GLIBC__)
  ::malloc_trim(0);  // The first walk frees about as much memory as it leaves in use.
#endif
  const std::lock_guard lock(mutex_);
  is_watch_requested_ = false;
  attempt_ended_.notify_all();
}

}  // namespace snapgen::core
