#pragma once
// plan_edits() makes the edits of a call in memory. It returns all changes, or all faults; nothing is written
// here.
#include <cstdint>
#include <stop_token>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/edit/edit.h"
#include "tools/engine/edit/edited_tree.h"

namespace snapgen::core {

struct EditPlanOptions {
  std::int64_t context_lines = 0;  // As lines_around() (patch/shown_lines.h); 0: show none.
  std::int64_t total_bytes_max = std::int64_t{1} << 30;  // The limit for all new contents together.
  TextEncodings* encodings = nullptr;                    // As in EditedTree.
};

struct EditPlan {
  std::vector<TreeChange> changes;  // Sorted by path, at most one per path. Empty if there are faults.
  std::vector<EditedFile> files;    // Sorted by path. Empty if there are faults.
  std::vector<EditFault> faults;    // In the order of the edits.
  std::vector<EditNote> notes;      // In the order of the edits.
};

// Errors: those of the tree, except for paths that only one edit names; cancelled.
Result<EditPlan> plan_edits(const std::vector<Edit>& edits, EditSource& source,
                            const EditPlanOptions& options = {}, const std::stop_token& stop = {});

}  // namespace snapgen::core
