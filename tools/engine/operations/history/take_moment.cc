#include "tools/engine/operations/history/take_moment.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <span>
#include <string_view>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tools/engine/base/common_errors.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/base/thread.h"
#include "tools/engine/files/path.h"
#include "tools/engine/operations/capture_files.h"
#include "tools/engine/store/history/recorded_position.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::core {
namespace {

constexpr std::size_t captured_together = 256;  // Files between two commits, which delay other writers.
constexpr std::size_t changes_in_line_max = 256;
constexpr std::size_t examined_ignored_max = 2000;
// The settings are in a folder that is ignored, with the server's own files.
constexpr std::string_view settings_path = ".snapback/config.json";
constexpr std::int64_t small_bytes = 1 << 20;  // The free space is not examined for less.
// A new base after so many moments, so that no state is computed from more.
constexpr std::uint64_t moments_for_base = 1000;
constexpr int tries_max = 3;
constexpr int background_nice = 10;
constexpr std::chrono::milliseconds end_wait_max{500};  // A host waits for the end of its server.
constexpr std::int64_t clock_tick_ns = 20'000'000;      // File times may be older than the clock by less.
constexpr std::int64_t busy_pause_ms = 600'000;  // A file that has not changed for so long is recorded.

// Lowers the priority of this thread for the processor and the disk.
void lower_priority() {
  constexpr int ioprio_who_process = 1;
  constexpr int ioprio_idle = 3 << 13;
  ::syscall(SYS_ioprio_set, ioprio_who_process, 0, ioprio_idle);
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::syscall(SYS_gettid)), background_nice);
}

HistoryFile left_out() { return HistoryFile{.blob = {}, .mode = 0}; }

std::size_t depth_of(std::string_view path) {
  return static_cast<std::size_t>(std::ranges::count(path, '/'));
}

// A file that may have changed.
struct Candidate {
  std::string path;
  FileStat stat;
  std::optional<HistoryFile> before;  // The recorded file.
  bool is_new = false;                // Its content is not recorded.
};

}  // namespace

// One attempt to take a moment.
class MomentTaker::Taking {
 public:
  Taking(MomentTaker& taker, MomentCause cause, MomentPace pace, const std::stop_token& stop)
      : taker_(taker),
        workspace_(taker.workspace_),
        state_(*taker.state_),
        records_busy_(cause == MomentCause::before || cause == MomentCause::after),
        pace_(pace),
        stop_(stop) {}

  // Compares, captures, and sets changes(). Errors: repo_changed (a collector removed contents).
  Result<Unit> run() {
    generation_ = workspace_.blobs().generation();
    at_ms_ = workspace_.now() / 1'000'000;
    compared_ns_ = now_ns();
    LiveFiles live = TRY(workspace_.files(stop_));
    if (live.files->size() > taker_.options_.files_max)
      return Error(ErrorCode::too_large,
                   "It records no workspace of more than " +
                       count_with_noun(static_cast<std::int64_t>(taker_.options_.files_max), "file") + ".");
    compare(live);
    add_ignored(*live.files);
    find_deleted();
    leave_out_what_does_not_fit();
    TRY(capture());
    add_own_writes();
    find_earlier_files();
    std::ranges::sort(changes_, {}, &MomentChange::path);
    return Unit{};
  }

  std::vector<MomentChange>& changes() { return changes_; }
  // The writes of this process that the changes do not have yet.
  std::vector<OwnWrite>& later_writes() { return later_writes_; }
  std::vector<std::string>& unstable() { return unstable_; }
  std::set<std::string, std::less<>>& ignored_paths() { return ignored_paths_; }
  std::int64_t at_ms() const { return at_ms_; }
  std::int64_t again_ms() const { return again_ms_; }
  std::int64_t compared_ns() const { return compared_ns_; }
  std::int64_t new_bytes() const { return new_bytes_; }
  std::uint64_t generation() const { return generation_; }

 private:
  // Finds the listed files whose content or mode may differ from the recorded ones.
  void compare(const LiveFiles& live) {
    const FileList& files = *live.files;
    std::shared_ptr<const ListingContents> contents;
    const FileRange all{.first = 0, .last = files.size()};
    if (live.moment) contents = workspace_.known_contents().contents_of(live.files, {&all, 1});
    auto recorded = state_.begin();
    for (std::size_t i = 0; i < files.size(); ++i) {
      const std::string_view path = files.path(i);
      for (; recorded != state_.end() && recorded->first < path; ++recorded) missing_.push_back(recorded);
      const bool is_recorded = recorded != state_.end() && recorded->first == path;
      const FileStat stat = files.stat(i);
      if (is_recorded && contents && contents->is_known(i) && recorded->second.mode == stat.mode &&
          recorded->second.blob == contents->blob(i)) {
        ++recorded;
        continue;
      }
      examine(std::string(path), stat, is_recorded ? std::optional(recorded->second) : std::nullopt);
      if (is_recorded) ++recorded;
    }
    for (; recorded != state_.end(); ++recorded) missing_.push_back(recorded);
  }

  void examine(std::string path, const FileStat& stat, std::optional<HistoryFile> before) {
    if (!before && (stat.ctime_ns < taker_.compared_ns_ - clock_tick_ns || was_ignored(path)))
      earlier_.insert(path);
    if (stat.size > taker_.options_.file_bytes_max && !S_ISLNK(stat.mode)) {
      add_change(std::move(path), before, left_out());
      return;
    }
    if (before && is_busy(path, stat, *before)) {
      add_change(std::move(path), before, left_out_for_changes(before));
      return;
    }
    if (before && before->is_left_out() && !before->changes_too_much() && is_unchanged_left_out(path, stat))
      return;
    const bool is_new = !before || before->is_left_out();
    bytes_ += is_new ? stat.size : 0;
    candidates_.push_back({.path = std::move(path), .stat = stat, .before = before, .is_new = is_new});
  }

  // Whether the file changes too much to be recorded now.
  bool is_busy(const std::string& path, const FileStat& stat, const HistoryFile& before) {
    if (records_busy_ || !taker_.busy_.is_busy(path, at_ms_, taker_.file_versions_bytes_max_)) return false;
    const std::int64_t quiet_at_ms = stat.ctime_ns / 1'000'000 + busy_pause_ms;
    if (quiet_at_ms <= at_ms_) return false;
    if (!before.is_left_out() && workspace_.stat_cache().find(path, stat) == before.blob) return false;
    again_ms_ = again_ms_ == 0 ? quiet_at_ms : std::min(again_ms_, quiet_at_ms);
    return true;
  }

  // Whether a file that was left out has not changed since. Otherwise the next moment might have space for
  // it, and store it in place of the history of other files.
  bool is_unchanged_left_out(const std::string& path, const FileStat& stat) const {
    const auto known = taker_.left_out_.find(path);
    return known != taker_.left_out_.end() ? known->second == stat
                                           : stat.ctime_ns < taker_.compared_ns_ - clock_tick_ns;
  }

  // Whether git ignored the path, or a folder above it, at the last comparison.
  bool was_ignored(std::string_view path) const {
    for (std::string_view above = path; !above.empty(); above = parent_path(above))
      if (taker_.ignored_paths_.contains(above)) return true;
    return false;
  }

  // Adds the ignored files to record: the settings, and the outermost ones in folders that git does not
  // ignore.
  void add_ignored(const FileList& files) {
    std::vector<std::string> candidates = {std::string(settings_path)};
    for (const SkippedPath& skipped : files.skipped())
      if (skipped.reason == SkipReason::ignored && !is_state_path(skipped.path)) {
        candidates.push_back(skipped.path);
        ignored_paths_.insert(skipped.path);
      }
    if (candidates.size() > examined_ignored_max) {
      std::ranges::stable_sort(candidates, {}, depth_of);
      candidates.resize(examined_ignored_max);
    }
    std::vector<Candidate> found;
    for (std::string& path : candidates) {
      const Result<FileStat> stat = workspace_.root().lstat(path);
      if (stat && (S_ISREG(stat->mode) || S_ISLNK(stat->mode)) &&
          stat->size <= taker_.options_.ignored_bytes_max)
        found.push_back({.path = std::move(path), .stat = *stat, .before = {}});
    }
    std::ranges::stable_sort(found, {}, [](const Candidate& file) { return depth_of(file.path); });
    if (found.size() > taker_.options_.ignored_files_max) found.resize(taker_.options_.ignored_files_max);
    for (Candidate& file : found) {
      const auto recorded = state_.find(file.path);
      const std::optional<HistoryFile> before =
          recorded != state_.end() ? std::optional(recorded->second) : std::nullopt;
      ignored_.insert(file.path);
      const std::optional<BlobId> known = workspace_.stat_cache().find(file.path, file.stat);
      if (before && known && before->blob == *known && before->mode == file.stat.mode) continue;
      examine(std::move(file.path), file.stat, before);
    }
  }

  // Records that files are no longer there. One that git ignores now, and that is not recorded any more,
  // still exists: it is left out.
  void find_deleted() {
    for (const auto& recorded : missing_) {
      const auto& [path, before] = *recorded;
      if (ignored_.contains(path)) continue;
      const Result<FileStat> stat = workspace_.root().lstat(path);
      const bool is_missing = !stat && stat.error().code == ErrorCode::not_found;
      const bool is_below_folders = !is_missing && is_in_folders(path);
      const bool exists = is_below_folders && stat && (S_ISREG(stat->mode) || S_ISLNK(stat->mode));
      if (is_below_folders && !stat) continue;
      if (exists && before.is_left_out()) continue;
      add_change(path, before, exists ? std::optional(left_out()) : std::nullopt);
    }
  }

  // Whether everything above the path is a folder, as far as it can be examined.
  bool is_in_folders(std::string_view path) const {
    for (std::string_view above = parent_path(path); !above.empty(); above = parent_path(above)) {
      const Result<FileStat> stat = workspace_.root().lstat(above);
      if (stat && !S_ISDIR(stat->mode)) return false;
    }
    return true;
  }

  void add_change(std::string path, std::optional<HistoryFile> before, std::optional<HistoryFile> after) {
    if (before == after) return;
    changes_.push_back({.path = std::move(path), .before = before, .after = after});
  }

  // Leaves out the largest new files until the others fit into the limit and into a part of the free space.
  void leave_out_what_does_not_fit() {
    if (bytes_ < small_bytes) return;
    const std::int64_t bytes_max = taker_.bytes_max_beside(0);
    if (bytes_ <= bytes_max) return;
    // The files that are recorded already are first, and of the others the smallest.
    std::ranges::stable_sort(candidates_, {},
                             [](const Candidate& each) { return std::pair(each.is_new, each.stat.size); });
    while (bytes_ > bytes_max && candidates_.back().is_new) {
      Candidate& largest = candidates_.back();
      bytes_ -= largest.stat.size;
      taker_.left_out_.insert_or_assign(largest.path, largest.stat);
      add_change(std::move(largest.path), largest.before, left_out());
      candidates_.pop_back();
    }
    std::ranges::sort(candidates_, {}, &Candidate::path);
  }

  // Captures the candidates, some at a time, so that no commit takes long.
  Result<Unit> capture() {
    std::vector<FileRecord> remembered;
    for (std::size_t first = 0; first < candidates_.size(); first += captured_together) {
      if (stop_.stop_requested()) return cancelled_call_error();
      const std::size_t last = std::min(first + captured_together, candidates_.size());
      std::vector<CaptureTarget> part;
      for (std::size_t i = first; i < last; ++i)
        part.push_back({.path = candidates_[i].path, .listed_stat = {}, .is_optional = true});
      CapturedFiles captured = captured_at_pace(part);
      if (captured.failure) return std::move(captured.failure->second);
      for (std::size_t i = 0; i < captured.records.size(); ++i) {
        FileRecord& record = captured.records[i];
        add_captured(part[i].path, record, candidates_[first + i].before);
        if (record.blob) remembered.push_back(std::move(record));
      }
      TRY(workspace_.blobs().commit());
    }
    workspace_.stat_cache().remember(remembered);
    return Unit{};
  }

  CapturedFiles captured_at_pace(const std::vector<CaptureTarget>& targets) {
    if (pace_ == MomentPace::normal) return capture_files(workspace_, targets, stop_);
    // A thread cannot raise its priority again, so another one captures.
    CapturedFiles captured;
    std::jthread thread = try_start_thread([&] {
      lower_priority();
      captured = capture_files(workspace_, targets, stop_, CapturePace::frugal);
    });
    if (!thread.joinable()) return capture_files(workspace_, targets, stop_, CapturePace::frugal);
    thread.join();
    return captured;
  }

  void add_captured(const std::string& path, const FileRecord& record, std::optional<HistoryFile> before) {
    if (record.blob) {
      const HistoryFile after{.blob = *record.blob, .mode = record.stat.mode};
      if (before == after) return;
      if (!before || before->blob != after.blob) new_bytes_ += record.stat.size;
      add_change(path, before, after);
      return;
    }
    const Result<FileStat> stat = workspace_.root().lstat(path);
    if (stat && (S_ISREG(stat->mode) || S_ISLNK(stat->mode))) {
      const bool may_read =
          ::faccessat(workspace_.root().fd(), path.c_str(), R_OK, AT_EACCESS | AT_SYMLINK_NOFOLLOW) == 0;
      if (may_read) {
        unstable_.push_back(path);
      } else if (!before) {
        add_change(path, before, left_out());
      }
    } else if (before) {
      add_change(path, before, std::nullopt);
    }
  }

  // A new file that has not changed since the last moment existed then, and git ignored it. But a folder may
  // have been moved, which does not change the files in it: they are gone from their old paths.
  void find_earlier_files() {
    if (earlier_.empty()) return;
    std::set<BlobId> deleted;
    for (const MomentChange& change : changes_)
      if (change.before && !change.after) deleted.insert(change.before->blob);
    for (MomentChange& change : changes_)
      if (!change.before && change.after && earlier_.contains(change.path) &&
          !deleted.contains(change.after->blob))
        change.before = left_out();
  }

  // Marks the changes of this process, and finds its writes that the next moment will record.
  void add_own_writes() {
    const std::size_t known = taker_.own_writes_.size();
    taker_.collect_own_writes();
    const std::vector<OwnWrite>& writes = taker_.own_writes_;
    std::map<std::string_view, MomentChange*> changed;
    for (MomentChange& change : changes_) changed.emplace(change.path, &change);
    // Of the writes before the comparison, only the last of each file was there.
    std::map<std::string_view, std::size_t> recorded;  // How many writes the moment has, by path.
    std::set<std::string_view> seen;
    for (std::size_t i = known; i-- > 0;)
      if (seen.insert(writes[i].path).second && mark_change(writes[i], changed))
        recorded[writes[i].path] = i + 1;
    for (std::size_t i = known; i < writes.size(); ++i)
      if (mark_change(writes[i], changed)) recorded[writes[i].path] = i + 1;
    for (std::size_t i = 0; i < writes.size(); ++i) {
      const OwnWrite& write = writes[i];
      const bool is_later = i >= known || std::ranges::find(unstable_, write.path) != unstable_.end();
      if (is_later && i >= recorded[write.path]) later_writes_.push_back(write);
    }
  }

  // Returns whether a change has what the write left.
  bool mark_change(const OwnWrite& write, const std::map<std::string_view, MomentChange*>& changed) const {
    const auto found = changed.find(write.path);
    if (found == changed.end()) return false;
    const std::optional<HistoryFile>& after = found->second->after;
    bool is_same = !after && !write.blob;
    if (after && write.blob && after->is_left_out()) {
      const Result<FileStat> stat = workspace_.root().lstat(write.path);
      is_same = stat && *stat == write.stat;
    } else if (after && write.blob) {
      is_same = after->blob == *write.blob && after->mode == write.stat.mode;
    }
    found->second->is_by_server = found->second->is_by_server || is_same;
    return is_same;
  }

  MomentTaker& taker_;
  Workspace& workspace_;
  const RecordedState& state_;
  bool records_busy_;
  MomentPace pace_;
  const std::stop_token& stop_;
  std::uint64_t generation_ = 0;  // The store's generation before any lookup in it.
  std::int64_t at_ms_ = 0;
  std::int64_t compared_ns_ = 0;
  std::int64_t again_ms_ = 0;
  std::vector<RecordedState::const_iterator> missing_;  // Recorded files that are not listed.
  std::set<std::string, std::less<>> ignored_paths_;    // Files and whole folders that git ignores.
  std::set<std::string, std::less<>> ignored_;          // Ignored files that are recorded.
  std::set<std::string, std::less<>> earlier_;  // New files that did not change since the last moment.
  std::vector<Candidate> candidates_;
  std::int64_t bytes_ = 0;  // The size of the candidates that are not recorded yet.
  std::int64_t new_bytes_ = 0;
  std::vector<MomentChange> changes_;
  std::vector<OwnWrite> later_writes_;
  std::vector<std::string> unstable_;
};

MomentTaker::MomentTaker(Workspace& workspace, HistoryOptions options)
    : workspace_(workspace),
      options_(std::move(options)),
      log_(history_folder(workspace.tree_folder())),
      copy_(options_.copies_folder, workspace, options_.limits.bytes_max) {}

MomentTaker::~MomentTaker() { static_cast<void>(copy_.update()); }

void MomentTaker::release_memory() {
  const std::lock_guard guard(mutex_);
  forget_state();
  log_.release_memory();
}

void MomentTaker::forget_state() {
  state_.reset();
  busy_.clear();
  read_ = {};
}

// Applies the changes of a moment to the state.
void MomentTaker::apply(const std::vector<MomentChange>& changes, std::int64_t at_ms) {
  apply_changes(changes, *state_);
  for (const MomentChange& change : changes) {
    if (!change.before || !change.has_new_content()) continue;
    const auto bytes = static_cast<std::int64_t>(workspace_.blobs().size_of(change.after->blob).value_or(0));
    busy_.add_version(change.path, bytes, at_ms, file_versions_bytes_max_);
  }
}

// Loads the recorded state, or updates it by the moments of other processes. If it cannot be read, or nothing
// is recorded yet, the next record is a base.
Result<Unit> MomentTaker::update_state() {
  const Timeline timeline = TRY(log_.read());
  file_versions_bytes_max_ = limits_for(timeline).file_versions_bytes_max();
  const auto prompt = std::ranges::find(timeline.events.rbegin(), timeline.events.rend(),
                                        HostEventKind::prompt, [](const auto& event) { return event->kind; });
  if (prompt != timeline.events.rend()) prompt_ms_ = (*prompt)->at_ms;
  if (state_ && (number_ > timeline.last_number() || timeline.bases.empty())) forget_state();
  if (!state_) load_base(timeline);
  for (const auto& moment : timeline.moments) {
    if (needs_base_ || moment->number <= number_) continue;
    const Result<std::vector<MomentChange>> changes = changes_of(workspace_.blobs(), *moment);
    needs_base_ = !changes;
    if (changes) apply(*changes, moment->at_ms);
    number_ = moment->number;
    last_ms_ = moment->at_ms;
  }
  if (compared_ns_ == 0) compared_ns_ = last_ms_ * 1'000'000;
  if (needs_base_) state_.emplace();
  number_ = timeline.last_number();
  position_ = timeline.position_after(number_);
  return Unit{};
}

// Sets the state to that of the last base that can be read.
void MomentTaker::load_base(const Timeline& timeline) {
  state_.emplace();
  number_ = 0;
  last_ms_ = 0;
  needs_base_ = true;
  for (auto base = timeline.bases.rbegin(); needs_base_ && base != timeline.bases.rend(); ++base) {
    Result<RecordedState> read = read_state(workspace_.blobs(), (*base)->state);
    if (!read) continue;
    state_ = *std::move(read);
    number_ = (*base)->number;
    last_ms_ = (*base)->at_ms;
    needs_base_ = false;
  }
}

Result<TakenMoment> MomentTaker::take(MomentCause cause, MomentPace pace, const std::stop_token& stop) {
  const std::lock_guard guard(mutex_);
  if (log_.paused_since_ms()) {
    const Timeline timeline = TRY(log_.read());
    return TakenMoment{.number = timeline.last_number(), .is_new = false, .unstable = {}};
  }
  // The store of a deleted workspace must not be made again.
  TRY(workspace_.root().check_not_moved());
  const std::string& common_dir = workspace_.repository().common_dir();
  if (!common_dir.empty() && ::access(common_dir.c_str(), F_OK) != 0)
    return Error(ErrorCode::unavailable, path_in_sentence(common_dir) + " was deleted.");
  TRY(workspace_.prepare_store());
  TRY(log_.prepare());
  Fd turn =
      TRY(cause == MomentCause::end ? log_.wait_for_turn(stop, end_wait_max) : log_.wait_for_turn(stop));
  TakenMoment taken = TRY(take_in_turn(cause, pace, stop));
  turn = {};
  if (const Result<Unit> copied = copy_.update_if_due(); !copied) taken.copy_failure = copied.error().message;
  return taken;
}

Result<TakenMoment> MomentTaker::take_in_turn(MomentCause cause, MomentPace pace,
                                              const std::stop_token& stop) {
  bool is_new = false;
  for (int tries = 1; tries <= tries_max; ++tries) {
    TRY(update_state());
    // The moment that the hook of a prompt requests comes later, and would find no changes.
    if (cause == MomentCause::call && prompt_ms_ > last_ms_) cause = MomentCause::request;
    const bool begins = needs_base_;
    if (begins) {
      workspace_.blobs().list_again();  // The store may have been deleted.
    } else {
      const std::uint64_t number = number_;
      const bool is_recorded = TRY(record_replaced_writes(cause));
      is_new = is_new || number_ != number;
      if (!is_recorded) continue;
    }
    const Result<GitPosition> earlier = present_position(stop);
    Taking taking(*this, cause, pace, stop);
    Result<Unit> taken = taking.run();
    Result<GitPosition> position = taken ? present_position(stop) : Result<GitPosition>(taken.error());
    // git moved meanwhile, so the files may be of either position.
    if (earlier && position && *earlier != *position && tries < tries_max) continue;
    if (!position) {
      workspace_.blobs().abandon_puts();
      return std::move(position).error();
    }
    TakenMoment result{.number = number_,
                       .is_new = is_new,
                       .unstable = std::move(taking.unstable()),
                       .again_ms = taking.again_ms()};
    compared_ns_ = taking.compared_ns();
    ignored_paths_ = std::move(taking.ignored_paths());
    if (taking.changes().empty() && *position == position_ && !needs_base_) {
      workspace_.blobs().abandon_puts();
      last_ms_ = taking.at_ms();
      own_writes_ = std::move(taking.later_writes());
      return result;
    }
    result.is_new = true;
    Moment moment{.number = number_ + 1,
                  .first_number = number_ + 1,
                  .began_ms = last_ms_ == 0 ? taking.at_ms() : std::min(last_ms_, taking.at_ms()),
                  .at_ms = taking.at_ms(),
                  .cause = cause,
                  .position = *std::move(position),
                  .new_bytes = taking.new_bytes(),
                  .changes = std::move(taking.changes()),
                  .change_blobs = {},
                  .change_count = 0};
    if (begins) take_back_own_writes(moment.changes);
    const bool is_recorded = TRY(record(std::move(moment), taking.generation()));
    if (!is_recorded) continue;
    is_new = true;
    if (begins && !own_writes_.empty() && tries-- > 0) continue;  // Those come after the first state.
    own_writes_ = std::move(taking.later_writes());
    result.number = number_;
    static_cast<void>(thin_if_due(stop));  // If it fails, the next moment tries again.
    return result;
  }
  return store_not_writable_error("collections removed new contents repeatedly");
}

// Stores the branches and the index, unless they are those that were last read. Returns the recorded position
// if the present one cannot be read.
Result<GitPosition> MomentTaker::present_position(const std::stop_token& stop) {
  if (!workspace_.repository().is_git()) return GitPosition();
  Result<RepositoryPosition> read = read_position(workspace_.repository(), stop);
  if (!read) return position_;
  if (read->branches != read_.branches)
    read_as_.branches = TRY(put_branches(workspace_.blobs(), *read->branches));
  if (read->index != read_.index) read_as_.index = TRY(put_index(workspace_.blobs(), *read->index));
  read_as_.head = read->head;
  read_as_.branch = read->branch;
  read_ = *std::move(read);
  return read_as_;
}

// Updates the state and appends the moment, or a base instead of a moment that creates every file. Returns
// false if a collector removed contents of it meanwhile.
Result<bool> MomentTaker::record(Moment moment, std::uint64_t generation) {
  Result<bool> recorded = try_to_record(std::move(moment), generation);
  if (!recorded || !*recorded) forget_state();  // It may have the changes of the moment.
  return recorded;
}

Result<bool> MomentTaker::try_to_record(Moment moment, std::uint64_t generation) {
  BlobStore& blobs = workspace_.blobs();
  const std::vector<MomentChange> changes = moment.changes;
  const GitPosition position = moment.position;
  moment.change_count = static_cast<std::int64_t>(changes.size());
  apply(changes, moment.at_ms);
  std::vector<std::string> lines;
  const std::uint64_t number = needs_base_ ? number_ : moment.number;
  if (!needs_base_) {
    if (changes.size() > changes_in_line_max) {
      moment.change_blobs = TRY(put_changes(blobs, changes));
      moment.changes.clear();
    }
    lines.push_back(encoded_moment(moment));
  }
  if (needs_base_ || number % moments_for_base == 0) {
    const BlobId id = TRY(put_state(blobs, *state_));
    lines.push_back(
        encoded_base({.number = number, .at_ms = moment.at_ms, .state = id, .position = position}));
  }
  TRY(blobs.commit());
  const GenerationLock hold = TRY(blobs.lock_generation());
  if (hold.generation() != generation) {
    static_cast<void>(blobs.generation());  // contains() then ignores what the collector removed.
    if (position != position_) return false;
    for (const MomentChange& change : changes)
      if (change.after && !change.after->is_left_out() && !blobs.contains(change.after->blob)) return false;
  }
  TRY(log_.append(lines));
  needs_base_ = false;
  number_ = number;
  position_ = position;
  last_ms_ = moment.at_ms;
  return true;
}

}  // namespace snapgen::core
