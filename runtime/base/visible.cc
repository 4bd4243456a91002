#include "runtime/base/visible.h"

#include <cstdint>
#include <cstdio>

namespace snapgen {
namespace {

bool is_in(unsigned char byte, unsigned char first, unsigned char last) {
  return byte >= first && byte <= last;
}

// Returns the code point of a character with `size` bytes, of one to three.
std::uint32_t code_point(std::string_view character) {
  const auto at = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(character[i]));
  };
  if (character.size() == 1) return at(0);
  if (character.size() == 2) return (at(0) & 0x1f) << 6 | (at(1) & 0x3f);
  return (at(0) & 0x0f) << 12 | (at(1) & 0x3f) << 6 | (at(2) & 0x3f);
}

}  // namespace

std::size_t hidden_character_bytes(std::string_view text) {
  const auto at = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : static_cast<unsigned char>(0);
  };
  if (text.empty()) return 0;
  const unsigned char first = at(0);
  if (first < 0x20) return first == '\n' || first == '\t' ? 0 : 1;
  if (first == 0x7f) return 1;
  if (first == 0xc2) return is_in(at(1), 0x80, 0x9f) ? 2 : 0;  // U+0080 to U+009F
  if (first == 0xd8) return at(1) == 0x9c ? 2 : 0;             // U+061C
  if (first != 0xe2) return 0;
  // U+200E, U+200F and U+202A to U+202E begin with E2 80; U+2066 to U+2069 with E2 81.
  const bool is_mark_or_embedding = at(1) == 0x80 && (is_in(at(2), 0x8e, 0x8f) || is_in(at(2), 0xaa, 0xae));
  const bool is_isolate = at(1) == 0x81 && is_in(at(2), 0xa6, 0xa9);
  return is_mark_or_embedding || is_isolate ? 3 : 0;
}

bool has_hidden_characters(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (hidden_character_bytes(text.substr(i)) > 0) return true;
  return false;
}

std::string visible(std::string text) {
  if (!has_hidden_characters(text)) return text;
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t bytes = hidden_character_bytes(std::string_view(text).substr(i));
    if (bytes == 0) {
      out += text[i++];
      continue;
    }
    char code[8];
    std::snprintf(code, sizeof code, "\\u%04x", code_point(std::string_view(text).substr(i, bytes)));
    out += code;
    i += bytes;
  }
  return out;
}

}  // namespace snapgen
