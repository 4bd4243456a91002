#pragma once
// Coherent reading of the live tree. What a call answers is the state of one instant, the instant of the
// fingerprint that goes with it: the call reads first and checks afterwards that nothing it read has changed;
// if it has, it reads again.
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/files/root.h"
#include "tools/engine/files/siblings.h"
#include "tools/engine/git/file_list.h"
#include "tools/engine/git/fingerprint.h"
#include "tools/engine/store/file_record.h"
#include "tools/engine/store/lease.h"
#include "tools/engine/workspace/live_view.h"

namespace snapgen::core {

class Workspace;

// What goes with every answer about the live tree.
struct LeaseState {
  std::string lease_id;
  Fingerprint fingerprint;
};

template <class T>
struct Coherent {
  T value;
  LeaseState lease;
};

// stale_lease, if the tree is no longer what the lease saw: another fingerprint than its base, or a touched
// file with another content. Details: {"changed_paths":[...],"fingerprint":{...}}. repo_changed: as
// LeaseStore::touch().
// `touched`: what this call has read; where it is what the lease saw, it is not looked at again. May be null.
Result<Unit> check_lease(Workspace& workspace, Lease& lease, const Status& status,
                         const std::stop_token& stop, const Touched* touched = nullptr);

// The names below each folder in which something may appear without a change of the fingerprint, a record for
// each: untracked folders, which `git status` shows as one line; paths at which git has a file and finds
// none, where a folder may stand or come, which it does not show; and the whole workspace, "", where it shows
// nothing untracked, or the workspace itself stands in such a folder.
std::vector<FileRecord> folder_records(Workspace& workspace, const Status& status, const Listing& listing);

// Whether such a record says that there is no name, and nothing stands there: then no listing need be asked.
bool is_still_nothing(const FileRecord& folder, Siblings& siblings);

// Whether every file still has the stat of its record, and is not there if the record says that.
bool is_unchanged(const Root& root, const std::vector<FileRecord>& records);

// The status that closes a call, after all was read; of very many records, the same walk tells of each
// whether it still stands, if nobody watches. Errors: as Workspace::status_and_files().
struct Closing {
  Status status;
  std::shared_ptr<const FileList> files;  // as the walk met them; null: the files must be looked at

  bool is_unchanged(const Root& root, const std::vector<FileRecord>& records) const;
  bool is_unchanged(const Root& root, const Touched& touched) const;  // If there are files.
};
Result<Closing> close_reading(Workspace& workspace, std::size_t records, const std::stop_token& stop);

// The same for these files of a listing. Where one does not, and a watch was not told, the next listing looks
// for itself.
bool is_unchanged(const Workspace& workspace, const FileList& files, std::span<const std::uint32_t> indexes);

// The same for what a view was shown of. Where the watch has told of nothing since the view's listing, what
// was read since then was read as of that moment, and so need not be looked at once more: a write that no
// watch sees came after it, and the next check of the lease finds it.
bool is_unchanged(Workspace& workspace, const LiveView& view, const Touched& touched);

// One call's way through: find the lease, then read and validate until it is valid.
class WorktreeReading {
 public:
  WorktreeReading(Workspace& workspace, const std::optional<std::string>& lease_id, std::stop_token stop);

  // Without a lease the view must look at the status before it lists.
  bool needs_status() const { return lease_ == nullptr; }
  const std::shared_ptr<Lease>& lease() const { return lease_; }  // Null: a new one will be issued.

  // After reading through `view`; `failure` is the error that ended it, or null. The lease's state; or none:
  // read again; or the error to answer: stale_lease before all others, then `failure`.
  Result<std::optional<LeaseState>> validate(LiveView& view, const Error* failure);

 private:
  Result<std::optional<LeaseState>> again(Error error);
  Result<std::optional<LeaseState>> failed(const LiveView& view, const Error& failure);
  Result<Touched> touched_of(LiveView& view);

  Workspace& workspace_;
  std::shared_ptr<Lease> lease_;  // Null: a new one will be issued.
  std::stop_token stop_;
  int tries_ = 0;
};

// `read`: Result<T>(LiveView&). It is called again, with a fresh view, when the tree changed under it. An
// unknown or expired lease is as none: a new one is issued.
template <class F, class T = std::remove_cvref_t<decltype(*std::declval<F&>()(std::declval<LiveView&>()))>>
Result<Coherent<T>> read_worktree(Workspace& workspace, const std::optional<std::string>& lease_id,
                                  const std::stop_token& stop, F read) {
  WorktreeReading reading(workspace, lease_id, stop);
  while (true) {
    LiveView view(workspace, reading.needs_status(), stop);
    view.set_lease(reading.lease());
    Result<T> value = read(view);
    std::optional<LeaseState> state = TRY(reading.validate(view, value ? nullptr : &value.error()));
    if (state) return Coherent<T>{.value = *std::move(value), .lease = *std::move(state)};
  }
}

// The same for an answer that no lease goes with, and that may mix states where somebody edits meanwhile:
// every file is told as it stood at some instant of the call. Nothing is kept of what was touched.
template <class F, class T = std::remove_cvref_t<decltype(*std::declval<F&>()(std::declval<LiveView&>()))>>
Result<T> read_without_lease(Workspace& workspace, const std::stop_token& stop, F read) {
  constexpr int tries = 3;
  for (int tried = 1;; ++tried) {
    LiveView view(workspace, false, stop, false);
    Result<T> value = read(view);
    if (value || value.error().code != ErrorCode::repo_changed || tried == tries) return value;
  }
}

}  // namespace snapgen::core
