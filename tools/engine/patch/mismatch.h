#pragma once
// Whether and why not the old lines of a hunk are at one place of a file.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tools/engine/patch/patch.h"
#include "tools/engine/patch/sides.h"

namespace snapgen::core {

// Returns true if the file has `lines` at the offset `at`, which must begin a line. With `ends_file`, they
// must be its last lines. `at` is npos for a line that the file does not have.
bool has_lines_at(std::string_view file, std::size_t at, std::string_view lines, bool ends_file);

// Describes the first difference between the old lines of a hunk and the file at the offset `at` (as above),
// which begins the line `line`. Of an insertion, describes why no line can be inserted there.
Reject mismatch(std::string_view file, std::size_t at, std::int64_t line, const HunkSides& sides);

}  // namespace snapgen::core
