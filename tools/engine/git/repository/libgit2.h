#pragma once
// Includes and starts libgit2. For use in git/ only.
#include <git2.h>

#include "runtime/base/result.h"

namespace snapgen::core::git {

// Starts libgit2 at the first call, which takes milliseconds. Call it before each function of the library.
// Errors: unavailable.
Result<Unit> start_libgit2();

}  // namespace snapgen::core::git
