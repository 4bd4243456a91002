#pragma once
// Makes durable what the steps of a change have staged or done.
//
// Files and folders are synced individually and in parallel: a disk flushes many in hardly more time than
// one, and need not wait for other processes' writes. Only very large changes sync whole file systems.
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/files/root.h"
#include "tools/engine/write/journal.h"

namespace snapgen::core {

// Syncs the staged files of `steps` whose contents will not be in the journal, and the folders that contain
// them. `staging`: a descriptor of the staging folder. Errors: unavailable; as
// ParentFolders::open_parent_of().
Result<Unit> sync_staged(const Root& root, int staging, const std::vector<Step>& steps);

// Syncs everything that `steps` have changed in the tree, in its current state. Errors: unavailable.
Result<Unit> sync_done(const Root& root, const std::vector<Step>& steps);

}  // namespace snapgen::core
