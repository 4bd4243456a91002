#pragma once
// StepPlan: the steps of a change of the work tree, in order.
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/files/root.h"
#include "tools/engine/patch/change.h"
#include "tools/engine/write/journal.h"
#include "tools/engine/write/writer.h"

namespace snapgen::core {

struct StepPlan {
  // The steps in their order: removed files; folders that are in the way or become empty, deepest first; new
  // folders; new and changed files. Staged names are "<transaction>-<number>".
  std::vector<Step> steps;
  std::vector<const TreeWrite*> writes;  // The write of each step; null for steps on folders.
};

// Plans the steps for `writes`. `staging_mount`: mount_id_of() the staging folder. Errors: repo_changed (a
// path is not as expected); permission_denied; not_found.
Result<StepPlan> plan_steps(const Root& root, const std::vector<TreeWrite>& writes,
                            const WriteOptions& options, const std::string& transaction,
                            std::uint64_t staging_mount);

// Identifies a mount. Files cannot be renamed between different mounts.
std::uint64_t mount_id_of(int fd);

}  // namespace snapgen::core
