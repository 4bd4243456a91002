#pragma once
// Fast searches in JSON strings. A byte is plain unless it is `"`, `\` or a control character. The searches
// use SSE2 where available (every x86-64) and portable code elsewhere. They never read at or after `end`, or
// beyond the given block.
#include <bit>
#include <cstdint>
#include <cstring>
#if defined(__SSE2__) && !defined(SNAPGEN_PORTABLE_SCAN)
#define SNAPGEN_SCAN_SSE2
#include <emmintrin.h>
#endif

namespace snapgen::json {

inline bool is_plain(char byte) {
  return byte != '"' && byte != '\\' && static_cast<unsigned char>(byte) >= 0x20;
}

// Searches in a block of 32 or 64 bytes. Bit i of each mask describes byte i of the block.
struct Block32 {
  static constexpr int size = 32;
  static std::uint32_t not_plain(const char* from);
};

struct Block64 {
  static constexpr int size = 64;
  std::uint64_t quotes;
  std::uint64_t backslashes;
  std::uint64_t controls;
  explicit Block64(const char* from);
  // Returns a mask with a bit for each byte that is /, b, f, n, r or t.
  static std::uint64_t escape_letters(const char* from);
};

#if defined(SNAPGEN_SCAN_SSE2)

namespace sse2 {

inline __m128i load(const char* from) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)); }
inline __m128i where(__m128i bytes, char byte) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte)); }
inline __m128i control_mask(__m128i bytes) {
  return _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1f)), bytes);
}
inline std::uint32_t bits(__m128i mask) { return static_cast<std::uint32_t>(_mm_movemask_epi8(mask)); }
inline std::uint32_t not_plain(__m128i bytes) {
  return bits(_mm_or_si128(_mm_or_si128(where(bytes, '"'), where(bytes, '\\')), control_mask(bytes)));
}

// Returns one bit for each of the 64 bytes at `from`. `test` tests 16 bytes at a time.
template <class Test>
std::uint64_t mask64(const char* from, Test test) {
  std::uint64_t out = 0;
  for (int i = 0; i < 4; ++i) out |= std::uint64_t{bits(test(load(from + 16 * i)))} << (16 * i);
  return out;
}

}  // namespace sse2

inline std::uint32_t Block32::not_plain(const char* from) {
  return sse2::not_plain(sse2::load(from)) | sse2::not_plain(sse2::load(from + 16)) << 16;
}

inline Block64::Block64(const char* from)
    : quotes(sse2::mask64(from, [](__m128i bytes) { return sse2::where(bytes, '"'); })),
      backslashes(sse2::mask64(from, [](__m128i bytes) { return sse2::where(bytes, '\\'); })),
      controls(sse2::mask64(from, sse2::control_mask)) {}

inline std::uint64_t Block64::escape_letters(const char* from) {
  return sse2::mask64(from, [](__m128i bytes) {
    const __m128i bf = _mm_or_si128(sse2::where(bytes, 'b'), sse2::where(bytes, 'f'));
    const __m128i nr = _mm_or_si128(sse2::where(bytes, 'n'), sse2::where(bytes, 'r'));
    const __m128i rest = _mm_or_si128(sse2::where(bytes, 't'), sse2::where(bytes, '/'));
    return _mm_or_si128(_mm_or_si128(bf, nr), rest);
  });
}

// Returns the first byte in [from, end) that is not plain, or `end`.
inline const char* plain_end(const char* from, const char* end) {
  for (; end - from >= 16; from += 16) {
    const std::uint32_t stops = sse2::not_plain(sse2::load(from));
    if (stops != 0) return from + std::countr_zero(stops);
  }
  while (from != end && is_plain(*from)) ++from;
  return from;
}

#else

namespace portable {

template <class Test>
std::uint64_t bits(const char* from, int size, Test test) {
  std::uint64_t out = 0;
  for (int i = 0; i < size; ++i) out |= std::uint64_t{test(from[i])} << i;
  return out;
}

}  // namespace portable

inline std::uint32_t Block32::not_plain(const char* from) {
  return static_cast<std::uint32_t>(portable::bits(from, size, [](char byte) { return !is_plain(byte); }));
}

inline Block64::Block64(const char* from)
    : quotes(portable::bits(from, size, [](char byte) { return byte == '"'; })),
      backslashes(portable::bits(from, size, [](char byte) { return byte == '\\'; })),
      controls(
          portable::bits(from, size, [](char byte) { return static_cast<unsigned char>(byte) < 0x20; })) {}

inline std::uint64_t Block64::escape_letters(const char* from) {
  return portable::bits(from, size, [](char byte) {
    return byte == 'b' || byte == 'f' || byte == 'n' || byte == 'r' || byte == 't' || byte == '/';
  });
}

// Returns the first byte in [from, end) that is not plain, or `end`. Tests eight bytes at a time: the three
// terms of `stops` find `"`, `\` and control characters, in this order.
inline const char* plain_end(const char* from, const char* end) {
  constexpr std::uint64_t ones = 0x0101010101010101U;
  constexpr std::uint64_t tops = 0x8080808080808080U;
  for (; end - from >= 8; from += 8) {
    std::uint64_t bytes;
    std::memcpy(&bytes, from, sizeof bytes);
    const std::uint64_t quote = bytes ^ (ones * '"');
    const std::uint64_t backslash = bytes ^ (ones * '\\');
    const std::uint64_t stops =
        ((quote - ones) & ~quote) | ((backslash - ones) & ~backslash) | ((bytes - ones * 0x20) & ~bytes);
    if ((stops & tops) != 0) break;
  }
  while (from != end && is_plain(*from)) ++from;
  return from;
}

#endif

}  // namespace snapgen::json
