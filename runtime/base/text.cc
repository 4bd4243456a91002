#include "runtime/base/text.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "runtime/base/ascii.h"

namespace snapgen {
namespace {

constexpr std::string_view base64_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<std::int8_t, 256> base64_values = [] {
  std::array<std::int8_t, 256> values{};
  values.fill(-1);
  for (std::size_t i = 0; i < base64_digits.size(); ++i) {
    values[static_cast<unsigned char>(base64_digits[i])] = static_cast<std::int8_t>(i);
  }
  return values;
}();

// Whether a byte of UTF-8 is a continuation byte: one of a character's bytes after the first.
bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit, LetterCase letters) {
  const auto equal = [letters](char one, char other) {
    return one == other || (letters == LetterCase::ignored && to_lower(one) == to_lower(other));
  };
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > limit) return limit + 1;
  std::vector<std::size_t> before(b.size() + 1);  // the row before `above`
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    // Elsewhere in the row, the difference of the lengths alone is above the limit.
    const std::size_t first = i > limit ? i - limit : 1;
    const std::size_t last = std::min(b.size(), limit < b.size() ? i + limit : b.size());
    row[first - 1] = first == 1 ? i : limit + 1;
    std::size_t least = row[first - 1];
    for (std::size_t j = first; j <= last; ++j) {
      const bool same = equal(a[i - 1], b[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && equal(a[i - 1], b[j - 2]) && equal(a[i - 2], b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
      least = std::min(least, row[j]);
    }
    if (least > limit) return limit + 1;
    if (last < b.size()) row[last + 1] = limit + 1;
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

std::optional<std::string_view> nearest_name(std::string_view name,
                                             std::span<const std::string_view> candidates) {
  std::optional<std::string_view> best;
  std::size_t best_distance = 0;
  for (const std::string_view candidate : candidates) {
    std::size_t limit = std::max<std::size_t>(1, std::max(name.size(), candidate.size()) / 3);
    if (best) limit = std::min(limit, best_distance - 1);
    const std::size_t edits = edit_distance(name, candidate, limit);
    if (edits > limit) continue;
    best = candidate;
    best_distance = edits;
    if (edits == 0) break;
  }
  return best;
}

std::string hex(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size() * 2);
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    out += "0123456789abcdef"[value >> 4];
    out += "0123456789abcdef"[value & 15];
  }
  return out;
}

std::string base64(std::string_view bytes) {
  std::string out((bytes.size() + 2) / 3 * 4, '=');
  const auto byte_at = [&](std::size_t i) -> std::uint32_t {
    return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0;
  };
  for (std::size_t i = 0, o = 0; i < bytes.size(); i += 3, o += 4) {
    const std::uint32_t group = byte_at(i) << 16 | byte_at(i + 1) << 8 | byte_at(i + 2);
    const std::size_t digits = std::min<std::size_t>(bytes.size() - i, 3) + 1;
    for (std::size_t d = 0; d < digits; ++d) out[o + d] = base64_digits[group >> (18 - 6 * d) & 63];
  }
  return out;
}

std::optional<std::string> base64_decoded(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  text.remove_suffix(padding);
  std::string out;
  out.reserve(text.size() * 3 / 4);
  std::uint32_t bits = 0;
  int held = 0;
  for (const char digit : text) {
    const std::int8_t value = base64_values[static_cast<unsigned char>(digit)];
    if (value < 0) return std::nullopt;
    bits = (bits << 6 | static_cast<std::uint32_t>(value)) & 0xFFFF;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    out += static_cast<char>(bits >> held & 0xFF);
  }
  // Bits after the last byte must be zero, so that each byte sequence has one encoding.
  if ((bits & ((1U << held) - 1)) != 0) return std::nullopt;
  return out;
}

std::string with_full_stop(std::string text) {
  if (!text.empty() && std::string_view(".?!").find(text.back()) == std::string_view::npos) text += '.';
  return text;
}

std::string_view utf8_head(std::string_view utf8, std::size_t bytes_max) {
  if (utf8.size() <= bytes_max) return utf8;
  // A character has at most three bytes after its first one.
  std::size_t size = bytes_max;
  for (int steps = 0; steps < 3 && size > 0 && continues_character(utf8[size]); ++steps) --size;
  return utf8.substr(0, continues_character(utf8[size]) ? bytes_max : size);
}

std::string_view utf8_tail(std::string_view utf8, std::size_t bytes_max) {
  if (utf8.size() <= bytes_max) return utf8;
  std::size_t begin = utf8.size() - bytes_max;
  while (begin < utf8.size() && continues_character(utf8[begin])) ++begin;
  return utf8.substr(begin);
}

std::size_t code_point_count(std::string_view utf8) {
  return utf8.size() - static_cast<std::size_t>(std::ranges::count_if(utf8, continues_character));
}

}  // namespace snapgen
