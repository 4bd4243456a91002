#pragma once
// Adopts a journal whose tree and staging folder were copied together, moved, or mounted at another path. The
// journal identifies files by inode numbers, which may have changed.
#include <cstdint>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/files/root.h"
#include "tools/engine/write/journal.h"

namespace snapgen::core {

// Returns whether a staged file is neither the new nor the old file of its step, so that the staging folder
// is a copy. `staging`: a descriptor of it. Errors: unavailable, permission_denied.
Result<bool> is_copied_staging(const Root& root, int staging, const std::vector<Step>& steps);

// The evidence that is required to accept a file as that of a step.
enum class CopyProof : std::uint8_t {
  content_and_time,
  content,  // The content if known, else kind, size and time. Only for the same folder.
};

// Updates the inode numbers in the steps, if the files are surely those of the steps: each moved file is
// found before or after its move, and the moves were done in order. Writes nothing. Errors: repo_changed (the
// files are others, or it is uncertain); unavailable, permission_denied.
Result<Unit> adopt_copied_journal(const Root& root, int staging, std::vector<Step>& steps, CopyProof proof);

}  // namespace snapgen::core
