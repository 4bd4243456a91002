#include "runtime/json/utf8.h"

#include <cstdint>
#include <cstring>

#include <unistr.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "runtime/json/reader.h"

namespace snapgen::json {
namespace utf8 {
namespace {

bool is_ascii(char byte) { return static_cast<unsigned char>(byte) < 0x80; }

// Returns how many bytes at the beginning of `text` are ASCII.
std::size_t ascii_prefix(std::string_view text) {
  constexpr std::uint64_t high_bits = 0x8080808080808080U;
  std::size_t at = 0;
  for (std::uint64_t words[4]; at + sizeof words <= text.size(); at += sizeof words) {
    std::memcpy(words, text.data() + at, sizeof words);
    if (((words[0] | words[1] | words[2] | words[3]) & high_bits) != 0) break;
  }
  while (at < text.size() && is_ascii(text[at])) ++at;
  return at;
}

}  // namespace

bool is_valid_portable(std::string_view text) {
  while (true) {
    text.remove_prefix(ascii_prefix(text));
    if (text.empty()) return true;
    std::size_t others = 1;
    while (others < text.size() && !is_ascii(text[others])) ++others;
    if (u8_check(reinterpret_cast<const std::uint8_t*>(text.data()), others) != nullptr) return false;
    text.remove_prefix(others);
  }
}

#if defined(__x86_64__)
namespace {

// The algorithm of John Keiser and Daniel Lemire ("Validating UTF-8 in less than one instruction per byte",
// 2021). Two adjacent bytes show every error except a wrong number of continuation bytes. Three tables of 16
// entries list the errors that are possible with the high half of the first byte, its low half, and the high
// half of the second byte. An error that is in all three entries is present.
enum PairError : std::uint8_t {
  too_short = 1 << 0,       // A lead byte without a continuation byte after it.
  too_long = 1 << 1,        // A continuation byte after ASCII.
  overlong_3 = 1 << 2,      // Three bytes where fewer suffice.
  too_large = 1 << 3,       // A code point above U+10FFFF.
  surrogate = 1 << 4,       // A code point from U+D800 to U+DFFF.
  overlong_2 = 1 << 5,      // Two bytes where one suffices.
  too_large_1000 = 1 << 6,  // One above U+10FFFF, with a second byte 0x80 to 0x8F.
  overlong_4 = 1 << 6,      // Four bytes where fewer suffice. Its lead bytes differ, so it can share a bit.
  two_continuations = 1 << 7,
  any_low_half = too_short | too_long | two_continuations,
};

#define SNAPGEN_AVX2 __attribute__((target("avx2")))

SNAPGEN_AVX2 inline __m256i looked_up(const std::uint8_t (&table)[16], __m256i halves) {
  const __m128i entries = _mm_loadu_si128(reinterpret_cast<const __m128i*>(table));
  return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(entries), halves);
}

SNAPGEN_AVX2 inline __m256i high_half(__m256i bytes) {
  return _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(0x0F));
}

// Returns the last `count` bytes of the previous block, followed by this block without its last ones.
template <int count>
SNAPGEN_AVX2 inline __m256i moved(__m256i block, __m256i previous) {
  return _mm256_alignr_epi8(block, _mm256_permute2x128_si256(previous, block, 0x21), 16 - count);
}

SNAPGEN_AVX2 inline __m256i errors_of(__m256i block, __m256i previous) {
  static constexpr std::uint8_t first_high[16] = {too_long,
                                                  too_long,
                                                  too_long,
                                                  too_long,
                                                  too_long,
                                                  too_long,
                                                  too_long,
                                                  too_long,
                                                  two_continuations,
                                                  two_continuations,
                                                  two_continuations,
                                                  two_continuations,
                                                  too_short | overlong_2,
                                                  too_short,
                                                  too_short | overlong_3 | surrogate,
                                                  too_short | too_large | too_large_1000 | overlong_4};
  static constexpr std::uint8_t f4 = any_low_half | too_large;
  static constexpr std::uint8_t above = any_low_half | too_large | too_large_1000;
  static constexpr std::uint8_t first_low[16] = {any_low_half | overlong_3 | overlong_2 | overlong_4,
                                                 any_low_half | overlong_2,
                                                 any_low_half,
                                                 any_low_half,
                                                 f4,
                                                 above,
                                                 above,
                                                 above,
                                                 above,
                                                 above,
                                                 above,
                                                 above,
                                                 above,
                                                 above | surrogate,
                                                 above,
                                                 above};
  static constexpr std::uint8_t continuation = too_long | overlong_2 | two_continuations;
  static constexpr std::uint8_t second_high[16] = {too_short,
                                                   too_short,
                                                   too_short,
                                                   too_short,
                                                   too_short,
                                                   too_short,
                                                   too_short,
                                                   too_short,
                                                   continuation | overlong_3 | too_large_1000 | overlong_4,
                                                   continuation | overlong_3 | too_large,
                                                   continuation | surrogate | too_large,
                                                   continuation | surrogate | too_large,
                                                   too_short,
                                                   too_short,
                                                   too_short,
                                                   too_short};
  const __m256i first = moved<1>(block, previous);
  const __m256i pairs = _mm256_and_si256(
      _mm256_and_si256(looked_up(first_high, high_half(first)),
                       looked_up(first_low, _mm256_and_si256(first, _mm256_set1_epi8(0x0F)))),
      looked_up(second_high, high_half(block)));
  // The third byte of a character of three or four bytes and the fourth byte of one of four bytes must be a
  // continuation byte after a continuation byte. No other byte may be.
  const __m256i third = _mm256_subs_epu8(moved<2>(block, previous), _mm256_set1_epi8(0xE0 - 0x80));
  const __m256i fourth =
      _mm256_subs_epu8(moved<3>(block, previous), _mm256_set1_epi8(static_cast<char>(0xF0 - 0x80)));
  const __m256i must_continue =
      _mm256_and_si256(_mm256_or_si256(third, fourth), _mm256_set1_epi8(static_cast<char>(0x80)));
  return _mm256_xor_si256(must_continue, pairs);
}

// Not zero if a character begins in the block and ends after it.
SNAPGEN_AVX2 inline __m256i unfinished(__m256i block) {
  const __m256i last_allowed = _mm256_setr_epi8(
      -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
      -1, -1, -1, static_cast<char>(0xF0 - 1), static_cast<char>(0xE0 - 1), static_cast<char>(0xC0 - 1));
  return _mm256_subs_epu8(block, last_allowed);
}

}  // namespace

SNAPGEN_AVX2 inline __m256i loaded(const char* bytes) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes));
}

SNAPGEN_AVX2 bool is_valid_avx2(std::string_view text) {
  constexpr std::size_t block_bytes = sizeof(__m256i);
  __m256i errors = _mm256_setzero_si256();
  __m256i previous = _mm256_setzero_si256();
  __m256i open = _mm256_setzero_si256();  // The value of unfinished(previous).
  for (std::size_t at = 0; at < text.size(); at += block_bytes) {
    // Skips two blocks at a time while both are ASCII.
    for (; text.size() - at >= 2 * block_bytes; at += 2 * block_bytes) {
      const __m256i second = loaded(text.data() + at + block_bytes);
      if (_mm256_movemask_epi8(_mm256_or_si256(loaded(text.data() + at), second)) != 0) break;
      errors = _mm256_or_si256(errors, open);
      open = _mm256_setzero_si256();
      previous = second;
    }
    char rest[block_bytes] = {};
    const std::size_t left = text.size() - at;
    if (left < block_bytes) std::memcpy(rest, text.data() + at, left);
    const __m256i block = loaded(left < block_bytes ? rest : text.data() + at);
    errors = _mm256_or_si256(errors, _mm256_movemask_epi8(block) == 0 ? open : errors_of(block, previous));
    open = unfinished(block);
    previous = block;
  }
  errors = _mm256_or_si256(errors, open);
  return _mm256_testz_si256(errors, errors) != 0;
}
#endif

}  // namespace utf8

bool valid_utf8(std::string_view text) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") != 0) return utf8::is_valid_avx2(text);
#endif
  return utf8::is_valid_portable(text);
}

}  // namespace snapgen::json
