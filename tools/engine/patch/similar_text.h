#pragma once
// Finds the text of a file that is most like one that is not in it, to show an author what differs.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/patch/file_lines.h"
#include "tools/engine/patch/nearest.h"
#include "tools/engine/patch/patch.h"

namespace snapgen::core {

struct SimilarText {
  std::string what_differs;               // For example "letter case and quotes"; empty: unknown.
  std::vector<std::int64_t> other_lines;  // Where texts begin that differ only in the same.
  NearestLines nearest;                   // Where it begins, and the lines that differ.
};

// Larger files are only compared line by line.
inline constexpr std::size_t folded_bytes_max = 8 << 20;

// A text without the differences that folding removes, and the begin and end of the original part of each of
// its bytes.
struct FoldedText {
  std::string text;
  std::vector<std::uint32_t> begins;
  std::vector<std::uint32_t> ends;
};

// Returns true if both bytes belong to one word; those of characters beyond ASCII do.
bool are_of_one_word(char byte, char next);

class SimilarTextSearch {
 public:
  // `file` must outlive this object.
  explicit SimilarTextSearch(const FileLines& file) : file_(file) {}

  // Returns the text of the file that is most like `wanted`, which is not in it, or nullopt if none is. A
  // text that differs only in white space, quotes, letter case or escapes counts as much as one in which one
  // line differs.
  std::optional<SimilarText> find(std::string_view wanted);
  // The same for whole lines, which are expected at a place.
  std::optional<SimilarText> find_lines(std::string_view wanted, const ExpectedPlace& expected);

 private:
  struct FoldedMatch {
    TextSpan span;  // From its first to its last byte that is not white space.
    std::int64_t line = 0;
  };

  std::vector<FoldedMatch> folded_matches(std::string_view wanted);
  SimilarText similar_at(const FoldedMatch& match, std::string_view wanted, bool has_whole_lines) const;

  const FileLines& file_;
  std::optional<FoldedText> folded_;  // The file, from the first search on.
};

}  // namespace snapgen::core
