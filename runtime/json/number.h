#pragma once
// Conversion between number tokens of JSON text and numbers. The token must match the grammar of RFC 8259.
#include <cstdint>
#include <optional>
#include <string>
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

// Numbers of JSON text as exact decimal fractions of any size. JSON Schema's rules apply to these, so 0.3 is
// a multiple of 0.1, and 1e400 is an integer.
struct Decimal {
  bool negative = false;
  std::string digits;         // Without zeros at the beginning or end; empty for 0.
  std::int64_t exponent = 0;  // The value is digits * 10^exponent.
};

// Parses a number. `token` must be a valid JSON number. Exponents beyond ±10^15 are clamped.
Decimal parse_decimal(std::string_view token);
// Returns a text such as 15e-1 for 1.5, which is the same for equal numbers and different for others.
std::string text(const Decimal& value);

int compare(const Decimal& a, const Decimal& b);  // Negative, 0 or positive, as for strcmp().
bool is_integer(std::string_view token);
int compare_numbers(std::string_view a, std::string_view b);
// Whether value / divisor is a whole number; `divisor` must not be 0.
bool is_multiple(std::string_view value, std::string_view divisor);

// Parses an integer of at most 18 digits without fraction or exponent; returns false for any other token.
bool parse_small_integer(std::string_view token, std::int64_t& out);

}  // namespace snapgen::json
