#pragma once
// Conversion between number tokens of JSON text and numbers. The token must match the grammar of RFC 8259.
#include <cstdint>
#include <optional>
#include <string_view>

namespace snapgen::json {

enum class IntegerForm : std::uint8_t { integer, fraction, out_of_range };

// Parses the exact integer value of `token` in any form: 1, 1.0 and 10e-1 are 1. Sets `out` only if it
// returns `integer`. A value that does not fit into `out` is out_of_range.
IntegerForm parse_integer(std::string_view token, std::int64_t& out);
IntegerForm parse_integer(std::string_view token, std::uint64_t& out);

// Returns the double nearest to `token`. Underflow gives 0, and overflow nullopt.
std::optional<double> parse_double(std::string_view token);

// Writes a finite value as ECMAScript does (ECMA-262, Number::toString, radix 10); -0 is "0". Writes at most
// number_bytes_max bytes to `out` and returns their end.
inline constexpr int number_bytes_max = 32;
char* write_number(char* out, double value);

}  // namespace snapgen::json
