#pragma once
// Determines the folders to which a server of some work trees may write. The kernel enforces the limit
// (runtime/base/confinement.h).
#include <string>
#include <vector>

#include "runtime/base/confinement.h"

namespace snapgen::tools {

// Returns the work trees and their git folders, without those that are below an earlier one.
std::vector<std::string> writable_folders_of(const std::vector<std::string>& trees);

// Returns the folders of the trees, the user's trust folder, and the access to the temporary folder that
// checks need. Without trees, returns only the last.
Confinement confinement_of(const std::vector<std::string>& trees);

// Returns the folders to which a program of the repository may write: the tree, its git folders, and the
// temporary folder.
Confinement program_confinement_of(const std::string& tree);

// Returns a sentence for the log, with the paths that a process with this confinement may write to.
std::string confinement_sentence(const Confinement& confinement);

}  // namespace snapgen::tools
