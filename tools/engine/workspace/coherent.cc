#include "tools/engine/workspace/coherent.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <map>
#include <mutex>
#include <set>
#include <shared_mutex>

#include <sys/stat.h>

#include "tools/engine/base/common_errors.h"
#include "tools/engine/base/parallel.h"
#include "tools/engine/base/plain_text.h"
#include "tools/engine/files/path.h"
#include "tools/engine/files/sibling_opener.h"
#include "tools/engine/read/observe.h"
#include "tools/engine/store/snapshots/manifest.h"
#include "tools/engine/workspace/absence.h"
#include "tools/engine/workspace/stale_lease.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::core {
namespace {

constexpr int tries_max = 3;
constexpr std::size_t block = 256;                 // Files that one thread examines at a time.
constexpr std::size_t closing_records_min = 1000;  // Fewer records are compared faster one by one.
constexpr std::size_t try_records_max = 32;        // Files that a read without waiting compares by stat.

bool is_folder_record(const FileRecord& record) { return S_ISDIR(record.stat.mode); }

FileRecord folder_record(std::string path, const Listing& listing) {
  auto [first, last] = range_below(listing, path);
  Sha256 names;
  for (std::size_t i = first; i < last; ++i) {
    names.update(listing.path(i));
    names.update(std::string_view("\0", 1));
  }
  FileRecord record{
      .path = std::move(path), .stat = {}, .seen_ns = now_ns(), .blob = BlobId{.digest = names.digest()}};
  record.stat.mode = S_IFDIR;
  return record;
}

// Whether git may track a missing file at this path, and therefore does not report a folder in its place. The
// status of an unmerged path does not depend on the files there.
bool may_hide_folder(const StatusEntry& entry) {
  const bool both =
      entry.index_status == entry.worktree_status && (entry.index_status == 'A' || entry.index_status == 'D');
  return entry.worktree_status == 'D' || entry.index_status == 'U' || entry.worktree_status == 'U' || both;
}

struct Changes {
  std::set<std::string> paths;
  // Files that are unchanged, as their content proves. Their new stat proves it from now on.
  std::vector<FileRecord> seen_again;
};

// Examines one touched file and adds it to `changes` if it is not provably unchanged.
void look_again(const Root& root, SiblingOpener& siblings, const FileRecord& record,
                const std::stop_token& stop, Changes& changes, std::mutex& mutex) {
  std::optional<FileStat> stat = siblings.stat(record.path);
  if (is_absence(record) && (!stat || (S_ISDIR(stat->mode) && !is_observed_absence(record)))) return;
  // If the record has no content, an equal stat must suffice: files with a racy stat were read when touched.
  if (stat && (proves_unchanged(record, *stat) || (!record.blob && *stat == record.stat))) return;
  Result<FileRecord> now = record.blob && stat ? observe_file(root, record.path, stop)
                                               : Result<FileRecord>(Error(ErrorCode::not_found, {}));
  std::lock_guard lock(mutex);
  bool same_kind = now && kind_of(now->stat) == kind_of(record.stat) &&
                   is_executable(now->stat) == is_executable(record.stat);
  if (same_kind && now->blob == record.blob) {
    changes.seen_again.push_back(*std::move(now));
  } else {
    changes.paths.insert(record.path);
  }
}

// The touched files of the lease that neither this call nor the watch proves unchanged.
Result<std::vector<FileRecord>> unproven_of(Workspace& workspace, Lease& lease, const TouchedFiles* seen,
                                            const std::stop_token& stop) {
  static const TouchedFiles nothing;
  const TouchedFiles& known = seen != nullptr ? *seen : nothing;
  if (lease.has_listed_files() && workspace.live_tree().verified_ns()) {
    const LiveFiles now = TRY(workspace.files(stop));
    if (now.moment) return lease.unproven_files(known, now.files);
  }
  return lease.unproven_files(known);
}

Result<Changes> changes_of(Workspace& workspace, const std::vector<FileRecord>& touched,
                           const std::stop_token& stop) {
  Changes changes;
  std::mutex mutex;
  in_parallel(touched.size(), block, [&](std::size_t begin, std::size_t end) {
    SiblingOpener siblings(workspace.root());
    for (std::size_t i = begin; i < end && !stop.stop_requested(); ++i) {
      if (is_folder_record(touched[i])) continue;
      look_again(workspace.root(), siblings, touched[i], stop, changes, mutex);
    }
  });
  if (stop.stop_requested()) return cancelled_call_error();
  return changes;
}

// Adds touched folders that now contain other names to `changes`.
Result<Unit> add_changed_folders(Workspace& workspace, const std::vector<FileRecord>& touched,
                                 const GitStatus& status, const std::stop_token& stop, Changes& changes) {
  std::vector<const FileRecord*> folders;
  SiblingOpener siblings(workspace.root());
  for (const FileRecord& record : touched)
    if (is_folder_record(record) && !is_still_absent(record, siblings)) folders.push_back(&record);
  if (folders.empty()) return Unit{};
  LiveView view(workspace, false, stop);
  const Listing* listing = TRY(view.listing());
  std::map<std::string, std::optional<BlobId>> now;
  for (FileRecord& record : folder_records(workspace, status, *listing))
    now.emplace(std::move(record.path), record.blob);
  for (const FileRecord* record : folders) {
    const auto found = now.find(record->path);
    if (found == now.end() || found->second != record->blob) changes.paths.insert(record->path);
  }
  return Unit{};
}

// Adds files that this call has read and that differ from the lease to `changes`. Their stat need not show
// it: a store through a memory mapping may leave it unchanged.
void add_read_otherwise(const Lease& lease, const TouchedFiles& seen, Changes& changes) {
  for (std::size_t i = 0; i < seen.records.size(); ++i) {
    const FileRecord& record = seen.records[i];
    if (!seen.record_was_observed[i] || !record.blob) continue;
    const std::optional<FileRecord> before = lease.touched(record.path);
    if (before && before->blob && before->blob != record.blob) changes.paths.insert(record.path);
  }
}

// The records of a status as git prints it, each with its path.
std::set<std::pair<std::string, std::string>> status_records(std::string_view bytes) {
  std::set<std::pair<std::string, std::string>> records;
  auto field = [&] {
    std::string_view text;
    next_part(bytes, text, '\0');
    return std::string(text);
  };
  while (!bytes.empty()) {
    std::string record = field();
    if (record.size() < 4) continue;
    std::string path = record.substr(3);
    if (record[0] == 'R' || record[0] == 'C' || record[1] == 'R' || record[1] == 'C')
      record += '\0' + field();
    records.emplace(std::move(path), std::move(record));
  }
  return records;
}

// Adds edited files to `changes`. With the same commit and index, each added or removed line of the status is
// one.
void add_status_changes(const Workspace& workspace, const LeaseBase& base, const GitStatus& status,
                        Changes& changes) {
  if (!base.status || base.fingerprint.head_oid != status.fingerprint.head_oid ||
      base.fingerprint.index_oid != status.fingerprint.index_oid) {
    return;
  }
  std::set<std::pair<std::string, std::string>> before = status_records(*base.status);
  std::set<std::pair<std::string, std::string>> after = status_records(status.porcelain_output);
  std::vector<std::pair<std::string, std::string>> differing;
  std::set_symmetric_difference(before.begin(), before.end(), after.begin(), after.end(),
                                std::back_inserter(differing));
  for (auto& [path, record] : differing) {
    if (path.ends_with('/')) path.pop_back();
    std::optional<std::string> inside = workspace.to_workspace_path(path);
    if (inside) changes.paths.insert(*std::move(inside));
  }
}

}  // namespace

bool is_still_absent(const FileRecord& folder, SiblingOpener& siblings) {
  static const BlobId no_names = {.digest = Sha256().digest()};
  return folder.blob == no_names && !folder.path.empty() && !siblings.stat(folder.path);
}

std::vector<FileRecord> folder_records(Workspace& workspace, const GitStatus& status,
                                       const Listing& listing) {
  const std::string workspace_folder = workspace.to_repository_path("");
  std::vector<FileRecord> records;
  if (!status.shows_untracked) return {folder_record("", listing)};
  for (const StatusEntry& entry : status.entries) {
    const std::string_view path(entry.path);
    const bool is_folder = entry.index_status == '?' && path.ends_with('/');
    if (!is_folder && !may_hide_folder(entry)) continue;
    const std::string_view folder = is_folder ? path.substr(0, path.size() - 1) : path;
    if (!workspace_folder.empty() && is_at_or_below_folder(workspace_folder, folder))
      return {folder_record("", listing)};
    std::optional<std::string> inside = workspace.to_workspace_path(folder);
    // If there is a file at the path, it has nothing below it.
    if (inside && (is_folder || listing.find(*inside) == listing.size()))
      records.push_back(folder_record(*std::move(inside), listing));
  }
  return records;
}

Result<Unit> check_lease(Workspace& workspace, Lease& lease, const GitStatus& status,
                         const std::stop_token& stop, const TouchedFiles* seen) {
  LeaseBase base = lease.base();
  const std::vector<FileRecord> touched = TRY(unproven_of(workspace, lease, seen, stop));
  Changes changes = TRY(changes_of(workspace, touched, stop));
  bool same_base = base.fingerprint == status.fingerprint;
  if (seen != nullptr) add_read_otherwise(lease, *seen, changes);
  if (same_base) {
    TRY(add_changed_folders(workspace, touched, status, stop, changes));
  } else {
    add_status_changes(workspace, base, status, changes);
  }
  if (!same_base || !changes.paths.empty())
    return stale_lease_error(workspace, lease, status, changes.paths, stop);
  return workspace.leases().add_touched(lease, {.records = std::move(changes.seen_again)});
}

bool records_are_unchanged(const Root& root, const std::vector<FileRecord>& records) {
  std::atomic<bool> unchanged = true;
  in_parallel(records.size(), block, [&](std::size_t begin, std::size_t end) {
    SiblingOpener siblings(root);
    for (std::size_t i = begin; i < end && unchanged; ++i) {
      std::optional<FileStat> now = siblings.stat(records[i].path);
      if (is_absence(records[i]) ? now.has_value() : !now || *now != records[i].stat) unchanged = false;
    }
  });
  return unchanged;
}

bool FinalState::records_are_unchanged(const Root& root, const std::vector<FileRecord>& records) const {
  if (!files) return core::records_are_unchanged(root, records);
  std::vector<FileRecord> unlisted;
  for (const FileRecord& record : records) {
    const std::size_t at = files->find(record.path);
    if (at == files->size()) {
      unlisted.push_back(record);
    } else if (files->stat(at) != record.stat) {
      return false;
    }
  }
  return core::records_are_unchanged(root, unlisted);
}

bool FinalState::touched_files_are_unchanged(const Root& root, const TouchedFiles& touched) const {
  assert(files);
  if (!records_are_unchanged(root, touched.records)) return false;
  const ListedFiles& listed = touched.listed;
  std::vector<FileRecord> unlisted;
  std::size_t at = 0;
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const std::string_view path = listed.path(i);
    while (at < files->size() && files->path(at) < path) ++at;
    if (at == files->size() || files->path(at) != path) {
      unlisted.push_back(listed.record(i));
    } else if (files->stat(at) != listed.stat(i)) {
      return false;
    }
  }
  return core::records_are_unchanged(root, unlisted);
}

Result<FinalState> read_final_state(Workspace& workspace, std::size_t records, const std::stop_token& stop) {
  FinalState out;
  if (records >= closing_records_min && !workspace.live_tree().verified_ns()) {
    StatusAndLiveFiles both = TRY(workspace.status_and_files(stop));
    out.status = *both.status;
    if (!both.files.moment) out.files = std::move(both.files.files);
    return out;
  }
  out.status = TRY(workspace.status(stop));
  return out;
}

bool listed_files_are_unchanged(const Workspace& workspace, const FileList& files,
                                std::span<const std::uint32_t> indexes) {
  std::mutex mutex;
  std::vector<std::string> changed;
  in_parallel(indexes.size(), block, [&](std::size_t begin, std::size_t end) {
    SiblingOpener siblings(workspace.root());
    std::string path;
    for (std::size_t i = begin; i < end; ++i) {
      path.assign(files.path(indexes[i]));
      const std::optional<FileStat> now = siblings.stat(path);
      if (now && *now == files.stat(indexes[i])) continue;
      const std::lock_guard lock(mutex);
      changed.push_back(workspace.to_repository_path(path));
    }
  });
  if (!changed.empty()) workspace.live_tree().suspect(changed);
  return changed.empty();
}

bool view_is_still_current(Workspace& workspace, const LiveView& view, const TouchedFiles& touched) {
  bool quiet = view.moment() && workspace.live_tree().is_quiet_since(*view.moment());
  // The watched tree must not cache files that changed unnoticed before the view read them.
  std::vector<std::string> unnoticed = view.changed_since_listing();
  if (quiet && !unnoticed.empty()) {
    for (std::string& path : unnoticed) path = workspace.to_repository_path(path);
    workspace.live_tree().suspect(unnoticed);
    quiet = false;
  }
  std::vector<FileRecord> records;
  for (std::size_t i = 0; i < touched.records.size(); ++i)
    if (!quiet || !touched.record_was_observed[i]) records.push_back(touched.records[i]);
  std::vector<std::uint32_t> indexes;
  for (std::size_t i = 0; i < touched.listed.size(); ++i)
    if (!quiet || !touched.listed_was_observed[i]) indexes.push_back(touched.listed.indexes()[i]);
  return records_are_unchanged(workspace.root(), records) &&
         (indexes.empty() || listed_files_are_unchanged(workspace, touched.listed.files(), indexes));
}

namespace {

// The touched files whose last change is so recent that the watch may not have reported it yet.
std::vector<std::string> unreported_files(const TouchedFiles& touched,
                                          std::int64_t events_complete_until_ns) {
  std::vector<std::string> paths;
  for (const FileRecord& record : touched.records)
    if (record.stat.ctime_ns >= events_complete_until_ns) paths.push_back(record.path);
  for (std::size_t i = 0; i < touched.listed.size(); ++i)
    if (touched.listed.stat(i).ctime_ns >= events_complete_until_ns)
      paths.emplace_back(touched.listed.path(i));
  return paths;
}

// Like check_lease(), from stats alone. `now`: the status without a change since before the call, which read
// `touched`. Returns false also if only the contents of files could prove that the lease is current.
bool try_check_lease(Workspace& workspace, Lease& lease, const LiveTree::QuietStatus& now,
                     const TouchedFiles& touched) {
  if (lease.base().fingerprint != now.status->fingerprint) return false;
  const std::optional<std::vector<FileRecord>> unproven = lease.try_unproven_files(now.files);
  if (!unproven) return false;
  SiblingOpener siblings(workspace.root());
  return std::ranges::all_of(*unproven, [&](const FileRecord& record) {
    if (is_folder_record(record)) return is_still_absent(record, siblings);
    const auto read = std::ranges::find(touched.records, record.path, &FileRecord::path);
    if (read != touched.records.end())
      return record.blob && read->blob == record.blob && proves_unchanged(record, read->stat);
    const std::optional<FileStat> stat = siblings.stat(record.path);
    return is_absence(record) ? !stat : stat && proves_unchanged(record, *stat);
  });
}

}  // namespace

WorktreeReading::WorktreeReading(Workspace& workspace, const std::optional<std::string>& lease_id,
                                 std::stop_token stop)
    : workspace_(workspace), stop_(std::move(stop)) {
  if (!lease_id) return;
  Result<std::shared_ptr<Lease>> lease = workspace.leases().use(*lease_id);
  if (lease) lease_ = *std::move(lease);
}

Result<std::optional<LeaseState>> WorktreeReading::retry_or_fail(Error error) {
  if (++tries_ == tries_max) return error;
  return std::optional<LeaseState>();
}

Result<std::optional<LeaseState>> WorktreeReading::retry_if_changed(Error error) {
  if (error.code == ErrorCode::repo_changed) return retry_or_fail(std::move(error));
  return error;
}

Result<std::optional<LeaseState>> WorktreeReading::validate_failed_read(const LiveView& view,
                                                                        const Error& failure) {
  if (failure.code == ErrorCode::repo_changed) return retry_or_fail(failure);
  if (!lease_) return failure;
  Result<Unit> stored = record_absence(workspace_, *lease_, view.missing_paths(), stop_);
  return stored ? failure : retry_if_changed(std::move(stored).error());
}

// Everything that the answer may depend on: what the view has touched, and the paths that were missing.
Result<TouchedFiles> WorktreeReading::touched_of(LiveView& view) {
  std::vector<FileRecord> absent = TRY(absence_records(workspace_.root(), view.missing_paths(), stop_));
  for (FileRecord& record : absent) view.mark_touched(std::move(record));
  return view.touched();
}

Result<std::optional<LeaseState>> WorktreeReading::validate(LiveView& view, const Error* failure) {
  // If a call without a lease fails, it issues no lease, so there is nothing to validate.
  if (failure != nullptr && (failure->code == ErrorCode::cancelled || !lease_))
    return retry_if_changed(*failure);
  Result<TouchedFiles> touched = failure == nullptr ? touched_of(view) : Result<TouchedFiles>(TouchedFiles{});
  if (!touched && touched.error().code == ErrorCode::cancelled) return std::move(touched).error();
  TRY(workspace_.writer().recover(stop_));
  std::shared_lock gate(workspace_.gate_mutex());
  FinalState final_state = TRY(read_final_state(workspace_, touched ? touched->size() : 0, stop_));
  GitStatus* const status = &final_state.status;
  // The files are unchanged since they were read, so check_lease() need not check them again.
  const bool unchanged =
      touched && (final_state.files ? final_state.touched_files_are_unchanged(workspace_.root(), *touched)
                                    : view_is_still_current(workspace_, view, *touched));
  if (unchanged) {
    touched->record_was_observed.assign(touched->records.size(), true);
    touched->listed_was_observed.assign(touched->listed.size(), true);
  }
  if (lease_) {
    Result<Unit> valid = check_lease(workspace_, *lease_, *status, stop_, touched ? &*touched : nullptr);
    if (!valid) return retry_if_changed(std::move(valid).error());
  }
  if (failure != nullptr) return validate_failed_read(view, *failure);

  const Error changed = work_tree_changed_error("read");
  if (!touched) return retry_if_changed(std::move(touched).error());
  if (view.fingerprint_before_listing() && *view.fingerprint_before_listing() != status->fingerprint)
    return retry_or_fail(changed);
  if (!unchanged) {
    workspace_.live_tree().suspect_all();
    return retry_or_fail(changed);
  }
  const std::vector<std::string> unreported =
      unreported_files(*touched, workspace_.events_complete_until_ns());
  bool confirmed = TRY(workspace_.confirms_fingerprint(status->fingerprint, unreported, stop_));
  if (!confirmed) return retry_or_fail(changed);
  if (view.has_listing()) {
    Result<const Listing*> listing = view.listing();
    for (FileRecord& record : folder_records(workspace_, *status, **listing))
      touched->records.push_back(std::move(record));
  }

  if (lease_) {
    Result<Unit> stored = workspace_.leases().add_touched(*lease_, *touched);
    if (!stored) return retry_if_changed(std::move(stored).error());
    return std::optional(LeaseState{.lease_id = lease_->id(), .fingerprint = std::move(status->fingerprint)});
  }
  TRY(workspace_.prepare_store());
  const LeaseBase base{.fingerprint = status->fingerprint, .status = std::move(status->porcelain_output)};
  std::string issued = workspace_.leases().issue(base, *touched);
  return std::optional(
      LeaseState{.lease_id = std::move(issued), .fingerprint = std::move(status->fingerprint)});
}

NonBlockingRead::NonBlockingRead(Workspace& workspace, const std::string& lease_id) : workspace_(workspace) {
  lease_ = workspace.leases().try_use(lease_id, try_records_max);
  if (lease_) before_ = workspace.live_tree().try_status();
}

std::optional<LeaseState> NonBlockingRead::validate(LiveView& view) {
  assert(can_read());
  // Fails for records with a racy stat, because they would need a second read.
  const Result<TouchedFiles> touched = view.touched();
  if (!touched || !workspace_.writer().is_recovered() || !workspace_.root().check_not_moved())
    return std::nullopt;
  const std::shared_lock gate(workspace_.gate_mutex(), std::try_to_lock);
  if (!gate) return std::nullopt;
  // The watch has reported no change since before the read. A write that it cannot see counts as later than
  // the read, and the next check of the lease detects it.
  const std::optional<LiveTree::QuietStatus> after = workspace_.live_tree().try_status();
  if (!after || after->moment != before_->moment || after->status != before_->status) return std::nullopt;
  const std::int64_t events_complete_until_ns = workspace_.events_complete_until_ns();
  if (!try_check_lease(workspace_, *lease_, *after, *touched)) return std::nullopt;
  const bool racy = std::ranges::any_of(
      touched->records, [](const FileRecord& record) { return is_racy(record.stat, record.seen_ns); });
  if (racy || !unreported_files(*touched, events_complete_until_ns).empty()) return std::nullopt;
  if (!workspace_.leases().add_touched(*lease_, *touched)) return std::nullopt;
  return LeaseState{.lease_id = lease_->id(), .fingerprint = after->status->fingerprint};
}

}  // namespace snapgen::core
