#pragma once
// What a server of one workspace writes, and nothing else: the kernel sees to that
// (runtime/base/confinement.h).
#include <string>

#include "runtime/base/confinement.h"
#include "runtime/base/result.h"

namespace snapgen::tools {

// The work tree, the folders of git that belong to it, and what a check needs of the temporary folder. Of no
// workspace: only the last.
Confinement confinement_of(const Result<std::string>& workspace);

// One sentence for the log: what a process confined so may write.
std::string sentence_of(const Confinement& confinement);

}  // namespace snapgen::tools
