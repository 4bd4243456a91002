#include "tools/work/task/begin.h"

#include <cstddef>

#include "tools/engine/base/phrase.h"
#include "tools/engine/workspace/workspace_parts.h"

namespace snapgen::core {

Result<WorkspaceCapture> capture_start(Workspace& workspace, Task& task, const std::stop_token& stop) {
  constexpr std::size_t title_bytes_max = 200;
  WorkspaceCapture captured =
      TRY(capture_workspace(workspace, "task: " + shortened(task.title, title_bytes_max), stop));
  task.snapshot_id = captured.snapshot_id;
  task.started_ms = now_of(workspace) / 1'000'000;
  return captured;
}

}  // namespace snapgen::core
