#include "tools/engine/operations/capture_attempt.h"

#include <algorithm>
#include <atomic>
#include <set>
#include <shared_mutex>
#include <span>
#include <thread>

#include <sys/stat.h>

#include "tools/engine/base/common_errors.h"
#include "tools/engine/base/parallel.h"
#include "tools/engine/base/thread.h"
#include "tools/engine/files/path.h"
#include "tools/engine/operations/capture_files.h"
#include "tools/engine/operations/diff/live_files.h"
#include "tools/engine/operations/undo.h"
#include "tools/engine/read/observe.h"
#include "tools/engine/store/snapshots/privacy.h"
#include "tools/engine/store/snapshots/snapshot_planner.h"
#include "tools/engine/workspace/absence.h"
#include "tools/engine/workspace/coherent.h"
#include "tools/engine/workspace/live_view.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::core {
namespace {

constexpr std::size_t looked_at_together = 256;
// If there are more files, the manifest is hashed while its rows are made.
constexpr std::size_t hashed_afterwards_max = 1024;
constexpr std::size_t rows_together = 512;  // Rows after which the thread that hashes is notified.
constexpr std::size_t unknown_max = 4096;   // Maximum number of unknown paths in a snapshot's note.

// Reduces `paths` to at most `count_max`: replaces the deepest by their parent folders, which cover them.
std::vector<std::string> coarser(std::vector<std::string> paths, std::size_t count_max) {
  paths = outermost_paths(std::move(paths));
  std::size_t depth = 0;  // Number of slashes.
  for (const std::string& path : paths)
    depth = std::max<std::size_t>(depth, std::count(path.begin(), path.end(), '/'));
  while (paths.size() > count_max) {
    for (std::string& path : paths)
      if (static_cast<std::size_t>(std::count(path.begin(), path.end(), '/')) == depth)
        path = std::string(parent_path(path));
    paths = outermost_paths(std::move(paths));
    if (depth > 0) --depth;
  }
  return paths;
}

class CaptureAttempt {
 public:
  CaptureAttempt(Workspace& workspace, const CreateSnapshotQuery& query, Lease* lease,
                 const std::stop_token& stop)
      : workspace_(workspace),
        query_(query),
        lease_(lease),
        stop_(stop),
        view_(std::in_place, workspace, true, stop) {}

  Result<CreatedSnapshot> run() {
    taken_ms_ = workspace_.now() / 1'000'000;
    generation_ = workspace_.blobs().generation();
    Result<Unit> done = query_.paths ? find_named() : find_touched();
    before_ = view_->fingerprint_before_listing();
    left_out_ = view_->skipped();
    listed_at_ = view_->moment();
    if (done) divide_listed();
    view_.reset();
    if (done) done = capture_all();
    TRY(workspace_.writer().recover(stop_));
    std::shared_lock gate(workspace_.gate_mutex());
    FinalState final_state = TRY(read_final_state_and_make_rows(static_cast<bool>(done)));
    const GitStatus* const status = &final_state.status;
    if (lease_ != nullptr) {
      TRY(check_lease(workspace_, *lease_, *status, stop_));
    }
    if (!done) return failed(std::move(done).error());
    const std::vector<std::uint32_t> unproven = unproven_files();
    const Error changed = work_tree_changed_error("captured");
    if (before_ && *before_ != status->fingerprint) return changed;
    find_unproven();
    std::optional<SnapshotPlan> plan = TRY(plan_if_unchanged(final_state, unproven));
    if (!plan) return changed;
    gate.unlock();
    return save(*plan);
  }

 private:
  Error failed(Error failure) {
    if (lease_ == nullptr) return failure;
    Result<Unit> stored = record_absence(workspace_, *lease_, missed_, stop_);
    return stored ? failure : std::move(stored).error();
  }

  Result<Unit> find_touched() {
    for (FileRecord& record : lease_->touched()) {
      if (!S_ISDIR(record.stat.mode) && !is_absence(record))
        add(CaptureTarget{.path = std::move(record.path), .listed_stat = {}, .is_named = true});
    }
    return Unit{};
  }

  Result<Unit> find_named() {
    for (const std::string& path : *query_.paths) {
      TRY(path.empty() ? add_listed("") : add_path(path));
    }
    std::vector<std::string> scopes = outermost_paths(folders_);
    for (const std::string& scope : scopes) {
      SkippedCounts skipped = TRY(view_->skipped_below(scope, true));
      core::add(skipped_, skipped);
    }
    // A path that the client named is captured even if git ignores it, so it does not count as omitted.
    std::set<std::string> named(query_.paths->begin(), query_.paths->end());
    for (const std::string& path : named) {
      bool counted = std::any_of(scopes.begin(), scopes.end(),
                                 [&](const auto& scope) { return is_at_or_below_folder(path, scope); });
      if (counted && view_->ignores(path)) --skipped_.ignored;
    }
    return Unit{};
  }

  Result<Unit> add_path(const std::string& path) {
    Result<FileStat> found = workspace_.root().lstat(path);
    if (!found && found.error().code == ErrorCode::not_found) missed_.push_back(path);
    if (!found) return std::move(found).error();
    FileKind kind = kind_of(*found);
    if (kind == FileKind::folder) return add_folder(path);
    if (kind == FileKind::other) {
      return Error(ErrorCode::invalid_argument,
                   path_in_sentence(path) +
                       " is a FIFO, socket or device, which cannot be captured. Leave it out of paths.");
    }
    if (kind == FileKind::symlink) {
      add(CaptureTarget{.path = path, .listed_stat = {}, .is_named = true});
      return Unit{};
    }
    // A path through symlinks names the file that they lead to. The symlinks are captured too.
    OpenedPath opened = TRY(workspace_.root().open_file(path));
    for (std::string& link : opened.followed_symlinks)
      add(CaptureTarget{.path = std::move(link), .listed_stat = {}, .is_named = true});
    add(CaptureTarget{.path = std::move(opened.path), .listed_stat = {}, .is_named = true});
    return Unit{};
  }

  Result<Unit> add_folder(const std::string& path) {
    bool ignored = TRY(workspace_.ignores(path, true));
    const Listing* listing = TRY(view_->listing());
    auto [first, last] = range_below(*listing, path);
    if (first == last && is_state_path(path))
      return Error(
          ErrorCode::invalid_argument,
          path_in_sentence(path) +
              " has files of snapgen itself, which a snapshot contains only if they are named one by "
              "one. Name the files, or leave it out of paths.");
    const auto is_nested = [&](const SkippedPath& one) {
      return one.reason == SkipReason::nested_repository &&
             (is_at_or_below_folder(path, one.path) || is_at_or_below_folder(one.path, path));
    };
    if (first == last && std::ranges::any_of(view_->skipped(), is_nested))
      return Error(ErrorCode::invalid_argument,
                   path_in_sentence(path) +
                       " has only files of a nested repository, which a snapshot contains only if they are "
                       "named one by one. Name the files, or create the snapshot with that repository as the "
                       "workspace.");
    if (first != last || !ignored) return add_listed(path);
    std::vector<std::string> files;
    TRY(add_files_below(workspace_.root(), path, stop_, files, skipped_));
    for (std::string& file : files) add(CaptureTarget{.path = std::move(file), .listed_stat = {}});
    return Unit{};
  }

  Result<Unit> add_listed(const std::string& path) {
    const Listing* listing = TRY(view_->listing());
    runs_.push_back(range_below(*listing, path));
    folders_.push_back(path);
    return Unit{};
  }

  // Separates the listed files whose content is known and stored from those that must be captured. Without a
  // watch the listing is then freed, because it takes more memory than it saves time.
  void divide_listed() {
    if (runs_.empty()) return;
    std::sort(runs_.begin(), runs_.end(),
              [](const FileRange& a, const FileRange& b) { return a.first < b.first; });
    const std::shared_ptr<const FileList>& files = view_->shared_listing();
    if (view_->moment()) {
      files_ = files;
      contents_ = workspace_.known_contents().contents_of(files_, runs_);
    }
    const auto is_stored = [&](std::size_t i) {
      return contents_->is_durable(i, generation_) ||
             (contents_->is_known(i) && workspace_.blobs().contains(contents_->blob(i)));
    };
    const std::vector<std::size_t> named = indexes_of_targets(*files);
    std::size_t next = 0;
    for (const FileRange& run : runs_) {
      for (std::size_t i = std::max(run.first, next); i < run.last; ++i) {
        if (std::ranges::binary_search(named, i)) continue;
        if (contents_ && is_stored(i)) {
          known_.push_back(static_cast<std::uint32_t>(i));
        } else {
          add(CaptureTarget{.path = std::string(files->path(i)),
                            .listed_stat = files->stat(i),
                            .listed_ns = view_->listed_ns()});
        }
      }
      next = std::max(next, run.last);
    }
  }

  // The indexes in `files` of the targets so far, sorted.
  std::vector<std::size_t> indexes_of_targets(const FileList& files) const {
    std::vector<std::size_t> indexes;
    for (const CaptureTarget& target : targets_) indexes.push_back(files.find(target.path));
    std::ranges::sort(indexes);
    return indexes;
  }

  void add(CaptureTarget target) { targets_.push_back(std::move(target)); }

  // Sorts by path and removes duplicates.
  void sort_targets() {
    const auto by_path = [](const CaptureTarget& a, const CaptureTarget& b) { return a.path < b.path; };
    if (!std::is_sorted(targets_.begin(), targets_.end(), by_path))  // The usual case.
      std::stable_sort(targets_.begin(), targets_.end(), by_path);
    auto last = targets_.begin();
    for (auto it = targets_.begin(); it != targets_.end(); ++it) {
      if (it == targets_.begin()) continue;
      if (it->path == last->path) {
        last->is_named = last->is_named || it->is_named;
      } else if (++last != it) {
        *last = std::move(*it);
      }
    }
    if (!targets_.empty()) targets_.erase(std::next(last), targets_.end());
  }

  Result<Unit> capture_all() {
    sort_targets();
    auto [records, failed] = capture_files(workspace_, targets_, stop_);
    records_ = std::move(records);
    if (stop_.stop_requested()) return cancelled_call_error();
    if (failed) return failure(targets_[failed->first], std::move(failed->second));
    for (std::size_t i = 0; i < records_.size(); ++i) {
      if (records_[i].blob) continue;
      ++skipped_.unreadable;
      unreadable_.push_back(std::move(targets_[i].path));
    }
    std::erase_if(records_, [](const FileRecord& record) { return !record.blob; });
    targets_ = {};
    return Unit{};
  }

  // The error for a target that could not be captured. If a file was just listed or touched and is now
  // missing, the tree has changed; if the client named the file, it does not exist.
  Error failure(const CaptureTarget& target, Error error) const {
    bool vanished = error.code == ErrorCode::not_found || error.code == ErrorCode::invalid_argument;
    if (vanished && (!target.is_named || !query_.paths)) return changed_while_read_error(target.path);
    return error;
  }

  // Finds the paths in `absent` that the captured folders do not prove missing, for example ignored ones.
  void find_unproven() {
    const SnapshotScope captured{.folders = outermost_paths(folders_)};
    for (const std::string& path : query_.absent_paths) {
      const Result<bool> ignored = workspace_.ignores(path, false);
      if (!ignored || *ignored || !captured.covers(path)) absent_.push_back(path);
    }
  }

  SnapshotScope scope() {
    SnapshotScope scope{.folders = outermost_paths(folders_),
                        .unknown_paths = unreadable_,
                        .absent_paths = absent_,
                        .taken_ms = taken_ms_};
    for (const SkippedPath& skipped : left_out_) {
      bool inside = std::any_of(scope.folders.begin(), scope.folders.end(), [&](const std::string& folder) {
        return is_at_or_below_folder(skipped.path, folder) || is_at_or_below_folder(folder, skipped.path);
      });
      if (inside && skipped.reason != SkipReason::not_a_file) scope.unknown_paths.push_back(skipped.path);
    }
    scope.unknown_paths = coarser(std::move(scope.unknown_paths), unknown_max);
    return scope;
  }

  // Files whose last change is so recent that the watch may not have reported it yet.
  std::vector<std::string> unreported() const {
    std::vector<std::string> paths;
    const std::int64_t until_ns = workspace_.events_complete_until_ns();
    for (const FileRecord& record : records_)
      if (record.stat.ctime_ns >= until_ns) paths.push_back(record.path);
    for (const std::uint32_t index : known_)
      if (files_->stat(index).ctime_ns >= until_ns) paths.emplace_back(files_->path(index));
    return paths;
  }

  // Makes the rows only if all files were captured. Both take long if there are many files.
  Result<FinalState> read_final_state_and_make_rows(bool is_captured) {
    std::optional<Result<FinalState>> final_state;
    if (is_captured) start_hashing();
    run_both([&] { final_state = read_final_state(workspace_, records_.size(), stop_); },
             [&] {
               if (is_captured) make_rows();
             });
    return *std::move(final_state);
  }

  // Starts to hash the manifest before the final state and all rows are known, because one thread must hash
  // all of it. If the final fingerprint is another one, the attempt fails in any case.
  void start_hashing() {
    const std::size_t rows = known_.size() + records_.size();
    rows_.reserve(rows);
    if (!before_ || query_.is_undo || !query_.absent_paths.empty() || rows <= hashed_afterwards_max) return;
    planner_.emplace(workspace_.blobs(), workspace_.snapshots().manifest_cache(), *before_,
                     std::span(rows_.data(), rows));
    hashing_ = try_start_thread([this] {
      planner_->hash_manifest([this](std::size_t count) {
        std::size_t made = rows_made_.load(std::memory_order_acquire);
        for (; made < count; made = rows_made_.load(std::memory_order_acquire)) rows_made_.wait(made);
      });
    });
    if (!hashing_.joinable()) planner_.reset();
  }

  void publish_rows() {
    rows_made_.store(rows_.size(), std::memory_order_release);
    rows_made_.notify_one();
  }

  // Merges known and captured files, sorted by path. No file is both.
  void make_rows() {
    auto record = records_.begin();
    auto add_row = [&](std::string_view path, const BlobId& blob, const FileStat& stat) {
      rows_.push_back({.path = path, .blob = blob, .mode = mode_of(stat)});
      bytes_ += stat.size;
      privacy_.add(path, stat.mode);
      if (rows_.size() % rows_together == 0) publish_rows();
    };
    for (const std::uint32_t index : known_) {
      const std::string_view path = files_->path(index);
      for (; record != records_.end() && record->path < path; ++record)
        add_row(record->path, *record->blob, record->stat);
      add_row(path, contents_->blob(index), files_->stat(index));
    }
    for (; record != records_.end(); ++record) add_row(record->path, *record->blob, record->stat);
    publish_rows();
    contents_.reset();
  }

  // The known files that must be examined again. The watch proves that the others are unchanged, except those
  // that another process may change through a hard link outside of the workspace.
  std::vector<std::uint32_t> unproven_files() {
    if (!listed_at_ || !workspace_.live_tree().is_quiet_since(*listed_at_)) return known_;
    std::vector<std::uint32_t> linked;
    std::ranges::set_intersection(known_, files_->hard_linked_indexes(), std::back_inserter(linked));
    return linked;
  }

  // Folders have no row, but a file may be private only because of its folder.
  void add_folders() {
    static const FolderModes none;
    const std::shared_ptr<const FolderModes> known =
        workspace_.folder_modes().current(workspace_.live_tree());
    FolderModes examined = add_parent_folders(workspace_.root().fd(), rows_, known ? *known : none, privacy_);
    // A folder without a listed file, for example an ignored one, is not watched.
    if (!listed_at_ || !files_) return;
    std::erase_if(examined, [&](const auto& folder) { return files_->below(folder.first).empty(); });
    if (examined.empty()) return;
    if (known) examined.insert(known->begin(), known->end());
    workspace_.folder_modes().store(*listed_at_, std::move(examined));
  }

  // Computes the snapshot's id, if that has not begun, while the files and the fingerprint are checked again,
  // because all of these are slow for many files. Returns nullopt if a file has changed.
  Result<std::optional<SnapshotPlan>> plan_if_unchanged(const FinalState& final_state,
                                                        std::span<const std::uint32_t> unproven) {
    if (!planner_)
      planner_.emplace(
          workspace_.blobs(), workspace_.snapshots().manifest_cache(),
          undo_fingerprint(query_.is_undo ? Fingerprint() : final_state.status.fingerprint, absent_), rows_);
    std::atomic<bool> unchanged = true;
    Result<bool> confirmed = true;
    const std::size_t blocks = (unproven.size() + looked_at_together - 1) / looked_at_together;
    const std::size_t parts = 4 + blocks;
    const bool few = known_.size() + records_.size() <= looked_at_together;
    in_parallel(parts, few ? parts : 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t part = begin; part < end; ++part) {
        if (part == 0) {
          if (!hashing_.joinable()) planner_->hash_manifest();
          continue;
        }
        if (part == 1) {
          if (!final_state.records_are_unchanged(workspace_.root(), records_)) unchanged = false;
          continue;
        }
        if (part == 2) {
          confirmed = workspace_.confirms_fingerprint(final_state.status.fingerprint, unreported(), stop_);
          continue;
        }
        if (part == 3) {
          add_folders();
          continue;
        }
        const std::size_t first = (part - 4) * looked_at_together;
        const std::size_t count = std::min(looked_at_together, unproven.size() - first);
        if (unchanged && !listed_files_are_unchanged(workspace_, *files_, unproven.subspan(first, count)))
          unchanged = false;
      }
    });
    if (!TRY(std::move(confirmed)) || !unchanged) return std::optional<SnapshotPlan>();
    if (hashing_.joinable()) hashing_.join();
    SnapshotPlan plan = TRY(planner_->finish());
    return std::optional(std::move(plan));
  }

  Result<CreatedSnapshot> save(const SnapshotPlan& plan) {
    Result<SavedSnapshot> saved(SavedSnapshot{});
    const auto save_it = [&] {
      saved = workspace_.snapshots().save(plan, rows_,
                                          {.message = query_.message,
                                           .prefers_earlier_message = query_.prefers_earlier_message,
                                           .is_undo = query_.is_undo,
                                           .now_ms = workspace_.now() / 1'000'000,
                                           .scope = scope(),
                                           .privacy = privacy_.finish(),
                                           .bytes = bytes_,
                                           .found_in_generation = generation_,
                                           .stop = stop_});
    };
    // The stat cache remembers the captured contents even if the snapshot cannot be saved.
    const auto remember = [&] { workspace_.stat_cache().remember(records_); };
    if (records_.size() > looked_at_together) {
      run_both(save_it, remember);
    } else {
      save_it();
      remember();
    }
    if (!saved) return std::move(saved).error();
    if (files_) workspace_.known_contents().mark_durable(files_, known_, generation_);
    return CreatedSnapshot{.hex = plan.hex,
                           .fingerprint = plan.fingerprint,
                           .stats = saved->stats,
                           .existed = saved->existed,
                           .skipped = skipped_,
                           .rows = std::move(rows_),
                           .files = std::move(files_),
                           .records = std::move(records_)};
  }

  Workspace& workspace_;
  const CreateSnapshotQuery& query_;
  Lease* lease_;
  std::stop_token stop_;
  std::optional<LiveView> view_;  // Reset when the files are selected.
  std::optional<Fingerprint> before_;
  std::vector<SkippedPath> left_out_;
  std::vector<std::string> missed_;  // Named paths that do not exist.
  std::vector<CaptureTarget> targets_;
  std::uint64_t generation_ = 0;            // The store's generation before any lookup in it.
  std::optional<std::uint64_t> listed_at_;  // The watch's moment of the listing; nullopt without a watch.
  std::shared_ptr<const FileList> files_;   // Set if the tree is watched.
  std::vector<std::string> folders_;
  std::vector<FileRange> runs_;       // The listed files in folders_.
  std::vector<std::uint32_t> known_;  // The files whose content is stored: their indexes, ascending.
  std::shared_ptr<const ListingContents> contents_;  // Has the contents of known_; null without a watch.
  std::vector<FileRecord> records_;                  // Sorted by path.
  // When the attempt began. It is before the listing, so that a file created later is never considered older.
  std::int64_t taken_ms_ = 0;
  std::vector<std::string> absent_;  // The missing files that find_unproven() finds.
  std::vector<std::string> unreadable_;
  std::vector<ManifestRow> rows_;
  std::int64_t bytes_ = 0;
  PrivacyCollector privacy_;  // Finds which files in rows_ are private.
  SkippedCounts skipped_;
  std::optional<SnapshotPlanner> planner_;
  std::atomic<std::size_t> rows_made_ = 0;  // The number of rows that hashing_ may read.
  std::jthread hashing_;                    // The last member, because it uses the others.
};

}  // namespace

Result<CreatedSnapshot> attempt_capture(Workspace& workspace, const CreateSnapshotQuery& query, Lease* lease,
                                        const std::stop_token& stop) {
  return CaptureAttempt(workspace, query, lease, stop).run();
}

}  // namespace snapgen::core
