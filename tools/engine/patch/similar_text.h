#pragma once
// Finds the texts of a file that are most like a text that is not in it, to show an author what differs.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/patch/patch.h"

namespace snapgen::core {

struct SimilarText {
  std::int64_t line = 0;                  // The first line of the most similar text.
  std::string what_differs;               // For example "letter case and quotes"; empty: unknown.
  std::vector<std::int64_t> other_lines;  // Texts that are as similar.
  NearestLines nearest;                   // The lines that differ.
};

// Larger files are only compared line by line.
inline constexpr std::size_t folded_bytes_max = 8 << 20;

// Returns the text of `file` that is most like `wanted`, which does not occur in it, or nullopt if none is.
// First come texts that differ only in white space, quotes, letter case or escapes.
std::optional<SimilarText> similar_text(std::string_view file, std::string_view wanted);

}  // namespace snapgen::core
