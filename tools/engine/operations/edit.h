#pragma once
// Changes the work tree through a lease: inspects files, checks the lease, writes, and updates the lease.
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
struct EditPlan {
  std::vector<TreeWrite> writes;  // One per path; empty: the call changes nothing.
  WriteOptions options;
  std::vector<FileRecord> inspected_files;  // The inspected files that the answer depends on.
  UndoRequest undo;
};

// The requested paths that do not exist; also set if the call fails.
using MissingPaths = std::vector<std::string>;

// The answer of a call that may have changed the tree.
template <class T>
struct EditResult {
  T value;
  LeaseState lease;
  // nullopt: nothing was replaced or deleted, or the client asked to discard it.
  std::optional<UndoSnapshot> undo;
};

template <class T>
struct ProposedEdit {
  T answer;
  EditPlan plan;
};

// One call's edit: finds the lease, then inspects and validates until the result is valid. During its
// lifetime, no other call of this process writes.
class WorktreeEdit {
 public:
  // Begins an edit through the lease; without a lease_id a new one will be issued. Errors: not_found (no such
  // lease); unavailable.
  static Result<WorktreeEdit> begin(Workspace& workspace, const std::optional<std::string>& lease_id,
                                    std::stop_token stop);

  // Called after the files were inspected. `failure` is the error that ended the inspection; if it is null,
  // `plan` is set. Returns the lease's state; nullopt if the caller must inspect again; or the error to
  // return: stale_lease before any other, then `failure`, then as Writer::write(). After an error other than
  // `internal` nothing has changed.
  Result<std::optional<LeaseState>> validate(EditPlan* plan, const Error* failure,
                                             const MissingPaths& missed = {});

  // The snapshot of the replaced content, once the change was made.
  std::optional<UndoSnapshot> undo_snapshot() const { return undo_; }

 private:
  WorktreeEdit(Workspace& workspace, std::stop_token stop);
  Result<std::optional<LeaseState>> retry_or_fail(Error error);
  Result<std::optional<LeaseState>> retry_if_changed(Error error);  // Fails with any other error.
  Result<std::optional<LeaseState>> validate_failed_edit(const Error& failure, const MissingPaths& missed);
  Result<std::optional<LeaseState>> validate_unchanged(EditPlan& plan, GitStatus status,
                                                       const MissingPaths& missed);
  Result<std::optional<LeaseState>> write(EditPlan& plan, const GitStatus* before);
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

// Makes one edit. `inspect` inspects the files, as `Result<ProposedEdit<T>>(MissingPaths&)`. It is called
// again if the tree changed meanwhile.
template <class F, class T = decltype(std::declval<F&>()(std::declval<MissingPaths&>())->answer)>
Result<EditResult<T>> edit_worktree(Workspace& workspace, const std::optional<std::string>& lease_id,
                                    const std::stop_token& stop, F inspect) {
  WorktreeEdit edit = TRY(WorktreeEdit::begin(workspace, lease_id, stop));
  while (true) {
    MissingPaths missed;
    Result<ProposedEdit<T>> proposal = inspect(missed);
    std::optional<LeaseState> state = TRY(
        edit.validate(proposal ? &proposal->plan : nullptr, proposal ? nullptr : &proposal.error(), missed));
    if (state)
      return EditResult<T>{
          .value = std::move(proposal->answer), .lease = *std::move(state), .undo = edit.undo_snapshot()};
  }
}

}  // namespace snapgen::core
