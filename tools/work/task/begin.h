#pragma once
// The beginning of a task.
#include <stop_token>

#include "runtime/base/result.h"
#include "tools/engine/operations/capture.h"
#include "tools/work/task/task.h"

namespace snapgen::core {

class Workspace;

// Takes the snapshot that a new task begins with, and sets `snapshot_id` and `started_ms` of the task.
// TaskStore::begin_task() then stores the task. Errors: as capture_workspace().
Result<WorkspaceCapture> capture_start(Workspace& workspace, Task& task, const std::stop_token& stop);

}  // namespace snapgen::core
