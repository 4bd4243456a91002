#pragma once
// Making durable what the steps of a change have staged, and later what they have done.
//
// Each file and folder is synced for itself, many at a time: a disk flushes for many in hardly more time than
// for one, and what others have written meanwhile is not waited for. Only a change of very many files has the
// system write out all that it holds back.
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/files/root.h"
#include "tools/engine/write/journal.h"

namespace snapgen::core {

// The staged files of `steps` whose contents will not be in the journal, and their names in their folders.
// `staging`: a handle of the staging folder. Errors: unavailable; as Parents::above().
Result<Unit> sync_staged(const Root& root, int staging, const std::vector<Step>& steps);

// All that `steps` have changed in the tree, as it stands there now. Errors: unavailable.
Result<Unit> sync_done(const Root& root, const std::vector<Step>& steps);

}  // namespace snapgen::core
