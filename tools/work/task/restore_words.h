#pragma once
// Texts about a restore that all tool families share.
#include <string>
#include <vector>

#include "tools/engine/operations/restore.h"

namespace snapgen::core {

// The sorted paths of files that the restore deletes, or deleted.
std::vector<std::string> gone(const RestoreAnswer& restored);

// All changes, deletions first, so that a reader of the first lines sees them.
std::vector<RestoredPath> gone_first(const RestoreAnswer& restored);

// A sentence such as " Of them 2 came since and went away: a.txt, b.txt."; empty without deletions.
std::string sentence_of_gone(const RestoreAnswer& restored, bool dry_run);

}  // namespace snapgen::core
