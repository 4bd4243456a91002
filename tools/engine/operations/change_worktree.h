#pragma once
// change_worktree() changes the work tree through a lease: it plans the change from the files that it
// inspects, checks the lease, changes the tree, and updates the lease. WorktreeChange::commit_or_retry() is
// the only function of the operations that changes the tree.
//
// Concurrent edits by other processes are not lost. The inspected files are compared with the lease
// afterwards, so they are what the lease recorded. The writer replaces only the inspected versions of files.
// The lease's new base excludes edits that other processes made meanwhile, so its next use detects them.
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <stop_token>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/operations/undo.h"
#include "tools/engine/patch/change.h"
#include "tools/engine/workspace/coherent.h"
#include "tools/engine/write/writer.h"

namespace snapgen::core {

class Workspace;

// The plan that a call makes from the inspected files.
struct ChangePlan {
  std::vector<TreeWrite> writes;  // One per path; empty: the call changes nothing.
  WriteOptions options;
  std::vector<FileRecord> inspected_files;  // The inspected files that the answer depends on.
  UndoRequest undo;
};

// The requested paths that do not exist; also set if the call fails.
using MissingPaths = std::vector<std::string>;

// The answer of a call that may have changed the tree.
template <class T>
struct ChangeResult {
  T value;
  LeaseState lease;
  // nullopt: nothing was replaced or deleted, or the client asked to discard it.
  std::optional<UndoSnapshot> undo;
};

template <class T>
struct ProposedChange {
  T answer;
  ChangePlan plan;
};

// One call's change of the tree: finds the lease, then commits the caller's plan, which the caller makes
// again if the tree changed meanwhile. During its lifetime, no other call of this process writes.
class WorktreeChange {
 public:
  // Begins a change through the lease; without a lease_id a new one will be issued. Errors: not_found (no
  // such lease); unavailable.
  static Result<WorktreeChange> begin(Workspace& workspace, const std::optional<std::string>& lease_id,
                                      std::stop_token stop);

  // Changes the tree: checks the lease and the inspected files, captures what `plan` replaces, passes its
  // writes to Writer::write(), and updates the lease or issues one. Changes nothing if the plan has no
  // writes. `missed` are the missing paths that the plan depends on. Returns the lease's state; nullopt if
  // the tree has changed since it was inspected, nothing was written, and the caller must plan again. Errors:
  // stale_lease before any other; repo_changed (the tree changed at every try); as Writer::write(). After an
  // error other than `internal` nothing has changed.
  Result<std::optional<LeaseState>> commit_or_retry(ChangePlan& plan, const MissingPaths& missed = {});

  // Called instead of commit_or_retry() if `failure` ended the planning. Checks the lease and adds the
  // missing paths to it; the tree is not changed. Returns nullopt if the caller must plan again, or the error
  // to return: stale_lease before any other, then `failure`.
  Result<std::optional<LeaseState>> fail_or_retry(const Error& failure, const MissingPaths& missed);

  // The snapshot of the replaced content, once the change was made.
  std::optional<UndoSnapshot> undo_snapshot() const { return undo_; }

 private:
  WorktreeChange(Workspace& workspace, std::stop_token stop);
  Result<std::optional<LeaseState>> retry_or_fail(Error error);
  Result<std::optional<LeaseState>> retry_if_changed(Error error);  // Fails with any other error.
  // Completes a call whose plan has no writes.
  Result<std::optional<LeaseState>> update_lease_only(ChangePlan& plan, GitStatus status,
                                                      const MissingPaths& missed);
  // `before` is the status that was compared with the lease; null without a lease.
  Result<std::optional<LeaseState>> write_and_update_lease(ChangePlan& plan, const GitStatus* before);
  Result<LeaseState> update_lease(const GitStatus* before, GitStatus after, std::vector<FileRecord> records,
                                  const std::vector<TreeWrite>& writes);
  Result<Unit> add_missing_blobs(std::vector<FileRecord>& seen);

  Workspace& workspace_;
  std::unique_lock<std::shared_mutex> gate_;
  std::shared_ptr<Lease> lease_;  // Null: a new one will be issued.
  std::stop_token stop_;
  std::optional<UndoSnapshot> undo_;
  int tries_ = 0;
};

// Makes one change of the work tree. `plan` inspects files and proposes the change, as
// `Result<ProposedChange<T>>(MissingPaths&)`. It changes nothing itself, and is called again if the tree
// changed meanwhile. Errors: as WorktreeChange and `plan`.
template <class F, class T = decltype(std::declval<F&>()(std::declval<MissingPaths&>())->answer)>
Result<ChangeResult<T>> change_worktree(Workspace& workspace, const std::optional<std::string>& lease_id,
                                        const std::stop_token& stop, F plan) {
  WorktreeChange change = TRY(WorktreeChange::begin(workspace, lease_id, stop));
  while (true) {
    MissingPaths missed;
    Result<ProposedChange<T>> proposal = plan(missed);
    std::optional<LeaseState> state = TRY(proposal ? change.commit_or_retry(proposal->plan, missed)
                                                   : change.fail_or_retry(proposal.error(), missed));
    if (state)
      return ChangeResult<T>{
          .value = std::move(proposal->answer), .lease = *std::move(state), .undo = change.undo_snapshot()};
  }
}

}  // namespace snapgen::core
