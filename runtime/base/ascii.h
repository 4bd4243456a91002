#pragma once
// Classes of ASCII characters, independent of the locale.
#include <string_view>

namespace snapgen {

inline bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }
inline bool is_letter(char byte) { return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z'); }
inline bool is_alphanumeric(char byte) { return is_digit(byte) || is_letter(byte); }
inline bool is_hex(char byte) {
  return is_digit(byte) || (byte >= 'a' && byte <= 'f') || (byte >= 'A' && byte <= 'F');
}

// A byte of a token in HTTP (RFC 9110, section 5.6.2).
inline bool is_token_byte(char byte) {
  return is_alphanumeric(byte) || std::string_view("!#$%&'*+-.^_`|~").find(byte) != std::string_view::npos;
}

}  // namespace snapgen
