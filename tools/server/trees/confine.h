#pragma once
// The folders that a server of some work trees may write to. The kernel enforces the limit
// (runtime/base/confinement.h).
#include <string>
#include <vector>

#include "runtime/base/confinement.h"

namespace snapgen::tools {

// The work trees and their git folders, without those below an earlier one.
std::vector<std::string> folders_of(const std::vector<std::string>& trees);

// The folders of the trees, the user's trust folder, and the access to the temporary folder that checks need.
// Without trees, only the last.
Confinement confinement_of(const std::vector<std::string>& trees);

// A sentence for the log: the paths that a process with this confinement may write to.
std::string sentence_of(const Confinement& confinement);

}  // namespace snapgen::tools
