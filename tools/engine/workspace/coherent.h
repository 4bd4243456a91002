#pragma once
// Coherent reads of the work tree. The result of a call is the state at the instant of its fingerprint: the
// call reads, then checks that nothing it read has changed, and reads again if it has.
//
// The check has these steps, with the gate of the workspace locked from the second one on: no write is
// unfinished; the status after the read; what the view touched is unchanged; what the lease recorded is
// unchanged; the watch has reported all changes of these files; the lease records what was touched.
// WorktreeReading waits for each of them, and NonBlockingRead gives up where it would have to wait.
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/files/root.h"
#include "tools/engine/files/sibling_opener.h"
#include "tools/engine/git/status/fingerprint.h"
#include "tools/engine/git/walk/file_list.h"
#include "tools/engine/store/caches/file_record.h"
#include "tools/engine/store/leases/lease.h"
#include "tools/engine/watch/live_tree.h"
#include "tools/engine/workspace/live_view.h"

namespace snapgen::core {

class Workspace;

// Part of every answer about the work tree.
struct LeaseState {
  std::string lease_id;
  Fingerprint fingerprint;
};

template <class T>
struct WithLease {
  T value;
  LeaseState lease;
};

// Checks that the tree is what the lease recorded. `touched`: the files that this call has read, which need
// no second check; may be null. Errors: stale_lease (another fingerprint than the lease's base, or a touched
// file with another content; `stale_lease.h` has the details); repo_changed, as LeaseStore::add_touched().
Result<Unit> check_lease(Workspace& workspace, Lease& lease, const GitStatus& status,
                         const std::stop_token& stop, const TouchedFiles* touched = nullptr);

// Records of the names below each folder in which a file may appear without a change of the fingerprint:
// untracked folders, which `git status` shows as one line; paths with a missing tracked file, where a folder
// may exist that it does not show; and the whole workspace, "", if git shows no untracked files or the
// workspace is in an untracked folder.
std::vector<FileRecord> folder_records(Workspace& workspace, const GitStatus& status, const Listing& listing);

// Whether the record of `folder` has no names and the folder does not exist, so that no listing is needed.
bool is_still_absent(const FileRecord& folder, SiblingOpener& siblings);

// Whether every file has the stat of its record, or does not exist if the record is of an absence.
bool records_are_unchanged(const Root& root, const std::vector<FileRecord>& records);

// The status that ends a read. If there are very many records and no watch, the same walk also lists the
// files for comparison. Errors: as Workspace::status_and_files().
struct FinalState {
  GitStatus status;
  // The files that the walk listed; null: they must be examined one by one.
  std::shared_ptr<const FileList> files;

  // As records_are_unchanged() above, from `files` if it is set.
  bool records_are_unchanged(const Root& root, const std::vector<FileRecord>& records) const;
  // Whether everything that a read touched is unchanged. `files` must be set.
  bool touched_files_are_unchanged(const Root& root, const TouchedFiles& touched) const;
};
Result<FinalState> read_final_state(Workspace& workspace, std::size_t records, const std::stop_token& stop);

// Whether these files of a listing have the listed stats. A changed file that the watch did not report makes
// the next listing examine it.
bool listed_files_are_unchanged(const Workspace& workspace, const FileList& files,
                                std::span<const std::uint32_t> indexes);

// Whether the files that a view has shown are unchanged. If the watch has reported nothing since the view's
// listing, files that were read since are unchanged as of that instant. A write that no watch sees counts as
// later, and the next check of the lease detects it.
bool view_is_still_current(Workspace& workspace, const LiveView& view, const TouchedFiles& touched);

// One call's read: finds the lease, then reads and validates until the result is valid.
class WorktreeReading {
 public:
  WorktreeReading(Workspace& workspace, const std::optional<std::string>& lease_id, std::stop_token stop);

  // Without a lease, the view must read the status before it lists files.
  bool needs_status() const { return lease_ == nullptr; }
  const std::shared_ptr<Lease>& lease() const { return lease_; }  // Null: a new one will be issued.

  // Called after reading through `view`; `failure` is the error that ended the read, or null. Returns the
  // lease's state; nullopt if the caller must read again; or the error to return: stale_lease before any
  // other, then `failure`. Errors: as check_lease(), read_final_state() and Writer::recover(); repo_changed
  // (the tree changed at every try); cancelled.
  Result<std::optional<LeaseState>> validate(LiveView& view, const Error* failure);

 private:
  Result<std::optional<LeaseState>> retry_or_fail(Error error);
  Result<std::optional<LeaseState>> retry_if_changed(Error error);  // Fails with any other error.
  Result<std::optional<LeaseState>> validate_failed_read(const LiveView& view, const Error& failure);
  Result<TouchedFiles> touched_of(LiveView& view);

  Workspace& workspace_;
  std::shared_ptr<Lease> lease_;  // Null: a new one will be issued.
  std::stop_token stop_;
  int tries_ = 0;
};

// Reads the work tree with `read`, a `Result<T>(LiveView&)`. It is called again with a new view if the tree
// changed meanwhile. An unknown or expired lease is replaced by a new one.
template <class F, class T = std::remove_cvref_t<decltype(*std::declval<F&>()(std::declval<LiveView&>()))>>
Result<WithLease<T>> read_worktree(Workspace& workspace, const std::optional<std::string>& lease_id,
                                   const std::stop_token& stop, F read) {
  WorktreeReading reading(workspace, lease_id, stop);
  while (true) {
    LiveView view(workspace, reading.needs_status(), stop);
    view.set_lease(reading.lease());
    Result<T> value = read(view);
    std::optional<LeaseState> state = TRY(reading.validate(view, value ? nullptr : &value.error()));
    if (state) return WithLease<T>{.value = *std::move(value), .lease = *std::move(state)};
  }
}

// Like read_worktree(), but without a lease. The result may mix states if files are edited meanwhile: each
// file is as it was at some instant of the call. Touched files are not recorded.
template <class F, class T = std::remove_cvref_t<decltype(*std::declval<F&>()(std::declval<LiveView&>()))>>
Result<T> read_without_lease(Workspace& workspace, const std::stop_token& stop, F read) {
  constexpr int tries = 3;
  for (int tried = 1;; ++tried) {
    LiveView view(workspace, false, stop, false);
    Result<T> value = read(view);
    if (value || value.error().code != ErrorCode::repo_changed || tried == tries) return value;
  }
}

// Maximum size of a file that try_read() reads.
inline constexpr std::int64_t try_bytes_max = 64 << 10;

// A small coherent read on the calling thread, without a walk, a long wait for a lock, or a wait for another
// thread. It needs a quiet watched tree, and a lease that was used before and has few records. It returns the
// same as read_worktree(), or nullopt if the read would need more.
class NonBlockingRead {
 public:
  NonBlockingRead(Workspace& workspace, const std::string& lease_id);

  // Whether the read can be attempted.
  bool can_read() const { return before_.has_value(); }

  const std::shared_ptr<Lease>& lease() const { return lease_; }

  // Called after reading through `view`, if can_read(): the lease's state, or nullopt.
  std::optional<LeaseState> validate(LiveView& view);

 private:
  Workspace& workspace_;
  std::shared_ptr<Lease> lease_;
  std::optional<LiveTree::QuietStatus> before_;
};

// Reads with `read`, a `Result<T>(LiveView&)`. Returns nullopt also on failure: the caller then uses
// read_worktree().
template <class F, class T = std::remove_cvref_t<decltype(*std::declval<F&>()(std::declval<LiveView&>()))>>
std::optional<WithLease<T>> try_read(Workspace& workspace, const std::string& lease_id, F read) {
  NonBlockingRead reading(workspace, lease_id);
  if (!reading.can_read()) return std::nullopt;
  LiveView view(workspace, try_bytes_max);
  view.set_lease(reading.lease());
  Result<T> value = read(view);
  if (!value) return std::nullopt;
  std::optional<LeaseState> state = reading.validate(view);
  if (!state) return std::nullopt;
  return WithLease<T>{.value = *std::move(value), .lease = *std::move(state)};
}

}  // namespace snapgen::core
