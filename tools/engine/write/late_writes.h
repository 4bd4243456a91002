#pragma once
// Late writes: a program that opened a file before a change replaced or deleted it, and saves into it
// afterwards, writes into the replaced file, which is about to be deleted. Such a file is deleted only once
// no process can write to it any more, and after what was written is in a snapshot.
#include <vector>

#include "tools/engine/store/snapshots/undo_store.h"
#include "tools/engine/write/journal.h"

namespace snapgen::core {

// The steps, without contents, whose replaced files in the folder `staging` may not be deleted yet.
std::vector<Step> steps_with_late_writes(int staging, const std::vector<Step>& steps);

// Saves what was written late, and deletes the file. Returns false if it must remain: a process has it open,
// or the content could not be saved.
bool collect_late_write(int staging, const Step& step, UndoStore& undos);

}  // namespace snapgen::core
