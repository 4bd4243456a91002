#pragma once
// What a restore did, or would do, in the words that all families answer with.
#include <string>
#include <vector>

#include "tools/engine/operations/restore.h"

namespace snapgen::core {

// The paths that go away, or went: of files that came since the snapshot. Sorted.
std::vector<std::string> gone(const RestoreAnswer& restored);

// All that is changed, what goes away first: whoever reads the beginning alone must know of it.
std::vector<RestoredPath> gone_first(const RestoreAnswer& restored);

// " Of them 2 came since and went away: a.txt, b.txt." Empty if none does.
std::string sentence_of_gone(const RestoreAnswer& restored, bool dry_run);

}  // namespace snapgen::core
