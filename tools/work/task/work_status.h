#pragma once
// WorkStatus: uncommitted files, how many of them could be restored, their risk, and related learnings.
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/operations/protection.h"
#include "tools/insight/risk/measure.h"
#include "tools/work/memory/memory.h"
#include "tools/work/task/task.h"
#include "tools/work/task/workspace_services.h"

namespace snapgen::core {

struct WorkStatus {
  std::vector<std::string> dirty;  // Uncommitted files, sorted.
  // Paths of the task at which there is no file, sorted. A file whose deletion is not committed is in `dirty`
  // instead.
  std::vector<std::string> missing;
  std::vector<std::string> not_checked_out;  // The missing paths that a sparse checkout omits.
  std::vector<std::string> unmerged;         // As unmerged_files().
  std::vector<std::string> measured;         // The dirty files, and the task's files that exist.
  Risk risk;                                 // The risk of the measured files.
  Protection protection;  // The share of these files that can be restored from a commit or a snapshot.
  RecallAnswer recalled;

  std::int64_t dirty_count() const { return static_cast<std::int64_t>(dirty.size()); }
};

// Measures the status of a task; an empty Task means no task. A folder of the task stands for the listed
// files in it. Errors: as dirty_files(), protection_of(), Memory and ImportGraphCache::update().
Result<WorkStatus> measure_work_status(const WorkspaceServices& services, const Task& task,
                                       const std::stop_token& stop);

// Measures only the task's files, and ignores other uncommitted files. Errors: as measure_work_status().
Result<WorkStatus> measure_task_files(const WorkspaceServices& services, const Task& task,
                                      const std::stop_token& stop);

// Returns a sentence about missing files: "a.ts does not exist, and has no risk." or "3 of the named files do
// not exist, and have no risk: a.ts, b.ts and others."; empty if none is missing.
std::string missing_sentence(const WorkStatus& status);
// Returns sentences that name the first file that is neither committed nor in a snapshot, and what a snapshot
// omits; empty if there are none.
std::string unprotected_sentence(const Protection& protection);
// Returns sentences that name the first unprotected file that cannot be read, and the first nested
// repository; empty if there are none.
std::string omitted_sentence(const Protection& protection);

}  // namespace snapgen::core
