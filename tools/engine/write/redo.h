#pragma once
// redo: finishes a change after a machine crash.
//
// The crash may have lost writes since the journal was written: files may be empty or missing, and renames
// reverted. So every step is repeated from the journal alone. Later changes by others are not overwritten.
#include "runtime/base/result.h"
#include "tools/engine/files/root.h"
#include "tools/engine/write/journal.h"
#include "tools/engine/write/steps.h"

namespace snapgen::core {

// Makes the whole change of the journal. `staging`: a descriptor of the staging folder, which `runner` uses
// too. Errors: as StepRunner::attempt(); unavailable (disk full; the call can be repeated).
Result<Unit> redo(const Root& root, int staging, const Journal& journal, StepRunner& runner);

}  // namespace snapgen::core
