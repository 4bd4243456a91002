#pragma once
// Changing the live tree through a lease: look, check the lease, write, and move the lease along.
//
// Nothing is lost to others who edit meanwhile. What a call looked at is compared with the lease afterwards,
// so it is what the lease saw; the writer refuses to replace anything but what the call looked at; and what
// anybody else changed until the new fingerprint was taken is kept out of the lease's new base, so that the
// next use of the lease finds it.
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

// What a call makes of what it found.
struct EditPlan {
  std::vector<TreeWrite> writes;  // One for each path; none: the call changes nothing.
  WriteOptions options;
  std::vector<FileRecord> seen;  // Files that the answer speaks of, as they stood.
  UndoRequest undo;
};

// The paths that a call asked for and that are not there; if it fails, too.
using Missed = std::vector<std::string>;

// The answer of a call that may have changed the tree.
template <class T>
struct Edited {
  T value;
  LeaseState lease;
  std::optional<Undo> undo;  // None: nothing was replaced or deleted, or the client asked to discard it.
};

template <class T>
struct Proposal {
  T answer;
  EditPlan plan;
};

// One call's way through: find the lease, then look and validate until it is valid. While it lives, no other
// call of this process writes.
class WorktreeEdit {
 public:
  // Errors: not_found (no such lease; without a lease_id a new one will be issued); unavailable.
  static Result<WorktreeEdit> begin(Workspace& workspace, const std::optional<std::string>& lease_id,
                                    std::stop_token stop);

  // After looking; `failure` is the error that ended it, or null, and then `plan` is not. The lease's state;
  // or none: look again; or the error to answer: stale_lease before all others, then `failure`, then as
  // Writer::write(). After an error that is not `internal` nothing has changed.
  Result<std::optional<LeaseState>> validate(EditPlan* plan, const Error* failure, const Missed& missed = {});

  // After a change was made: the snapshot of what it replaced.
  std::optional<Undo> undo() const { return undo_; }

 private:
  WorktreeEdit(Workspace& workspace, std::stop_token stop);
  Result<std::optional<LeaseState>> again(Error error);
  Result<std::optional<LeaseState>> failed(const Error& failure, const Missed& missed);
  Result<std::optional<LeaseState>> validate_unchanged(EditPlan& plan, Status status, const Missed& missed);
  Result<std::optional<LeaseState>> write(EditPlan& plan, const Status* before);
  Result<LeaseState> follow(const Status* before, Status after, std::vector<FileRecord> records,
                            const std::vector<TreeWrite>& writes);
  Result<Unit> complete(std::vector<FileRecord>& seen);

  Workspace& workspace_;
  std::unique_lock<std::shared_mutex> gate_;
  std::shared_ptr<Lease> lease_;  // Null: a new one will be issued.
  std::stop_token stop_;
  std::optional<Undo> undo_;
  int tries_ = 0;
};

// `look`: Result<Proposal<T>>(Missed&). It is called again when the tree changed under it.
template <class F, class T = decltype(std::declval<F&>()(std::declval<Missed&>())->answer)>
Result<Edited<T>> edit_worktree(Workspace& workspace, const std::optional<std::string>& lease_id,
                                const std::stop_token& stop, F look) {
  WorktreeEdit edit = TRY(WorktreeEdit::begin(workspace, lease_id, stop));
  while (true) {
    Missed missed;
    Result<Proposal<T>> proposal = look(missed);
    std::optional<LeaseState> state = TRY(
        edit.validate(proposal ? &proposal->plan : nullptr, proposal ? nullptr : &proposal.error(), missed));
    if (state)
      return Edited<T>{.value = std::move(proposal->answer), .lease = *std::move(state), .undo = edit.undo()};
  }
}

}  // namespace snapgen::core
