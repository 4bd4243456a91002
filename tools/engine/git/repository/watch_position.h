#pragma once
#include "runtime/base/fd.h"
#include "runtime/base/result.h"
#include "tools/engine/git/repository/repository.h"

namespace snapgen::core {

// Returns a descriptor that becomes readable when git moves HEAD, a local branch or the index. It does not
// notice folders of branches that were made since. Errors: unavailable (the system permits no more watches).
Result<Fd> watch_position(const Repository& repository);

}  // namespace snapgen::core
