#pragma once
// The hunks between two texts as `git diff` prints them, from git's own algorithm (libgit2 contains git's
// xdiff) with git's defaults: Myers and the indent heuristic.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace snapgen::core {

struct TextDiff {
  std::string text;  // Begins with the first `@@`; cut if it exceeds the limit.
  std::int64_t added_lines = 0;
  std::int64_t removed_lines = 0;
  bool cut = false;
};

// Compares two texts. `context` is the number of lines around each change. The text after the second `@@` is
// the last line before the hunk that begins with a letter, `_` or `$`, as git has it for unknown languages.
// Counts cover the whole diff even if the text is cut. Errors: unavailable (libgit2 cannot be started);
// too_large (a gigabyte).
Result<TextDiff> diff_texts(std::string_view before, std::string_view after, std::uint32_t context,
                            std::size_t text_bytes_max);

// Lines that differ between two texts: the lines [old_begin, old_end) of one and [new_begin, new_end) of the
// other, counted from 0. A line includes its line break.
struct DifferingLines {
  std::int64_t old_begin = 0, old_end = 0;
  std::int64_t new_begin = 0, new_end = 0;

  bool operator==(const DifferingLines&) const = default;
};
// The differences of two texts, in order. Errors: as diff_texts().
Result<std::vector<DifferingLines>> differing_lines(std::string_view before, std::string_view after);

}  // namespace snapgen::core
