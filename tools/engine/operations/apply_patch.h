#pragma once
// apply_patch, patch_snapshot: a unified diff on the live tree, or on a snapshot, which gives another
// snapshot. All of it or nothing.
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/operations/edit.h"
#include "tools/engine/patch/plan.h"
#include "tools/engine/store/snapshot_store.h"

namespace snapgen::core {

class Workspace;

struct PatchQuery {
  std::string patch;
  bool dry_run = false;  // Nothing is written.
  bool allow_offset = false;
  bool discard = false;  // Contents that the patch replaces or deletes are not kept.
};

struct PatchAnswer {
  bool applied = false;
  std::vector<PatchedFile> files;  // What the patch does, or would do if nothing were rejected.
  std::vector<Reject> rejects;     // Everything that is in its way.
};

// Folders that lose their last file go away, as with git. Durable when it returns. Errors: as WorktreeEdit.
Result<Edited<PatchAnswer>> apply_patch(Workspace& workspace, const std::optional<std::string>& lease_id,
                                        const PatchQuery& query, const std::stop_token& stop);

struct PatchedSnapshot {
  PatchAnswer answer;
  std::shared_ptr<const Snapshot>
      snapshot;  // The new one, with the fingerprint of the old; null unless applied.
};

// Errors: invalid_argument (a snapshot of another folder of the repository); internal (it is damaged);
// unavailable; cancelled.
Result<PatchedSnapshot> patch_snapshot(Workspace& workspace, const Snapshot& snapshot,
                                       const PatchQuery& query, const std::stop_token& stop);

}  // namespace snapgen::core
