#pragma once
// Percent-encoding (RFC 3986, section 2.1), as used in URIs and line formats.
#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/ascii.h"

namespace snapgen {

// Decodes the `%XX` at offset `at`. Returns nullopt if there is none.
inline std::optional<char> percent_decoded_byte(std::string_view text, std::size_t at) {
  if (text.size() - at < 3 || text[at] != '%') return std::nullopt;
  const int high = hex_value(text[at + 1]);
  const int low = hex_value(text[at + 2]);
  if (high < 0 || low < 0) return std::nullopt;
  return static_cast<char>(high * 16 + low);
}

inline void append_percent_encoded(std::string& out, char byte) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  const auto bits = static_cast<unsigned char>(byte);
  out += '%';
  out += digits[bits >> 4];
  out += digits[bits & 15];
}

}  // namespace snapgen
