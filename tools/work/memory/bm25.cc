#include "tools/work/memory/bm25.h"

#include <algorithm>
#include <bit>

namespace snapgen::core {

std::int64_t log2_q16(std::uint64_t value) {
  const int whole = std::bit_width(value) - 1;
  // `rest` is the value divided by the greatest power of two that is not above it, times 2^31. It is in [1,
  // 2).
  std::uint64_t rest = whole <= 31 ? value << (31 - whole) : value >> (whole - 31);
  std::int64_t logarithm = whole;
  // Each squaring yields the next binary digit of the logarithm.
  for (int digit = 0; digit < 16; ++digit) {
    rest = (rest * rest) >> 31;
    logarithm *= 2;
    if (rest >= std::uint64_t{1} << 32) {
      rest /= 2;
      ++logarithm;
    }
  }
  return logarithm;
}

std::int64_t rarity_q16(std::int64_t all, std::int64_t with_term) {
  // The argument of the logarithm is 1 + (N - n + 0.5) / (n + 0.5) = (2 N + 2) / (2 n + 1).
  const std::int64_t count = std::clamp<std::int64_t>(with_term, 0, all);
  return log2_q16(static_cast<std::uint64_t>(2 * all + 2)) -
         log2_q16(static_cast<std::uint64_t>(2 * count + 1));
}

std::int64_t bm25_q16(std::int64_t rarity, std::int64_t weight, std::int64_t length, std::int64_t average) {
  // These limits are far above real learnings. They prevent an overflow.
  constexpr std::int64_t weight_max = 1 << 14, length_max = 1 << 18;
  const std::int64_t tf = std::clamp<std::int64_t>(weight, 0, weight_max);
  const std::int64_t words = std::clamp<std::int64_t>(length, 0, length_max);
  const std::int64_t mean = std::clamp<std::int64_t>(average, 1, length_max);
  // This multiplies numerator and denominator by 10 * mean: k1 + 1 = 22 / 10, and k1 * (1 - b + b * words /
  // mean) = 3 / 10 * (mean + 3 * words) / mean. The weight of a word is word_weight.
  return rarity * 22 * tf * mean / (10 * tf * mean + 3 * word_weight * (mean + 3 * words));
}

}  // namespace snapgen::core
