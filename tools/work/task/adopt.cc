#include "tools/work/task/adopt.h"

#include <unistd.h>

#include "tools/engine/files/durable.h"
#include "tools/engine/workspace/work_trees.h"
#include "tools/engine/workspace/workspace_parts.h"
#include "tools/work/memory/copied_lines.h"
#include "tools/work/memory/record_folders.h"
#include "tools/work/task/task_store.h"

namespace snapgen::core {

void adopt_earlier_records(const Workspace& workspace) {
  const RecordFolders own = record_folders_of(workspace);
  if (::access(own.records.c_str(), F_OK) == 0) return;
  const auto roots = work_trees_of(workspace).other_roots(environment_of(workspace));
  for (const auto& [name, root] : roots) {
    const RecordFolders other = {.root = root, .records = own.records, .tree = {}, .name = name};
    const RecordLines lines(other);
    for (const CopiedLines* each : {&lines.learnings, &lines.violations, &lines.reverts})
      static_cast<void>(each->import_lines());
    TaskStore(other).import_copies();
  }
  if (!roots.empty()) static_cast<void>(make_folders(own.records));
  // Earlier versions had an index for each work tree.
  for (const char* suffix : {"", "-wal", "-shm"})
    ::unlink((tree_folder_of(workspace) + "/memory.sqlite" + suffix).c_str());
}

}  // namespace snapgen::core
