#pragma once
// The lines around the changes of a file, which spare the caller another read.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/patch/patch.h"

namespace snapgen::core {

// The limits for one file. What exceeds them is only counted.
inline constexpr std::int64_t shown_lines_max = 200;
inline constexpr std::size_t shown_bytes_max = 16 << 10;

struct ShownLines {
  std::int64_t first_line = 0;
  std::string text;  // Whole lines.
};

struct ShownParts {
  std::vector<ShownLines> parts;   // In order.
  std::int64_t omitted_lines = 0;  // The number of lines that exceed the limits.
};

// Returns the changed lines of a content with `context_lines` lines around each range.
ShownParts lines_around(std::string_view content, const std::vector<LineRange>& changed_lines,
                        std::int64_t context_lines);

// Returns the range of all lines of a content; none if it is empty.
std::vector<LineRange> all_lines(std::string_view content);

}  // namespace snapgen::core
