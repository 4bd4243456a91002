#pragma once
// apply_patch applies a patch to the work tree. patch_snapshot applies one to a snapshot, which makes another
// snapshot. A patch applies as a whole or not at all.
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/operations/change_worktree.h"
#include "tools/engine/operations/planned_diff.h"
#include "tools/engine/patch/plan.h"
#include "tools/engine/store/snapshots/snapshot_store.h"

namespace snapgen::core {

class Workspace;

struct PatchQuery {
  std::string patch;
  // The id of a rejected patch, of which `patch` corrects parts (continue_patch()).
  std::optional<std::string> continued_id;
  std::optional<bool> dry_run;     // Write nothing; nullopt: as the patch that it continues, or false.
  bool exact_lines = false;        // As PatchPlanOptions::exact_lines.
  std::int64_t context_lines = 0;  // As PatchPlanOptions::context_lines.
  bool discard_contents = false;   // Do not store contents that the patch replaces or deletes.
};

struct PatchAnswer {
  bool is_applied = false;
  std::vector<PatchedFile> files;  // The changes of the patch, or those it would make without rejects.
  std::vector<Reject> rejects;     // Every conflict with the tree.
  std::string patch_id;            // For PatchQuery::continued_id; empty if the patch was not stored.
  PlannedDiff diff;                // Of a dry run on the work tree.
};

// Applies the patch to the work tree, and removes folders that lose their last file, as git does. The writes
// are durable on return. Errors: as WorktreeChange; not_found (there is no rejected patch with this id);
// invalid_argument (it was for another tree).
Result<ChangeResult<PatchAnswer>> apply_patch(Workspace& workspace,
                                              const std::optional<std::string>& lease_id,
                                              const PatchQuery& query, const std::stop_token& stop);

struct PatchedSnapshot {
  PatchAnswer answer;
  // The patched snapshot, which has the original's fingerprint; null unless the patch was applied.
  std::shared_ptr<const Snapshot> snapshot;
};

// Errors: invalid_argument (a snapshot of another folder of the repository, or a rejected patch for another
// tree); not_found (there is no rejected patch with this id); internal (the snapshot is
// damaged); unavailable; cancelled.
Result<PatchedSnapshot> patch_snapshot(Workspace& workspace, std::shared_ptr<const Snapshot> snapshot,
                                       const PatchQuery& query, const std::stop_token& stop);

}  // namespace snapgen::core
