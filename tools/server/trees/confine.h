#pragma once
// The folders that a server of some work trees may write. The kernel enforces it
// (runtime/base/confinement.h).
#include <string>
#include <vector>

#include "runtime/base/confinement.h"

namespace snapgen::tools {

// The work trees, and the folders of git that belong to them, without those below an earlier one.
std::vector<std::string> folders_of(const std::vector<std::string>& trees);

// The folders of the trees, the folder of the user's trust, and the access to the temporary folder that
// checks need. Without trees only the last.
Confinement confinement_of(const std::vector<std::string>& trees);

// One sentence for the log: what a process with this confinement may write.
std::string sentence_of(const Confinement& confinement);

}  // namespace snapgen::tools
