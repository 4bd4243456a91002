#pragma once
// The hunks between two texts, as `git diff` prints them: found by git's own algorithm (libgit2 carries
// git's xdiff) with git's defaults, Myers and the indent heuristic.
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace snapgen::core {

struct TextDiff {
  std::string text;  // From the first `@@` on. Cut off where it grew beyond the limit.
  std::int64_t added = 0;
  std::int64_t removed = 0;
  bool cut = false;
};

// `context`: lines around each change. What follows the second `@@` is the last line before the hunk that
// begins with a letter, `_` or `$`, as git has it for files of no known language. Counts are of the whole
// even if the text is cut. Errors: unavailable (libgit2 is missing); too_large (a gigabyte).
Result<TextDiff> diff_texts(std::string_view before, std::string_view after, std::uint32_t context,
                            std::size_t text_bytes_max);

}  // namespace snapgen::core
