#pragma once
// Files of a call that git ignores, so that a snapshot of the whole workspace does not have them.
#include <string>
#include <vector>

#include "tools/engine/store/snapshots/snapshot_store.h"

namespace snapgen::core {

class Workspace;

// Returns those of `files` that exist, that git ignores, and that the snapshot does not have.
std::vector<std::string> ignored_files_not_in(Workspace& workspace, const Snapshot& snapshot,
                                              const std::vector<std::string>& files);
// Returns "The ignored file .env is not in the snapshot."; empty if there are none.
std::string ignored_sentence(const std::vector<std::string>& files);

}  // namespace snapgen::core
