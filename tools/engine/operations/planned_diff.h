#pragma once
// The unified diff of a change that is planned but not made.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/files/file_tree.h"
#include "tools/engine/patch/change.h"
#include "tools/engine/text/text_encodings.h"

namespace snapgen::core {

// The maximum length of a diff in an answer. Sections of files that exceed it are omitted.
inline constexpr std::size_t planned_diff_bytes_max = 64 << 10;

struct PlannedDiff {
  std::string text;                // As `git diff --no-renames` prints it.
  std::int64_t omitted_files = 0;  // The number of changed files that the text lacks.
};

// Returns the diff of `changes` of the files in `tree`; `encodings` as in section_of(). Errors: those of the
// tree; unavailable.
Result<PlannedDiff> planned_diff(const std::vector<TreeChange>& changes, FileTree& tree,
                                 TextEncodings* encodings);

}  // namespace snapgen::core
