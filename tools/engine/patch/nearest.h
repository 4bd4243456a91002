#pragma once
// Compares a hunk that fits nowhere with the lines of the file that are most like it.
#include <cstdint>
#include <optional>
#include <string_view>

#include "tools/engine/patch/file_lines.h"
#include "tools/engine/patch/patch.h"

namespace snapgen::core {

// Files with more lines are not searched.
inline constexpr std::int64_t nearest_lines_max = 1'000'000;
// The maximum number of bytes in the lines of all differences together, unless the first one is longer: about
// 300 tokens of a model.
inline constexpr std::size_t difference_bytes_max = 1200;

// Returns the lines of the file that are most like the old lines `block` of a hunk, and how they differ, or
// nullopt if none are alike (FileLines::nearest_to()). Takes time in proportion to the lines of both.
std::optional<NearestLines> nearest_lines(const FileLines& file, std::string_view block,
                                          std::int64_t preferred_line);

// Returns how the lines of the file from `line` on differ from `block`.
NearestLines differences_at(const FileLines& file, std::string_view block, std::int64_t line);

// Removes the CR at the end of each line, for an author who sends and sees none.
void remove_carriage_returns(NearestLines& nearest);

}  // namespace snapgen::core
