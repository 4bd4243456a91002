#pragma once
// Classes of ASCII characters, independent of the locale.

namespace snapgen::json {

inline bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }
inline bool is_letter(char byte) { return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z'); }
inline bool is_alphanumeric(char byte) { return is_digit(byte) || is_letter(byte); }
inline bool is_hex(char byte) {
  return is_digit(byte) || (byte >= 'a' && byte <= 'f') || (byte >= 'A' && byte <= 'F');
}

}  // namespace snapgen::json
