#pragma once
// Estimates how much of one file is contained in another, as git does (gitdiffcore(7), "similarity index").
//
// A file is cut into pieces that end with a line break or after 64 bytes, which are compared by a hash. Since
// version 2.44 git also counts an unterminated last piece, so both counts are available.
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace snapgen::core::git {

inline constexpr double score_max = 60000.0;
inline constexpr int rename_score_min = 30000;     // 50 %
inline constexpr int base_name_score_min = 45000;  // 75 %, for pairs found by their base name only.

enum class LastPiece : std::uint8_t { left_out, counted };

class ContentPieces {
 public:
  ContentPieces() = default;
  // With `is_text`, a CR before a line break is ignored.
  ContentPieces(std::string_view content, bool is_text);

  bool has_last_piece() const { return last_.second != 0; }

  // Returns the number of bytes of `a` that `b` also contains.
  static std::uint64_t common_bytes(const ContentPieces& a, const ContentPieces& b, LastPiece last);

 private:
  using Piece = std::pair<std::uint32_t, std::uint32_t>;  // hash, bytes in pieces of this hash

  std::uint32_t bytes_of(std::uint32_t hash, LastPiece last) const;

  std::vector<Piece> pieces_;  // Sorted by hash, without the last piece.
  Piece last_{0, 0};
};

// Returns the score of a pair, 0 to 60000; 0 also if the sizes alone exclude the pair.
int similarity_score(std::uint64_t common_bytes, std::uint64_t source_bytes, std::uint64_t target_bytes);
bool sizes_allow_score(std::uint64_t source_bytes, std::uint64_t target_bytes, int score_min);

}  // namespace snapgen::core::git
