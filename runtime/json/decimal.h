#pragma once
// Numbers of JSON text as what they are: decimal fractions of any size. What JSON Schema says of numbers is
// said of these, so 0.3 is a multiple of 0.1, and 1e400 is an integer.
#include <cstdint>
#include <string>
#include <string_view>

namespace snapgen::json {

struct Decimal {
  bool negative = false;
  std::string digits;         // Without zeros at either end; empty for 0.
  std::int64_t exponent = 0;  // The value is digits * 10^exponent.
};

// Of a token that is valid JSON. An exponent beyond ±10^15 is taken to be that.
Decimal parse_decimal(std::string_view token);
// The same text for equal numbers and for no others: 15e-1.
std::string text(const Decimal& value);

int compare(const Decimal& a, const Decimal& b);  // Below, at or above 0.
bool is_integer(std::string_view token);
int compare_numbers(std::string_view a, std::string_view b);
// Whether value / divisor is a whole number; divisor is not 0.
bool is_multiple(std::string_view value, std::string_view divisor);

// A token that is an integer of at most 18 digits; false for any other, even if it is an integer in value.
bool small_integer(std::string_view token, std::int64_t& out);

}  // namespace snapgen::json
