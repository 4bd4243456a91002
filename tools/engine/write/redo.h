#pragma once
// redo: finishes a change after the machine went down.
//
// What had been written since the journal was made may then be lost in part: files may be empty or not there
// at all, and of what was renamed some may be back. So every step is brought about again from the journal
// alone. What somebody wrote since, and was not lost, stays.
#include "runtime/base/result.h"
#include "tools/engine/files/root.h"
#include "tools/engine/write/journal.h"
#include "tools/engine/write/steps.h"

namespace snapgen::core {

// `staging`: a handle of the staging folder; `runner`: of the same. Errors: as StepRunner::attempt();
// unavailable (disk full): to be tried again.
Result<Unit> redo(const Root& root, int staging, const Journal& journal, StepRunner& runner);

}  // namespace snapgen::core
