#include "runtime/json/number.h"

#include <charconv>
#include <cstring>
#include <limits>

#include "runtime/json/decimal.h"

namespace snapgen::json {
namespace {

// Parses an integer; sets `out` to its absolute value, and `negative` to whether it is below 0.
IntegerForm parse_magnitude(std::string_view token, bool& negative, std::uint64_t& out) {
  const Decimal decimal = parse_decimal(token);
  negative = decimal.negative;
  if (decimal.exponent < 0) return IntegerForm::fraction;
  constexpr std::size_t digits_max = 20;
  if (static_cast<std::int64_t>(decimal.digits.size()) + decimal.exponent >
      static_cast<std::int64_t>(digits_max))
    return IntegerForm::out_of_range;
  char digits[digits_max] = {};
  const std::size_t size = decimal.digits.size() + static_cast<std::size_t>(decimal.exponent);
  std::memset(digits, '0', size);
  decimal.digits.copy(digits, digits_max);
  out = 0;
  const bool fits = size == 0 || std::from_chars(digits, digits + size, out).ec == std::errc();
  return fits ? IntegerForm::integer : IntegerForm::out_of_range;
}

}  // namespace

IntegerForm parse_integer(std::string_view token, std::int64_t& out) {
  bool negative = false;
  std::uint64_t value = 0;
  const IntegerForm form = parse_magnitude(token, negative, value);
  if (form != IntegerForm::integer) return form;
  constexpr auto limit = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (value > limit + (negative ? 1 : 0)) return IntegerForm::out_of_range;
  out = static_cast<std::int64_t>(negative ? 0 - value : value);
  return IntegerForm::integer;
}

IntegerForm parse_integer(std::string_view token, std::uint64_t& out) {
  bool negative = false;
  std::uint64_t value = 0;
  const IntegerForm form = parse_magnitude(token, negative, value);
  if (form != IntegerForm::integer) return form;
  if (negative) return IntegerForm::out_of_range;  // For -0, `negative` is false.
  out = value;
  return form;
}

std::optional<double> parse_double(std::string_view token) {
  double value = 0;
  const std::from_chars_result result = std::from_chars(token.data(), token.data() + token.size(), value);
  if (result.ec == std::errc()) return value;
  // std::from_chars() has the same error for overflow and underflow. The decimal exponent tells which it is.
  const Decimal decimal = parse_decimal(token);
  if (static_cast<std::int64_t>(decimal.digits.size()) + decimal.exponent > 0) return std::nullopt;
  return decimal.negative ? -0.0 : 0.0;
}

char* write_number(char* out, double value) {
  // Whole numbers below 2^53 are written as digits.
  if (value > -9007199254740992.0 && value < 9007199254740992.0) {
    const auto whole = static_cast<std::int64_t>(value);
    if (static_cast<double>(whole) == value) return std::to_chars(out, out + number_bytes_max, whole).ptr;
  }
  char shortest[number_bytes_max];
  const char* end =
      std::to_chars(shortest, shortest + sizeof shortest, value, std::chars_format::scientific).ptr;
  const char* next = shortest;
  if (*next == '-') *out++ = *next++;
  char digits[20];
  int count = 0;
  for (; *next != 'e'; ++next) {
    if (*next != '.') digits[count++] = *next;
  }
  ++next;
  if (*next == '+') ++next;
  int exponent = 0;
  std::from_chars(next, end, exponent);
  const auto put = [&out](const char* from, int size) {
    std::memcpy(out, from, static_cast<std::size_t>(size));
    out += size;
  };
  const auto zeros = [&out](int size) {
    std::memset(out, '0', static_cast<std::size_t>(size));
    out += size;
  };
  const int point = exponent + 1;  // How many digits are before the decimal point.
  if (point > 21 || point <= -6) {
    put(digits, 1);
    if (count > 1) {
      *out++ = '.';
      put(digits + 1, count - 1);
    }
    *out++ = 'e';
    *out++ = exponent < 0 ? '-' : '+';
    return std::to_chars(out, out + 4, exponent < 0 ? -exponent : exponent).ptr;
  }
  if (point <= 0) {
    put("0.", 2);
    zeros(-point);
    put(digits, count);
  } else if (count <= point) {
    put(digits, count);
    zeros(point - count);
  } else {
    put(digits, point);
    *out++ = '.';
    put(digits + point, count - point);
  }
  return out;
}

}  // namespace snapgen::json
