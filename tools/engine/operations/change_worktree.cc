#include "tools/engine/operations/change_worktree.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <map>
#include <set>
#include <string_view>

#include <sys/stat.h>

#include "tools/engine/base/common_errors.h"
#include "tools/engine/base/hash.h"
#include "tools/engine/files/path.h"
#include "tools/engine/read/observe.h"
#include "tools/engine/workspace/absence.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::core {
namespace {

constexpr int change_tries_max = 3;

bool removes(const TreeChange& change) {
  return change.kind == TreeChange::Kind::remove || change.kind == TreeChange::Kind::remove_folder;
}

// Whether the file's content affects git's status of other files.
bool affects_ignore_rules(const TreeWrite& write) {
  std::string_view name = base_name(write.change.path);
  return name == ".gitignore" || name == ".gitattributes" || name == ".gitmodules";
}

// Whether a status entry may differ because of the writes: it is about a written file, a folder above one, or
// a path below one.
class Written {
 public:
  Written(const Workspace& workspace, const std::vector<TreeWrite>& writes) {
    for (const TreeWrite& write : writes) paths_.insert(workspace.to_repository_path(write.change.path));
  }

  bool concerns(const StatusEntry& entry) const {
    return concerns(entry.path) || (!entry.original_path.empty() && concerns(entry.original_path));
  }

 private:
  bool concerns(std::string_view path) const {
    if (path.ends_with('/')) path.remove_suffix(1);
    for (std::string_view above = path; !above.empty(); above = parent_path(above)) {
      if (paths_.contains(above)) return true;
    }
    std::string below = std::string(path) + '/';
    auto next = paths_.lower_bound(below);
    return next != paths_.end() && next->starts_with(below);
  }

  std::set<std::string, std::less<>> paths_;
};

std::string encoded(const StatusEntry& entry) {
  std::string bytes{entry.index_status, entry.worktree_status, ' '};
  bytes += entry.path + '\0';
  if (!entry.original_path.empty()) bytes += entry.original_path + '\0';
  return bytes;
}

// The status without other processes' edits since `before`: the entries of `before` for unwritten files, and
// those of `after` for written ones. Returns nullopt if there were no other edits.
std::optional<std::string> without_foreign_edits(const GitStatus& before, const GitStatus& after,
                                                 const Written& written) {
  std::map<std::string, std::string> ours;
  std::map<std::string, std::string> others_before;
  std::map<std::string, std::string> others_after;
  for (const StatusEntry& entry : before.entries) {
    if (!written.concerns(entry)) others_before.emplace(entry.path, encoded(entry));
  }
  for (const StatusEntry& entry : after.entries)
    (written.concerns(entry) ? ours : others_after).emplace(entry.path, encoded(entry));
  if (others_before == others_after) return std::nullopt;
  ours.merge(others_before);
  std::string bytes;
  for (const auto& [path, record] : ours) bytes += record;
  return bytes;
}

BlobId names_digest(const std::set<std::string>& names) {
  Sha256 hasher;
  for (const std::string& name : names) {
    hasher.update(name);
    hasher.update(std::string_view("\0", 1));
  }
  return BlobId{.digest = hasher.digest()};
}

// Remembers the new contents, whose ids the client gets. `writes` give up theirs.
void remember_contents(Workspace& workspace, const std::vector<FileRecord>& written,
                       std::vector<TreeWrite>& writes) {
  if (writes.size() > RecentContents::contents_max) return;
  for (TreeWrite& write : writes) {
    const auto record = std::ranges::find(written, write.change.path, &FileRecord::path);
    if (write.change.kind == TreeChange::Kind::write && record != written.end() && record->blob)
      workspace.recent_contents().put(record->path, *record->blob, std::move(write.change.bytes));
  }
}

// Tells the history which files the change wrote and deleted.
void note_own_writes(Workspace& workspace, const std::vector<FileRecord>& written,
                     const std::vector<TreeWrite>& writes) {
  std::map<std::string_view, const FileRecord*> made;
  for (const FileRecord& record : written) made.emplace(record.path, &record);
  std::vector<OwnWrite> own;
  for (const TreeWrite& write : writes) {
    const auto record = made.find(write.change.path);
    if (record == made.end() && write.change.kind != TreeChange::Kind::remove) continue;
    OwnWrite& each =
        own.emplace_back(OwnWrite{.path = write.change.path, .blob = {}, .before = write.existing});
    if (record == made.end()) continue;
    each.blob = record->second->blob;
    each.stat = record->second->stat;
  }
  workspace.own_writes().add(std::move(own));
}

Error after_write_error(const Error& error, const std::optional<UndoSnapshot>& undo) {
  const std::string way_back =
      undo ? " To go back, restore " + short_snapshot_id(undo->snapshot_id) + "." : std::string();
  return Error(ErrorCode::internal,
               "Everything was written, but the state of the repository could not be read afterwards: " +
                   error.message + way_back + " Read again without lease_id to get a new lease.",
               {}, error.cause);
}

}  // namespace

WorktreeChange::WorktreeChange(Workspace& workspace, std::stop_token stop)
    : workspace_(workspace), gate_(workspace.gate_mutex()), stop_(std::move(stop)) {}

Result<WorktreeChange> WorktreeChange::begin(Workspace& workspace, const std::optional<std::string>& lease_id,
                                             std::stop_token stop) {
  TRY(workspace.writer().recover(stop));
  WorktreeChange change(workspace, std::move(stop));
  if (lease_id) {
    change.lease_ = TRY(workspace.leases().use(*lease_id));
  }
  return change;
}

Result<std::optional<LeaseState>> WorktreeChange::retry_or_fail(Error error) {
  if (++tries_ == change_tries_max || stop_.stop_requested()) return error;
  return std::optional<LeaseState>();
}

Result<std::optional<LeaseState>> WorktreeChange::retry_if_changed(Error error) {
  if (error.code == ErrorCode::repo_changed) return retry_or_fail(std::move(error));
  return error;
}

Result<std::optional<LeaseState>> WorktreeChange::fail_or_retry(const Error& failure,
                                                                const MissingPaths& missed) {
  if (failure.code == ErrorCode::cancelled || !lease_) return retry_if_changed(failure);
  const GitStatus status = TRY(workspace_.status(stop_));
  Result<Unit> valid = check_lease(workspace_, *lease_, status, stop_);
  if (!valid) return retry_if_changed(std::move(valid).error());
  if (failure.code == ErrorCode::repo_changed && ++tries_ < change_tries_max && !stop_.stop_requested())
    return std::optional<LeaseState>();
  Result<Unit> recorded = record_absence(workspace_, *lease_, missed, stop_);
  if (recorded || failure.code == ErrorCode::repo_changed) return failure;
  return retry_if_changed(std::move(recorded).error());
}

Result<std::optional<LeaseState>> WorktreeChange::commit_or_retry(ChangePlan& plan,
                                                                  const MissingPaths& missed) {
  assert(gate_.owns_lock());  // False after a move.
  std::optional<GitStatus> before;
  if (lease_ || plan.writes.empty()) {
    before = TRY(workspace_.status(stop_));
  }
  if (lease_) {
    Result<Unit> valid = check_lease(workspace_, *lease_, *before, stop_);
    if (!valid) return retry_if_changed(std::move(valid).error());
  }
  Result<Unit> completed = add_missing_blobs(plan.inspected_files);
  if (!completed) return retry_or_fail(std::move(completed).error());
  if (plan.writes.empty()) return update_lease_only(plan, *std::move(before), missed);
  return write_and_update_lease(plan, lease_ ? &*before : nullptr);
}

// Reads the inspected files that changed so recently that an equal stat would not prove later that they are
// unchanged.
Result<Unit> WorktreeChange::add_missing_blobs(std::vector<FileRecord>& seen) {
  for (FileRecord& record : seen) {
    if (!record.blob) record.blob = workspace_.stat_cache().find(record.path, record.stat);
    if (record.blob || !is_racy(record.stat, record.seen_ns)) continue;
    Result<FileRecord> observed = observe_file(workspace_.root(), record.path, stop_);
    if (!observed && observed.error().code == ErrorCode::cancelled) return std::move(observed).error();
    if (!observed || observed->stat != record.stat) return changed_while_read_error(record.path);
    record = *std::move(observed);
  }
  return Unit{};
}

Result<std::optional<LeaseState>> WorktreeChange::update_lease_only(ChangePlan& plan, GitStatus status,
                                                                    const MissingPaths& missed) {
  Result<std::vector<FileRecord>> absent = absence_records(workspace_.root(), missed, stop_);
  if (!absent) return retry_if_changed(std::move(absent).error());
  if (!records_are_unchanged(workspace_.root(), plan.inspected_files))
    return retry_or_fail(work_tree_changed_error("examined"));
  for (FileRecord& record : *absent) plan.inspected_files.push_back(std::move(record));
  Fingerprint fingerprint = status.fingerprint;
  if (lease_) {
    Result<Unit> touched = workspace_.leases().add_touched(*lease_, {.records = plan.inspected_files});
    if (!touched) return retry_if_changed(std::move(touched).error());
    return std::optional(LeaseState{.lease_id = lease_->id(), .fingerprint = std::move(fingerprint)});
  }
  TRY(workspace_.prepare_store());
  LeaseBase base{.fingerprint = fingerprint, .status = std::move(status.porcelain_output)};
  std::string issued = workspace_.leases().issue(base, {.records = plan.inspected_files});
  return std::optional(LeaseState{.lease_id = std::move(issued), .fingerprint = std::move(fingerprint)});
}

namespace {

// The lease's records of untracked folders, updated with the names that `writes` add and remove. Called
// before the writes.
Result<std::vector<FileRecord>> folders_after_writes(Workspace& workspace, const Lease& lease,
                                                     const std::vector<TreeWrite>& writes,
                                                     const std::stop_token& stop) {
  std::vector<FileRecord> moved;
  std::optional<LiveView> view;
  for (const FileRecord& record : lease.touched()) {
    bool affected =
        S_ISDIR(record.stat.mode) && std::any_of(writes.begin(), writes.end(), [&](const auto& write) {
          return is_at_or_below_folder(write.change.path, record.path);
        });
    if (!affected) continue;
    if (!view) view.emplace(workspace, false, stop);
    const Listing* listing = TRY(view->listing());
    std::set<std::string> names;
    auto [first, last] = range_below(*listing, record.path);
    for (std::size_t i = first; i < last; ++i) names.emplace(listing->path(i));
    for (const TreeWrite& write : writes) {
      const std::string& path = write.change.path;
      if (!is_at_or_below_folder(path, record.path)) continue;
      if (removes(write.change)) {
        names.erase(path);
        continue;
      }
      bool ignored = TRY(workspace.ignores(path, false));
      if (!ignored) names.insert(path);
    }
    FileRecord after = names.empty() ? absence_of(record.path) : record;
    if (!names.empty()) after.blob = names_digest(names);
    moved.push_back(std::move(after));
  }
  return moved;
}

// The current records of the untracked folders that the lease touched. A change of ignore rules changes what
// these folders list, although no file in them has changed.
Result<std::vector<FileRecord>> current_folder_records(Workspace& workspace, const Lease& lease,
                                                       const GitStatus& after) {
  std::map<std::string, FileRecord> folders;
  for (const FileRecord& record : lease.touched()) {
    if (S_ISDIR(record.stat.mode)) folders.emplace(record.path, absence_of(record.path));
  }
  std::vector<FileRecord> found;
  if (folders.empty()) return found;
  LiveView view(workspace, false, {});
  const Listing* listing = TRY(view.listing());
  for (FileRecord& record : folder_records(workspace, after, *listing)) {
    std::string path = record.path;
    folders.insert_or_assign(std::move(path), std::move(record));
  }
  for (auto& [path, record] : folders) found.push_back(std::move(record));
  return found;
}

}  // namespace

Result<std::optional<LeaseState>> WorktreeChange::write_and_update_lease(ChangePlan& plan,
                                                                         const GitStatus* before) {
  TRY(workspace_.prepare_store());
  std::vector<FileRecord> records;
  bool new_rules = std::any_of(plan.writes.begin(), plan.writes.end(), affects_ignore_rules);
  if (lease_ && !new_rules) {
    records = TRY(folders_after_writes(workspace_, *lease_, plan.writes, stop_));
  }
  Result<std::unique_ptr<UndoCapture>> undo = capture_replaced(workspace_, plan.writes, plan.undo, stop_);
  if (!undo) return retry_if_changed(std::move(undo).error());
  Result<std::vector<FileRecord>> written =
      workspace_.writer().write(plan.writes, plan.options, undo->get(), stop_);
  if (!written && *undo) workspace_.blobs().abandon_puts();
  if (!written) return retry_if_changed(std::move(written).error());

  // From here on the change is made and cannot be cancelled.
  if (*undo) undo_ = (*undo)->undo_snapshot();
  std::set<std::string_view> changed;
  std::vector<std::string> made;
  const std::vector<FileRecord>& files = *written;
  remember_contents(workspace_, files, plan.writes);
  note_own_writes(workspace_, files, plan.writes);
  for (const TreeWrite& write : plan.writes) {
    changed.insert(write.change.path);
    if (!removes(write.change)) made.push_back(write.change.path);
    if (write.change.kind == TreeChange::Kind::remove) records.push_back(absence_of(write.change.path));
  }
  if (lease_)
    for (FileRecord& record : parents_that_may_appear(*lease_, made)) records.push_back(std::move(record));
  for (FileRecord& record : plan.inspected_files) {
    if (!changed.contains(record.path)) records.push_back(std::move(record));
  }
  std::move(written->begin(), written->end(), std::back_inserter(records));
  Result<GitStatus> after = workspace_.status({});
  if (!after) return after_write_error(after.error(), undo_);
  if (lease_ && new_rules) {
    Result<std::vector<FileRecord>> folders = current_folder_records(workspace_, *lease_, *after);
    if (!folders) return after_write_error(folders.error(), undo_);
    std::move(folders->begin(), folders->end(), std::back_inserter(records));
  }
  Result<LeaseState> state = update_lease(before, *std::move(after), std::move(records),
                                          new_rules ? std::vector<TreeWrite>() : plan.writes);
  if (!state) return after_write_error(state.error(), undo_);
  return std::optional(*std::move(state));
}

// Updates the lease after the change. `writes` identifies this change, so that edits of other processes are
// not taken for it. It is empty if ignore rules were written, because these may have changed the status of
// any file.
Result<LeaseState> WorktreeChange::update_lease(const GitStatus* before, GitStatus after,
                                                std::vector<FileRecord> records,
                                                const std::vector<TreeWrite>& writes) {
  LeaseBase base{.fingerprint = after.fingerprint, .status = {}};
  if (before != nullptr) {
    std::optional<std::string> undisturbed;
    if (!writes.empty()) undisturbed = without_foreign_edits(*before, after, Written(workspace_, writes));
    base.fingerprint.head_oid = before->fingerprint.head_oid;
    base.fingerprint.index_oid = before->fingerprint.index_oid;
    if (undisturbed) {
      base.fingerprint.status_hash = sha256_hex(*undisturbed);
      base.status = std::move(undisturbed);
    }
  }
  if (!base.status) base.status = std::move(after.porcelain_output);
  if (!lease_) {
    std::string issued = workspace_.leases().issue(base, {.records = std::move(records)});
    return LeaseState{.lease_id = std::move(issued), .fingerprint = std::move(after.fingerprint)};
  }
  TRY(workspace_.leases().update_base(*lease_, base, records));
  return LeaseState{.lease_id = lease_->id(), .fingerprint = std::move(after.fingerprint)};
}

}  // namespace snapgen::core
