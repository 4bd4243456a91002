#pragma once
// Where a piece of work stands: what is uncommitted, what of it could be brought back, how risky it is, and
// what was learned before.
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/operations/work.h"
#include "tools/insight/risk/measure.h"
#include "tools/work/memory/memory.h"
#include "tools/work/task/task.h"
#include "tools/work/task/workspace_services.h"

namespace snapgen::core {

struct WorkStatus {
  std::vector<std::string> dirty;  // Uncommitted files, sorted.
  Risk risk;                       // Of these and the task's own,
  Protection protection;           // and what of them the store holds.
  Recollection memory;

  std::int64_t dirty_count() const { return static_cast<std::int64_t>(dirty.size()); }
};

// Of the task, or of no task: one without files and words. Looks at 2000 files at most, the task's own first.
// Errors: as dirty_files(), protection_of(), Memory and KeptImports::update().
Result<WorkStatus> measure(const WorkspaceServices& services, const Task& task, const std::stop_token& stop);

// Of the task's files alone, as if nothing else were uncommitted; 2000 of them at most. Errors: as above.
Result<WorkStatus> measure_files(const WorkspaceServices& services, const Task& task,
                                 const std::stop_token& stop);

}  // namespace snapgen::core
