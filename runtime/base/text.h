#pragma once
// Text helpers that several layers need: nearest name, base64, hex, sentences.
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace snapgen {

// Returns the candidate closest to `name` (Damerau-Levenshtein distance, ignoring case), or nullopt if none
// is close. A candidate is close if the distance is at most 1, or at most a third of the longer name.
std::optional<std::string_view> nearest_name(std::string_view name,
                                             std::span<const std::string_view> candidates);

enum class LetterCase : bool { ignored, matters };

// Returns the Damerau-Levenshtein distance with adjacent transpositions (optimal string alignment). Returns
// some number above `limit` as soon as the distance is known to exceed it.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit,
                          LetterCase letters = LetterCase::ignored);

std::string hex(std::string_view bytes);     // in lower case
std::string base64(std::string_view bytes);  // as in RFC 4648 section 4, with padding
std::optional<std::string> base64_decoded(
    std::string_view text);  // nullopt if the padding is wrong or missing, or there are other characters

// Joins texts as in a sentence: "a", "a or b", "a, b or c" if the conjunction is "or".
template <class Words>
std::string enumerated(const Words& words, std::string_view conjunction) {
  std::string text;
  for (auto each = std::begin(words); each != std::end(words); ++each) {
    if (each != std::begin(words))
      text.append(std::next(each) == std::end(words) ? " " + std::string(conjunction) + " " : ", ");
    text.append(*each);
  }
  return text;
}

// Appends a full stop unless `text` already ends with ".", "?" or "!".
std::string with_full_stop(std::string text);

// These return the beginning and the end of a UTF-8 text: at most `bytes_max` bytes, cut between characters.
// utf8_head() cuts bytes that are not UTF-8 anywhere.
std::string_view utf8_head(std::string_view utf8, std::size_t bytes_max);
std::string_view utf8_tail(std::string_view utf8, std::size_t bytes_max);

// The byte order mark of UTF-8, with which some programs begin a text.
inline constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

// Returns the number of code points in valid UTF-8.
std::size_t code_point_count(std::string_view utf8);

// Writes a code point as UTF-8, at most 4 bytes, and returns where it ends.
inline char* put_utf8(char* out, std::uint32_t code_point) {
  const auto put = [&](std::uint32_t byte) { *out++ = static_cast<char>(byte); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xC0 | (code_point >> 6));
    put(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    put(0xE0 | (code_point >> 12));
    put(0x80 | ((code_point >> 6) & 0x3F));
    put(0x80 | (code_point & 0x3F));
  } else {
    put(0xF0 | (code_point >> 18));
    put(0x80 | ((code_point >> 12) & 0x3F));
    put(0x80 | ((code_point >> 6) & 0x3F));
    put(0x80 | (code_point & 0x3F));
  }
  return out;
}

}  // namespace snapgen
