#pragma once
// Taking over a journal whose tree and staging folder were copied together, or moved, or are seen at another
// path: it knows its files by inodes, which may be others now.
#include <cstdint>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/files/root.h"
#include "tools/engine/write/journal.h"

namespace snapgen::core {

// Whether a staged file is neither what a step stages nor what it replaces: the staging folder is a copy.
// `staging`: a handle of it. Errors: unavailable, permission_denied.
Result<bool> is_copied(const Root& root, int staging, const std::vector<Step>& steps);

// What shows that a file is the one that a step speaks of.
enum class Proof : std::uint8_t {
  content_and_time,
  content,  // If it is known, else kind, size and time: for the very folder that the steps were written for.
};

// Lets the steps tell the inodes of the files that stand here, if these are surely what the steps speak of:
// each that was to be moved is found before or after its move, and the moves were done in order. Nothing is
// written. Errors: repo_changed (they are not, or nobody can tell); unavailable, permission_denied.
Result<Unit> adopt_copied_journal(const Root& root, int staging, std::vector<Step>& steps, Proof proof);

}  // namespace snapgen::core
