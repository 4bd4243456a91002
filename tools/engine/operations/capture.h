#pragma once
// Captures the whole workspace in a snapshot, at the start of a task.
#include <stop_token>
#include <string>

#include "runtime/base/result.h"
#include "tools/engine/read/view.h"

namespace snapgen::core {

class Workspace;

struct WorkspaceCapture {
  std::string snapshot_id;
  bool reused = false;         // The snapshot is an earlier one, because nothing has changed since.
  SkippedCounts skipped = {};  // What the snapshot left out.
};

// Takes a snapshot of everything that git does not ignore, or reuses the last one if the watch proves that
// nothing has changed since.
// Errors: as create_snapshot().
Result<WorkspaceCapture> capture_workspace(Workspace& workspace, const std::string& message,
                                           const std::stop_token& stop);

}  // namespace snapgen::core
