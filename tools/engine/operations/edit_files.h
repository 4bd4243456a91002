#pragma once
// edit_files makes the edits of a call in the work tree, all or none.
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/edit/edit.h"
#include "tools/engine/operations/change_worktree.h"
#include "tools/engine/operations/planned_diff.h"

namespace snapgen::core {

class Workspace;

struct EditQuery {
  std::vector<Edit> edits;
  bool dry_run = false;            // Write nothing.
  std::int64_t context_lines = 0;  // As EditPlanOptions::context_lines.
  bool discard_contents = false;   // Do not store contents that the edits replace or delete.
};

struct EditAnswer {
  bool is_applied = false;
  std::vector<EditedFile> files;  // What the edits change, or would change; empty if there are faults.
  std::vector<EditFault> faults;  // Everything that is wrong with the edits.
  std::vector<EditNote> notes;
  PlannedDiff diff;  // Of a dry run.
};

// Follows symlinks as write_file() does, but moves and deletes a symlink itself. Removes folders that lose
// their last file, as apply_patch() does. The writes are durable on return. Errors: too_large (all contents
// together); as WorktreeChange.
Result<ChangeResult<EditAnswer>> edit_files(Workspace& workspace, const std::optional<std::string>& lease_id,
                                            const EditQuery& query, const std::stop_token& stop);

}  // namespace snapgen::core
