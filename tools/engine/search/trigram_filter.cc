#include "tools/engine/search/trigram_filter.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace snapgen::core {
namespace {

constexpr std::uint32_t bits_log2_max = 16;
constexpr std::uint32_t bits_log2_min = 6;
constexpr std::size_t filtered_text_bytes_max = 1 << 20;
constexpr std::uint8_t binary_mark = 0xff;
constexpr std::uint8_t empty_mark = 0;

constexpr std::array<std::uint8_t, 256> make_folded() {
  std::array<std::uint8_t, 256> table{};
  for (std::size_t i = 0; i < table.size(); ++i)
    table[i] = static_cast<std::uint8_t>(i >= 'A' && i <= 'Z' ? i | 0x20 : i);
  return table;
}
constexpr std::array<std::uint8_t, 256> folded = make_folded();

// The hash of three adjacent bytes. Filters of any size use its low bits.
constexpr std::uint32_t hash_of(std::uint32_t group) {
  const std::uint32_t mixed = group * 0x9E3779B1u;
  return (mixed ^ (mixed >> 15)) & ((1u << bits_log2_max) - 1);
}

template <class F>
void for_each_group(std::string_view text, F take) {
  if (text.size() < 3) return;
  const auto byte = [&](std::size_t i) { return std::uint32_t{folded[static_cast<std::uint8_t>(text[i])]}; };
  std::uint32_t group = byte(0) << 8 | byte(1);
  for (std::size_t i = 2; i < text.size(); ++i) {
    group = (group << 8 | byte(i)) & 0xffffff;
    take(hash_of(group));
  }
}

std::size_t count_of(const std::uint64_t* words, std::size_t count) {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += static_cast<std::size_t>(std::popcount(words[i]));
  return sum;
}

}  // namespace

TrigramQuery::TrigramQuery(std::string_view text) {
  for_each_group(text, [&](std::uint32_t hash) { hashes_.push_back(hash); });
}

std::optional<TrigramFilter> TrigramFilter::decoded(std::string_view encoded) {
  if (encoded.empty()) return std::nullopt;
  const auto mark = static_cast<std::uint8_t>(encoded.front());
  TrigramFilter out;
  if (mark == binary_mark) {
    out.kind_ = Kind::binary;
    return encoded.size() == 1 ? std::optional(out) : std::nullopt;
  }
  out.bits_ = encoded.substr(1);
  if (mark == empty_mark) return out.bits_.empty() ? std::optional(out) : std::nullopt;
  if (mark < bits_log2_min || mark > bits_log2_max) return std::nullopt;
  return out.bits_.size() == std::size_t{1} << (mark - 3) ? std::optional(out) : std::nullopt;
}

bool TrigramFilter::may_contain(const TrigramQuery& query) const {
  if (bits_.empty()) return query.hashes_.empty();
  const std::size_t mask = bits_.size() * 8 - 1;
  return std::all_of(query.hashes_.begin(), query.hashes_.end(), [&](std::uint32_t hash) {
    const std::size_t bit = hash & mask;
    return (static_cast<std::uint8_t>(bits_[bit >> 3]) >> (bit & 7) & 1) != 0;
  });
}

TrigramFilterBuilder::TrigramFilterBuilder() : bits_((std::size_t{1} << bits_log2_max) / 64) {}

std::string TrigramFilterBuilder::binary_filter() { return std::string(1, static_cast<char>(binary_mark)); }

std::optional<std::string> TrigramFilterBuilder::build(std::string_view text) {
  if (text.size() > filtered_text_bytes_max) return std::nullopt;
  if (text.size() < 3) return std::string(1, static_cast<char>(empty_mark));
  std::fill(bits_.begin(), bits_.end(), 0);
  std::uint64_t* const words = bits_.data();
  for_each_group(text, [words](std::uint32_t hash) { words[hash >> 6] |= std::uint64_t{1} << (hash & 63); });
  std::size_t count = bits_.size();
  // With more than 5/8 of its bits set, a filter excludes too few texts.
  const auto is_full = [&](std::size_t set, std::size_t size) { return set * 8 > size * 64 * 5; };
  if (is_full(count_of(words, count), count)) return std::nullopt;
  std::uint32_t log2 = bits_log2_max;
  while (log2 > bits_log2_min) {
    // Halves the filter until it would be too full.
    std::size_t set = 0;
    for (std::size_t i = 0; i < count / 2; ++i)
      set += static_cast<std::size_t>(std::popcount(words[i] | words[i + count / 2]));
    if (is_full(set, count / 2)) break;
    count /= 2;
    for (std::size_t i = 0; i < count; ++i) words[i] |= words[i + count];
    --log2;
  }
  std::string out(1 + count * sizeof *words, static_cast<char>(log2));
  std::memcpy(out.data() + 1, words, count * sizeof *words);
  return out;
}

}  // namespace snapgen::core
