#include "tools/engine/operations/restore_plan.h"

#include <algorithm>
#include <cassert>
#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/engine/base/common_errors.h"
#include "tools/engine/base/parallel.h"
#include "tools/engine/files/path.h"
#include "tools/engine/read/observe.h"
#include "tools/engine/store/snapshots/manifest.h"
#include "tools/engine/workspace/coherent.h"
#include "tools/engine/workspace/live_view.h"
#include "tools/engine/workspace/workspace.h"
#include "tools/engine/write/write_rules.h"

namespace snapgen::core {
namespace {

constexpr std::size_t hashes_per_block = 32;              // Files that one thread hashes at a time.
constexpr std::uint64_t contents_bytes_max = 1ULL << 31;  // Total of all files to write.

// When the inode at `path` was created, in nanoseconds since 1970; nullopt if the file system does not record
// it.
std::optional<std::int64_t> born_ns(const Root& root, const std::string& path) {
  struct statx st;
  if (::statx(root.fd(), path.c_str(), AT_SYMLINK_NOFOLLOW, STATX_BTIME, &st) != 0) return std::nullopt;
  if ((st.stx_mask & STATX_BTIME) == 0) return std::nullopt;
  return std::int64_t{st.stx_btime.tv_sec} * 1'000'000'000 + st.stx_btime.tv_nsec;
}

bool is_captured_kind(const FileStat& stat) {
  return kind_of(stat) == FileKind::file || kind_of(stat) == FileKind::symlink;
}

Error path_in_use_error(std::string_view path, std::string_view what) {
  return Error(ErrorCode::invalid_argument,
               path_in_sentence(path) + " is " + std::string(what) +
                   ", which occupies a path of the snapshot. Nothing was restored.",
               hint_details("Move it away, or restore other paths."));
}

Error unreadable_error(std::string_view path) {
  return Error(ErrorCode::permission_denied,
               path_in_sentence(path) +
                   " cannot be read, so its content could not be saved first. Nothing was restored. Make it "
                   "readable, or restore other paths.");
}

// Whether an error concerns only what is at or below its path, so that the other files can be restored.
bool is_obstacle(const Error& error) {
  return error.code == ErrorCode::invalid_argument || error.code == ErrorCode::permission_denied;
}

class RestorePlanner {
 public:
  RestorePlanner(Workspace& workspace, const RestoreSource& source, const std::vector<std::string>& paths,
                 ExaminedFiles examined, const std::stop_token& stop)
      : workspace_(workspace),
        root_(workspace.root()),
        snapshot_(*source.snapshot),
        scope_(source.scope),
        created_later_(source.created_later),
        paths_(paths),
        examined_(examined),
        stop_(stop),
        view_(workspace, false, stop),
        checks_(workspace.writer().rules()) {
    plan_.is_of_undo_snapshot = source.is_undo;
    plan_.change.options.privacy = source.privacy;
  }

  Result<RestorePlan> run() {
    TRY(look_without_notice());
    TRY(check_paths());
    TRY(compare_all());
    TRY(hash_doubtful());
    TRY(find_new_files());
    if (obstacle_ && plan_.answer.changes.empty()) return *std::move(obstacle_);
    auto by_path = [](const auto& a, const auto& b) { return a.path < b.path; };
    std::sort(plan_.answer.changes.begin(), plan_.answer.changes.end(), by_path);
    std::sort(plan_.answer.spared.begin(), plan_.answer.spared.end(), by_path);
    std::sort(plan_.affected_paths.begin(), plan_.affected_paths.end());
    plan_.change.options.prune_empty_folders = true;
    plan_.files = view_.shared_listing();
    return std::move(plan_);
  }

 private:
  struct Doubt {
    const ManifestEntry* entry;
    FileRecord record;
    bool same = false;
    std::optional<Error> error;
  };

  bool is_wanted(std::string_view path) const {
    return std::any_of(paths_.begin(), paths_.end(),
                       [&](const std::string& wanted) { return is_at_or_below_folder(path, wanted); });
  }

  const ManifestEntry* find(std::string_view path) const { return find_entry(snapshot_.entries, path); }

  // Examines watched files for writes through a memory mapping, which raise no events but must be detected.
  Result<Unit> look_without_notice() {
    LiveFiles listing = TRY(workspace_.files(stop_));
    if (!listing.moment) return Unit{};
    std::vector<std::uint32_t> indexes;
    for (std::size_t i = 0; i < listing.files->size(); ++i) {
      const std::string_view path = listing.files->path(i);
      const bool looks = examined_ == ExaminedFiles::all
                             ? is_wanted(path)
                             : std::find(paths_.begin(), paths_.end(), path) != paths_.end();
      if (looks) indexes.push_back(static_cast<std::uint32_t>(i));
    }
    // The result is not needed: listed_files_are_unchanged() makes the next listing examine the changed
    // files.
    static_cast<void>(listed_files_are_unchanged(workspace_, *listing.files, indexes));
    return Unit{};
  }

  Result<Unit> check_paths() {
    for (const std::string& path : paths_) {
      if (path.empty()) continue;  // The whole workspace, which may be empty in the snapshot.
      // If the snapshot proves that nothing existed at a path, something must exist there now; otherwise the
      // path is a mistake.
      bool known =
          (scope_.proves_absence(path) && root_.lstat(path)) ||
          std::any_of(snapshot_.entries.begin(), snapshot_.entries.end(),
                      [&](const ManifestEntry& entry) { return is_at_or_below_folder(entry.path, path); });
      if (!known) return not_in_source_error(path);
    }
    return Unit{};
  }

  Error not_in_source_error(const std::string& path) const {
    if (!snapshot_.hex.empty()) return not_in_snapshot_error(snapshot_, path);
    return Error(ErrorCode::not_found,
                 "The history has no file at or below " + path_in_sentence(path) +
                     " in that state: there was none, or git ignored it. Omit it, or name another moment.");
  }

  void change(const std::string& path, RestoredPath::Kind kind, TreeWrite write) {
    if (checks_.protects(path)) {
      plan_.answer.spared.push_back({.path = path, .reason = SparedPath::Reason::protected_file});
      return;
    }
    // Deleted and replaced files are captured first.
    if (write.existing && write.change.kind != TreeChange::Kind::chmod && !may_read(path)) {
      spare(path, SparedPath::Reason::unreadable, unreadable_error(path));
      return;
    }
    plan_.answer.changes.push_back({.path = path, .kind = kind});
    if (write.existing) {
      plan_.affected_paths.push_back(path);
      if (!is_listed(path)) plan_.unlisted.insert(path);
    }
    plan_.change.writes.push_back(std::move(write));
  }

  void spare(const std::string& path, SparedPath::Reason reason, Error error) {
    if (!obstacle_) obstacle_ = std::move(error);
    if (spared_.insert(path).second) plan_.answer.spared.push_back({.path = path, .reason = reason});
  }

  // Spares the file of an entry because of what is at its path, or above it. Returns other errors.
  Result<Unit> spare_or_fail(const ManifestEntry& entry, Error error) {
    if (!is_obstacle(error)) return error;
    spare(entry.path, SparedPath::Reason::occupied, std::move(error));
    return Unit{};
  }

  // Checks whether remove() removes a file or symlink, and does not spare it.
  Result<Unit> check_removable(const std::string& path) {
    if (checks_.protects(path)) return workspace_.writer().rules().check(path);
    if (!may_read(path)) return unreadable_error(path);
    return Unit{};
  }

  bool is_listed(const std::string& path) const {
    return view_.shared_listing()->find(path) != view_.shared_listing()->size();
  }

  void remove(const std::string& path, const FileStat& stat) {
    if (!removed_.insert(path).second) return;
    change(path, RestoredPath::Kind::deleted,
           {.change = {.kind = TreeChange::Kind::remove, .path = path},
            .existing = FileRecord{.path = path, .stat = stat, .seen_ns = now_ns(), .blob = {}},
            .source = {}});
  }

  void write(const ManifestEntry& entry, std::optional<FileRecord> existing) {
    RestoredPath::Kind kind = existing ? RestoredPath::Kind::replaced : RestoredPath::Kind::created;
    plan_.blobs.emplace(entry.path, entry.blob);
    change(entry.path, kind,
           {.change = {.path = entry.path, .mode = entry.mode, .permissions = exact_permissions(entry)},
            .existing = std::move(existing),
            .source = {}});
  }

  // The permissions that the file must have; nullopt: those that it has, or that a new file gets.
  std::optional<std::uint32_t> exact_permissions(const ManifestEntry& entry) const {
    const std::uint32_t allowed = plan_.change.options.privacy.allowed_permissions(entry.path);
    if (entry.mode == FileMode::symlink || (allowed & exact_permissions_flag) == 0) return std::nullopt;
    return allowed & ~exact_permissions_flag;
  }

  bool has_mode_of(const ManifestEntry& entry, const FileStat& stat) const {
    if (mode_of(stat) != entry.mode) return false;
    const std::optional<std::uint32_t> exact = exact_permissions(entry);
    return !exact || *exact == (stat.mode & 0777U);
  }

  // Whether `folder` is a real folder. A file or symlink at this path is removed: it is newer, because the
  // snapshot has files below it. Fails if something else is there, or above it.
  Result<bool> is_folder(std::string_view folder) {
    if (folder.empty()) return true;
    auto known = folders_.find(folder);
    if (known == folders_.end()) known = folders_.emplace(folder, look_at_folder(folder)).first;
    return known->second;
  }

  Result<bool> look_at_folder(std::string_view folder) {
    bool above = TRY(is_folder(parent_path(folder)));
    if (!above) return false;
    Result<FileStat> stat = root_.lstat(folder);
    if (!stat && stat.error().code == ErrorCode::not_found) return false;
    if (!stat) return std::move(stat).error();
    if (kind_of(*stat) == FileKind::folder) return true;
    if (kind_of(*stat) == FileKind::other) return path_in_use_error(folder, "a FIFO, socket or device");
    const std::string path(folder);
    TRY(check_removable(path));
    remove(path, *stat);
    return false;
  }

  // Compares the snapshot's files with the listed ones; both are sorted by path.
  Result<Unit> compare_all() {
    const Listing* listing = TRY(view_.listing());
    // The later capture of the safety snapshot needs these contents too.
    if (view_.moment() && examined_ == ExaminedFiles::outside_folders && wants_folders())
      contents_ =
          workspace_.known_contents().contents_of(view_.shared_listing(), ranges_below(*listing, paths_));
    std::size_t next = 0;
    for (std::size_t i = 0; i < snapshot_.entries.size(); ++i) {
      if ((i & 1023) == 0 && stop_.stop_requested()) return cancelled_restore_error();
      const ManifestEntry& entry = snapshot_.entries[i];
      if (!is_wanted(entry.path)) continue;
      while (next < listing->size() && listing->path(next) < entry.path) ++next;
      bool listed = next < listing->size() && listing->path(next) == entry.path &&
                    is_captured_kind(view_.stat_of(next));
      TRY(listed ? compare_listed(entry, next) : look_and_compare(entry));
    }
    return Unit{};
  }

  // Compares an entry whose file is not listed, because it is missing or ignored.
  Result<Unit> look_and_compare(const ManifestEntry& entry) {
    Result<bool> above = is_folder(parent_path(entry.path));
    if (!above) return spare_or_fail(entry, std::move(above).error());
    std::int64_t seen = now_ns();
    Result<FileStat> stat = *above ? root_.lstat(entry.path) : Error(ErrorCode::not_found, {});
    if (!stat && stat.error().code == ErrorCode::not_found) {
      write(entry, std::nullopt);
      return Unit{};
    }
    if (!stat) return spare_or_fail(entry, std::move(stat).error());
    FileKind kind = kind_of(*stat);
    if (kind == FileKind::other)
      return spare_or_fail(entry, path_in_use_error(entry.path, "a FIFO, socket or device"));
    if (kind == FileKind::folder) {
      Result<Unit> emptied = remove_folder(entry.path);
      if (!emptied) return spare_or_fail(entry, std::move(emptied).error());
      write(entry, std::nullopt);
      return Unit{};
    }
    return compare(entry, *stat, seen);
  }

  bool wants_folders() const {
    return std::any_of(paths_.begin(), paths_.end(), [&](const std::string& path) {
      return path.empty() || !view_.shared_listing()->below(path).empty();
    });
  }

  // Compares an entry with the listed file or symlink at its path.
  Result<Unit> compare_listed(const ManifestEntry& entry, std::size_t index) {
    const std::optional<BlobId> known = contents_ ? contents_->find(index) : std::nullopt;
    const FileStat stat = view_.stat_of(index);
    if (!known || *known != entry.blob || !has_mode_of(entry, stat))
      return compare(entry, stat, view_.listed_ns());
    ++plan_.answer.unchanged_files;
    return Unit{};
  }

  // Compares an entry with the current file or symlink at its path.
  Result<Unit> compare(const ManifestEntry& entry, const FileStat& stat, std::int64_t seen_ns) {
    bool link = entry.mode == FileMode::symlink;
    FileRecord record{.path = entry.path, .stat = stat, .seen_ns = seen_ns, .blob = {}};
    bool same_kind = link == (kind_of(stat) == FileKind::symlink);
    if (same_kind) record.blob = workspace_.stat_cache().find(entry.path, stat);
    if (record.blob == entry.blob) {
      restore_known(entry, std::move(record));
      return Unit{};
    }
    std::optional<std::uint64_t> size = workspace_.blobs().size_of(entry.blob);
    if (!size) return missing_blob_error(entry);
    if (!same_kind || static_cast<std::int64_t>(*size) != stat.size) {
      record.blob.reset();
      write(entry, std::move(record));
      return Unit{};
    }
    if (!record.blob) {
      doubts_.push_back({.entry = &entry, .record = std::move(record), .same = false, .error = {}});
    } else {
      restore_known(entry, std::move(record));
    }
    return Unit{};
  }

  // Restores a file that has the kind of the entry, and whose content is known.
  void restore_known(const ManifestEntry& entry, FileRecord record) {
    if (*record.blob != entry.blob) {
      write(entry, std::move(record));
      return;
    }
    if (!has_mode_of(entry, record.stat)) {
      change(entry.path, RestoredPath::Kind::mode_changed,
             {.change = {.kind = TreeChange::Kind::chmod,
                         .path = entry.path,
                         .mode = entry.mode,
                         .permissions = exact_permissions(entry)},
              .existing = std::move(record),
              .source = {}});
      return;
    }
    ++plan_.answer.unchanged_files;
  }

  Result<Unit> hash_doubtful() {
    in_parallel(doubts_.size(), hashes_per_block, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end && !stop_.stop_requested(); ++i) {
        Result<FileRecord> record = observe_file(root_, doubts_[i].record.path, stop_);
        if (record) {
          doubts_[i].record = *std::move(record);
        } else {
          doubts_[i].error = std::move(record).error();
        }
      }
    });
    if (stop_.stop_requested()) return cancelled_restore_error();
    std::vector<FileRecord> known;
    for (Doubt& doubt : doubts_) {
      if (doubt.error && doubt.error->code == ErrorCode::not_found)
        return changed_while_read_error(doubt.record.path);
      if (doubt.error && doubt.error->code == ErrorCode::permission_denied) {
        spare(doubt.record.path, SparedPath::Reason::unreadable, unreadable_error(doubt.record.path));
        continue;
      }
      if (doubt.error) return *std::move(doubt.error);
      known.push_back(doubt.record);
      restore_known(*doubt.entry, std::move(doubt.record));
    }
    if (!known.empty()) workspace_.stat_cache().remember(known);
    return Unit{};
  }

  // Removes a folder in place of a file of the snapshot: everything in it is newer. Removes nothing if it
  // fails.
  Result<Unit> remove_folder(const std::string& folder) {
    FolderContents contents;
    TRY(look_below(folder, contents));
    for (const auto& [path, stat] : contents.files) remove(path, stat);
    for (std::string& path : contents.folders)
      plan_.change.writes.push_back(
          {.change = {.kind = TreeChange::Kind::remove_folder, .path = std::move(path)},
           .existing = {},
           .source = {}});
    return Unit{};
  }

  struct FolderContents {
    std::vector<std::pair<std::string, FileStat>> files;
    std::vector<std::string> folders;  // Each after those below it.
  };

  Result<Unit> look_below(const std::string& folder, FolderContents& contents) {
    if (lstat_if_exists(root_, joined_path(folder, ".git")))
      return path_in_use_error(folder, "a nested repository");
    std::vector<FolderEntry> entries = TRY(root_.read_folder(folder));
    for (const FolderEntry& entry : entries) {
      std::string path = joined_path(folder, entry.name);
      if (entry.kind == FileKind::other) return path_in_use_error(path, "a FIFO, socket or device");
      if (entry.kind == FileKind::folder) {
        TRY(look_below(path, contents));
      } else {
        TRY(check_removable(path));
        FileStat stat = TRY(root_.lstat(path));
        contents.files.emplace_back(std::move(path), stat);
      }
    }
    contents.folders.push_back(folder);
    return Unit{};
  }

  // Finds files that are not in the snapshot: the listed ones, and those that the snapshot's change created,
  // which may be ignored.
  Result<Unit> find_new_files() {
    if (!plan_.is_of_undo_snapshot)
      for (const std::string& wanted : paths_) TRY(find_new_listed(wanted));
    for (const std::string& path : scope_.absent_paths) {
      if (!is_wanted(path)) continue;
      TRY(find_new_listed(path));
      if (is_listed(path) || find(path) != nullptr || !is_in_real_folder(path)) continue;
      const Result<FileStat> stat = root_.lstat(path);
      if (stat && is_captured_kind(*stat)) remove_or_spare(path, *stat);
    }
    return Unit{};
  }

  Result<Unit> find_new_listed(const std::string& wanted) {
    const Listing* listing = TRY(view_.listing());
    auto [first, last] = range_below(*listing, wanted);
    auto entry =
        first == last ? snapshot_.entries.end() : lower_bound(snapshot_.entries, listing->path(first));
    for (std::size_t i = first; i < last; ++i) {
      while (entry != snapshot_.entries.end() && entry->path < listing->path(i)) ++entry;
      if (entry != snapshot_.entries.end() && entry->path == listing->path(i)) continue;
      remove_or_spare(std::string(listing->path(i)), view_.stat_of(i));
    }
    return Unit{};
  }

  void remove_or_spare(const std::string& path, const FileStat& stat) {
    if (removed_.contains(path)) return;
    if (std::optional<SparedPath::Reason> spared = reason_to_spare(path)) {
      if (spared_.insert(path).second) plan_.answer.spared.push_back({.path = path, .reason = *spared});
    } else {
      remove(path, stat);
    }
  }

  // Whether all folders above the path are real ones, not symlinks.
  bool is_in_real_folder(std::string_view path) const {
    for (std::string_view above = parent_path(path); !above.empty(); above = parent_path(above)) {
      const Result<FileStat> stat = root_.lstat(above);
      if (!stat || kind_of(*stat) != FileKind::folder) return false;
    }
    return true;
  }

  std::optional<SparedPath::Reason> reason_to_spare(const std::string& path) {
    if (!scope_.proves_absence(path)) return SparedPath::Reason::not_captured;
    const std::optional<std::int64_t> born = born_ns(root_, path);
    const bool is_newer = born && *born > (scope_.taken_ms + 1) * 1'000'000;
    if (!is_newer && !created_later_.contains(path)) return SparedPath::Reason::older;
    if (!may_read(path)) return SparedPath::Reason::unreadable;
    return std::nullopt;
  }

  bool may_read(const std::string& path) const {
    return ::faccessat(root_.fd(), path.c_str(), R_OK, AT_EACCESS | AT_SYMLINK_NOFOLLOW) == 0 ||
           errno != EACCES;
  }

  Workspace& workspace_;
  const Root& root_;
  const Snapshot& snapshot_;
  const SnapshotScope& scope_;
  const std::set<std::string, std::less<>>& created_later_;
  const std::vector<std::string>& paths_;
  ExaminedFiles examined_;
  std::stop_token stop_;
  LiveView view_;
  WriteChecks checks_;
  std::shared_ptr<const ListingContents>
      contents_;  // The contents of the listing; null if they are not needed.
  RestorePlan plan_;
  std::vector<Doubt> doubts_;
  std::map<std::string, Result<bool>, std::less<>> folders_;  // As look_at_folder().
  std::optional<Error> obstacle_;                             // Why the first file was spared.
  std::set<std::string, std::less<>> removed_;
  std::set<std::string, std::less<>> spared_;
};

}  // namespace

Result<RestorePlan> plan_restore(Workspace& workspace, const RestoreSource& source,
                                 const std::vector<std::string>& paths, ExaminedFiles examined,
                                 const std::stop_token& stop) {
  assert(outermost_paths(paths) == paths);
  return RestorePlanner(workspace, source, paths, examined, stop).run();
}

Result<std::vector<std::string>> read_contents(BlobStore& blobs, const RestorePlan& plan,
                                               const std::stop_token& stop) {
  std::uint64_t sum = 0;
  std::vector<std::string> contents(plan.change.writes.size());
  for (std::size_t i = 0; i < contents.size(); ++i) {
    const TreeChange& change = plan.change.writes[i].change;
    auto blob = plan.blobs.find(change.path);
    if (blob == plan.blobs.end() || change.kind != TreeChange::Kind::write) continue;
    if (stop.stop_requested()) return cancelled_restore_error();
    sum += blobs.size_of(blob->second).value_or(0);
    if (sum > contents_bytes_max) {
      return Error(ErrorCode::too_large,
                   "More than 2 GiB would have to be restored in one step; restore some paths at a time.");
    }
    Result<std::string> bytes = blobs.get(blob->second);
    if (!bytes)
      return lost_file_error(change.path, "cannot be restored, and nothing was", std::move(bytes).error(),
                             "Name the other paths to restore those.");
    contents[i] = *std::move(bytes);
  }
  return contents;
}

}  // namespace snapgen::core
