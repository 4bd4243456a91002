#pragma once
// Classes of ASCII characters, independent of the locale.
#include <algorithm>
#include <string>
#include <string_view>

namespace snapgen {

inline bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }
inline bool is_lower(char byte) { return byte >= 'a' && byte <= 'z'; }
inline bool is_upper(char byte) { return byte >= 'A' && byte <= 'Z'; }
inline bool is_letter(char byte) { return is_lower(byte) || is_upper(byte); }
inline bool is_alphanumeric(char byte) { return is_digit(byte) || is_letter(byte); }
inline bool is_hex_digit(char byte) {
  return is_digit(byte) || (byte >= 'a' && byte <= 'f') || (byte >= 'A' && byte <= 'F');
}

// Whether `byte` is a hexadecimal digit in lower case, as snapgen::hex() and git write them.
inline bool is_lower_hex_digit(char byte) { return is_digit(byte) || (byte >= 'a' && byte <= 'f'); }

// Returns the value of a hexadecimal digit in either case, or -1 for any other byte.
constexpr int hex_value(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

// These return the argument in lower or upper case. Only ASCII letters change.
inline char to_lower(char byte) { return is_upper(byte) ? static_cast<char>(byte + ('a' - 'A')) : byte; }
inline char to_upper(char byte) { return is_lower(byte) ? static_cast<char>(byte - ('a' - 'A')) : byte; }
inline std::string to_lower(std::string_view text) {
  std::string out(text);
  for (char& byte : out) byte = to_lower(byte);
  return out;
}
// Whether two texts differ at most in the case of ASCII letters.
inline bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char one, char other) { return to_lower(one) == to_lower(other); });
}

// Whether `byte` may be in a token of HTTP (RFC 9110, section 5.6.2).
inline bool is_http_token_byte(char byte) {
  return is_alphanumeric(byte) || std::string_view("!#$%&'*+-.^_`|~").find(byte) != std::string_view::npos;
}

}  // namespace snapgen
