#pragma once
// Compares a text that is not in a file with the lines of the file that are most like it.
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

// What a line that differs costs.
inline constexpr std::int64_t different_line_cost = 2;
// The same for one that differs only in white space at its ends.
inline constexpr std::int64_t white_space_cost = 1;

// Where the author of a text says that it is.
struct ExpectedPlace {
  std::int64_t line = 0;  // Of its first line; 0: not stated.
  LineRange block;        // The lines that its headings name; none if `count` is 0.

  // What speaks against a place that begins at `at`, to be added to the cost of its differences.
  std::int64_t cost_at(std::int64_t at) const;
};

// A place and how much its lines differ from the text.
struct NearestPlace {
  NearestLines lines;
  std::int64_t cost = 0;  // Of the lines that differ, and of the place.
};

// Returns the place of the file whose lines differ least from `block`, which consists of whole lines, or
// nullopt if the file has less than a third of its distinctive lines (is_distinctive()) near each other. Of
// equal places it returns the one nearest to the expected line. A long block is compared at few places.
std::optional<NearestPlace> nearest_place(const FileLines& file, std::string_view block,
                                          const ExpectedPlace& expected);

// Returns how the lines of the file from `line` on differ from `block`.
NearestLines differences_at(const FileLines& file, std::string_view block, std::int64_t line);

// Returns true if at most a third of the lines of `block` differ, or one of two, and the others are
// distinctive (is_distinctive()). `nearest` is how they differ.
bool is_much_alike(std::string_view block, const NearestLines& nearest);

// Removes the CR at the end of each line, for an author who sends and sees none.
void remove_carriage_returns(NearestLines& nearest);

}  // namespace snapgen::core
