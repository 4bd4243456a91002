#include "tools/engine/git/status/similarity.h"

#include <algorithm>

namespace snapgen::core::git {
namespace {

constexpr std::uint32_t hash_base = 107927;  // git's value
constexpr std::uint32_t piece_bytes_max = 64;

}  // namespace

ContentPieces::ContentPieces(std::string_view content, bool is_text) {
  std::vector<std::uint32_t> counts(hash_base, 0);
  std::vector<std::uint32_t> seen;
  std::uint32_t a = 0, b = 0, length = 0;
  const auto hash = [&] { return (a + b * 0x61) % hash_base; };
  for (std::size_t i = 0; i < content.size(); ++i) {
    const auto c = static_cast<unsigned char>(content[i]);
    if (is_text && c == '\r' && i + 1 < content.size() && content[i + 1] == '\n') continue;
    const std::uint32_t before = a;
    a = (a << 7) ^ (b >> 25);
    b = (b << 7) ^ (before >> 25);
    a += c;
    if (++length < piece_bytes_max && c != '\n') continue;
    std::uint32_t& count = counts[hash()];
    if (count == 0) seen.push_back(hash());
    count += length;
    a = b = length = 0;
  }
  if (length > 0) last_ = {hash(), length};
  std::sort(seen.begin(), seen.end());
  pieces_.reserve(seen.size());
  for (const std::uint32_t found : seen) pieces_.emplace_back(found, counts[found]);
}

std::uint32_t ContentPieces::bytes_of(std::uint32_t hash, LastPiece last) const {
  const auto found = std::lower_bound(pieces_.begin(), pieces_.end(), Piece{hash, 0});
  std::uint32_t bytes = found != pieces_.end() && found->first == hash ? found->second : 0;
  if (last == LastPiece::counted && last_.second != 0 && last_.first == hash) bytes += last_.second;
  return bytes;
}

std::uint64_t ContentPieces::common_bytes(const ContentPieces& a, const ContentPieces& b, LastPiece last) {
  std::uint64_t bytes = 0;
  auto other = b.pieces_.begin();
  for (const auto& [hash, count] : a.pieces_) {
    while (other != b.pieces_.end() && other->first < hash) ++other;
    if (other == b.pieces_.end()) break;
    if (other->first == hash) bytes += std::min(count, other->second);
  }
  if (last == LastPiece::left_out) return bytes;
  // Counting the last pieces too can only raise the counts of their two hashes.
  const auto correct = [&](std::uint32_t hash) {
    bytes += std::min(a.bytes_of(hash, last), b.bytes_of(hash, last));
    bytes -= std::min(a.bytes_of(hash, LastPiece::left_out), b.bytes_of(hash, LastPiece::left_out));
  };
  if (a.has_last_piece()) correct(a.last_.first);
  if (b.has_last_piece() && !(a.has_last_piece() && a.last_.first == b.last_.first)) correct(b.last_.first);
  return bytes;
}

int similarity_score(std::uint64_t common_bytes, std::uint64_t source_bytes, std::uint64_t target_bytes) {
  if (target_bytes == 0) return 0;
  const std::uint64_t larger = std::max(source_bytes, target_bytes);
  return static_cast<int>(static_cast<double>(common_bytes) * score_max / static_cast<double>(larger));
}

bool sizes_allow_score(std::uint64_t source_bytes, std::uint64_t target_bytes, int score_min) {
  const auto larger = static_cast<double>(std::max(source_bytes, target_bytes));
  const auto smaller = static_cast<double>(std::min(source_bytes, target_bytes));
  return larger * (score_max - score_min) >= (larger - smaller) * score_max;
}

}  // namespace snapgen::core::git
