#pragma once
// The end of a task: what it came to, and what was learned.
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/operations/restore.h"
#include "tools/work/task/task.h"
#include "tools/work/task/workspace_services.h"

namespace snapgen::core {

struct TaskEnding {
  TaskOutcome outcome = TaskOutcome::completed;
  std::vector<std::string> learnings;
  std::string survey;  // A canonical JSON object, or empty.
};

struct EndedTask {
  Task task;
  bool truncated = false;      // Some files were too large or too many to be counted in full.
  bool snapshot_gone = false;  // So that nothing could be counted.
};

// Ends an open task; without an id the one that began last. Errors: not_found (there is none, or somebody
// else ended it); as work_since(), Memory::learn() and TaskStore::end().
Result<EndedTask> end_task(const WorkspaceServices& services, const std::optional<std::string>& id,
                           const TaskEnding& ending, const std::stop_token& stop);

// Files that were put back are where things go wrong: they count in later risks. Errors: as Memory::record().
Result<Unit> remember_restore(const WorkspaceServices& services, const RestoreAnswer& restored,
                              const std::string& snapshot_id);

}  // namespace snapgen::core
