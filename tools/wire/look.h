#pragma once
// Checks that run nothing: they look at files. What `snap`, mode check, and `check` have in common.
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/app.h"
#include "tools/core/check/report.h"
#include "tools/core/snapshot/snapshot_store.h"
#include "tools/core/substrate.h"

namespace snapgen::tools {

// What a check is about.
struct CheckScope {
  std::vector<std::string> paths;  // Sorted.
  bool is_named = false;           // By the call.
  // What the task began with; null: there is no task, or that snapshot was swept away.
  std::shared_ptr<const core::Snapshot> before;
};

// The files that were named; else what changed since the task, or without one the newest open task, began;
// else what is uncommitted. Errors: not_found (no such task).
Result<CheckScope> scope_of(core::Substrate& substrate, const std::optional<std::string>& task_id,
                            const std::optional<std::vector<std::string>>& files,
                            const std::stop_token& stop);

// Whether what a merge left behind is looked for as well.
enum class Conflicts : bool { left_out, too };

// Promoted violations that can be recognised, in these files; they count as lint. An error is what is to be
// looked for by a program, and a conflict.
Result<core::CheckReport> look_for_patterns(App& app, const std::vector<std::string>& paths,
                                            Conflicts conflicts, const std::stop_token& stop);

}  // namespace snapgen::tools
