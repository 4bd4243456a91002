#include "runtime/json/number.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>

namespace snapgen::json {
namespace {

// A decimal number taken apart: the digits d1 d2 ... dk stand for 0.d1d2...dk * 10^point.
struct Decimal {
  bool negative = false;
  std::string_view whole;     // digits before the point
  std::string_view fraction;  // and behind it
  std::int64_t exponent = 0;  // as written, clamped
};

constexpr std::int64_t exponent_max = std::int64_t{1} << 40;  // Beyond every text's length.

Decimal taken_apart(std::string_view token) {
  Decimal out;
  if (token.starts_with('-')) {
    out.negative = true;
    token.remove_prefix(1);
  }
  const std::size_t e = token.find_first_of("eE");
  const std::string_view mantissa = token.substr(0, e);
  const std::size_t point = mantissa.find('.');
  out.whole = mantissa.substr(0, point);
  if (point != std::string_view::npos) out.fraction = mantissa.substr(point + 1);
  if (e == std::string_view::npos) return out;
  std::string_view digits = token.substr(e + 1);
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) digits.remove_prefix(1);
  for (const char digit : digits) out.exponent = std::min(exponent_max, out.exponent * 10 + (digit - '0'));
  if (negative) out.exponent = -out.exponent;
  return out;
}

// Digit `i` of the whole and the fraction as one row.
char digit_at(const Decimal& decimal, std::size_t i) {
  return i < decimal.whole.size() ? decimal.whole[i] : decimal.fraction[i - decimal.whole.size()];
}

// The place of the first digit that counts: 10^(magnitude - 1) <= |value| < 10^magnitude. None for zero.
std::optional<std::int64_t> magnitude(const Decimal& decimal) {
  const std::size_t count = decimal.whole.size() + decimal.fraction.size();
  std::size_t zeros = 0;
  while (zeros < count && digit_at(decimal, zeros) == '0') ++zeros;
  if (zeros == count) return std::nullopt;
  return static_cast<std::int64_t>(decimal.whole.size()) - static_cast<std::int64_t>(zeros) +
         decimal.exponent;
}

}  // namespace

IntegerForm parse_integer(std::string_view token, std::int64_t& out) {
  const Decimal decimal = taken_apart(token);
  const std::optional<std::int64_t> places = magnitude(decimal);
  if (!places) {
    out = 0;
    return IntegerForm::integer;
  }
  const auto count = static_cast<std::int64_t>(decimal.whole.size() + decimal.fraction.size());
  const std::int64_t whole_digits = static_cast<std::int64_t>(decimal.whole.size()) + decimal.exponent;
  for (std::int64_t i = std::max<std::int64_t>(whole_digits, 0); i < count; ++i) {
    if (digit_at(decimal, static_cast<std::size_t>(i)) != '0') return IntegerForm::fraction;
  }
  if (*places > 19) return IntegerForm::too_large;
  std::uint64_t value = 0;  // Of at most 19 digits: no overflow.
  for (std::int64_t i = 0; i < whole_digits; ++i) {
    const char digit = i < count ? digit_at(decimal, static_cast<std::size_t>(i)) : '0';
    value = value * 10 + static_cast<std::uint64_t>(digit - '0');
  }
  constexpr auto limit = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (value > limit + (decimal.negative ? 1 : 0)) return IntegerForm::too_large;
  out = static_cast<std::int64_t>(decimal.negative ? 0 - value : value);
  return IntegerForm::integer;
}

std::optional<double> parse_double(std::string_view token) {
  double value = 0;
  const std::from_chars_result result = std::from_chars(token.data(), token.data() + token.size(), value);
  if (result.ec == std::errc()) return value;
  // Out of range either way: from_chars does not say which.
  const Decimal decimal = taken_apart(token);
  if (magnitude(decimal).value_or(0) > 0) return std::nullopt;
  return decimal.negative ? -0.0 : 0.0;
}

char* put_number(char* out, double value) {
  // Whole numbers below 2^53 are their digits.
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
  const int point = exponent + 1;  // Where the point stands among the digits.
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
