#pragma once
// Numbers of JSON text as exact decimal fractions of any size. JSON Schema's rules apply to these, so 0.3 is
// a multiple of 0.1, and 1e400 is an integer.
#include <cstdint>
#include <string>
#include <string_view>

namespace snapgen::json {

struct Decimal {
  bool negative = false;
  std::string digits;         // Without zeros at either end; empty for 0.
  std::int64_t exponent = 0;  // The value is digits * 10^exponent.
};

// `token` must be a valid JSON number. Exponents beyond ±10^15 are clamped.
Decimal parse_decimal(std::string_view token);
// Returns the same text for equal numbers and for no others, such as 15e-1.
std::string text(const Decimal& value);

int compare(const Decimal& a, const Decimal& b);  // Below, at or above 0.
bool is_integer(std::string_view token);
int compare_numbers(std::string_view a, std::string_view b);
// Whether value / divisor is a whole number; `divisor` must not be 0.
bool is_multiple(std::string_view value, std::string_view divisor);

// Parses an integer of at most 18 digits without fraction or exponent; returns false for any other token.
bool small_integer(std::string_view token, std::int64_t& out);

}  // namespace snapgen::json
