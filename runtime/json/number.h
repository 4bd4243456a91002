#pragma once
// Conversion between number tokens of JSON text and numbers. The token must match the grammar of RFC 8259.
#include <cstdint>
#include <optional>
#include <string_view>

namespace snapgen::json {

enum class IntegerForm : std::uint8_t { integer, fraction, out_of_range };

// Parses the exact integer value of `token` in any form: 1, 1.0 and 10e-1 are 1. Sets `out` only for
// `integer`; values beyond its type are out_of_range.
IntegerForm parse_integer(std::string_view token, std::int64_t& out);
IntegerForm parse_integer(std::string_view token, std::uint64_t& out);

// Returns the nearest double; underflow gives 0, overflow nullopt.
std::optional<double> parse_double(std::string_view token);

// ECMAScript's Number-to-string (ECMA-262, Number::toString, radix 10) of a finite value; -0 is "0". Writes
// at most number_bytes_max bytes and returns their end.
inline constexpr int number_bytes_max = 32;
char* put_number(char* out, double value);

}  // namespace snapgen::json
