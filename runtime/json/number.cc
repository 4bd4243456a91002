#include "runtime/json/number.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>

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

namespace {

constexpr std::int64_t exponent_max = 1'000'000'000'000'000;

std::int64_t parse_exponent(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  std::int64_t value = 0;
  for (const char digit : text) value = std::min(exponent_max, value * 10 + (digit - '0'));
  return negative ? -value : value;
}

int compare_magnitudes(const Decimal& a, const Decimal& b) {
  if (a.digits.empty() || b.digits.empty())
    return static_cast<int>(!a.digits.empty()) - static_cast<int>(!b.digits.empty());
  const std::int64_t top_a = static_cast<std::int64_t>(a.digits.size()) + a.exponent;
  const std::int64_t top_b = static_cast<std::int64_t>(b.digits.size()) + b.exponent;
  if (top_a != top_b) return top_a < top_b ? -1 : 1;
  const int order = a.digits.compare(b.digits);  // A prefix is less, as 0.1 is less than 0.12.
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}

// Returns digits * 10^zeros modulo divisor.
std::uint64_t remainder(std::string_view digits, std::int64_t zeros, std::uint64_t divisor) {
  __extension__ using Wide = unsigned __int128;
  std::uint64_t rest = 0;
  for (const char digit : digits)
    rest = static_cast<std::uint64_t>((Wide{rest} * 10 + static_cast<unsigned>(digit - '0')) % divisor);
  Wide power = 10 % divisor;
  for (; zeros > 0; zeros >>= 1) {
    if (zeros & 1) rest = static_cast<std::uint64_t>(Wide{rest} * power % divisor);
    power = power * power % divisor;
  }
  return rest;
}

// Subtracts `divisor` from `rest`, both in decimal digits. `rest` must not be smaller.
void subtract(std::string& rest, std::string_view divisor) {
  int borrow = 0;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const std::size_t at = rest.size() - 1 - i;
    const int other = i < divisor.size() ? divisor[divisor.size() - 1 - i] - '0' : 0;
    int digit = rest[at] - '0' - other - borrow;
    borrow = digit < 0 ? 1 : 0;
    if (borrow) digit += 10;
    rest[at] = static_cast<char>('0' + digit);
  }
  rest.erase(0, std::min(rest.find_first_not_of('0'), rest.size()));
}

// Whether digits * 10^zeros is a multiple of `divisor`, by long division in decimal, for divisors of more
// than 18 digits. Few of the zeros are needed: a divisor that does not end in 0 has at most one of the
// factors 2 and 5, and only these factors can divide a power of 10.
bool divides(std::string_view digits, std::int64_t zeros, std::string_view divisor) {
  const std::int64_t enough = 4 * static_cast<std::int64_t>(divisor.size());
  std::string rest;
  const auto step = [&](char digit) {
    if (!rest.empty() || digit != '0') rest += digit;
    while (rest.size() > divisor.size() || (rest.size() == divisor.size() && rest >= divisor))
      subtract(rest, divisor);
  };
  for (const char digit : digits) step(digit);
  for (std::int64_t i = 0; i < std::min(zeros, enough) && !rest.empty(); ++i) step('0');
  return rest.empty();
}

}  // namespace

Decimal parse_decimal(std::string_view token) {
  Decimal out;
  if (token.starts_with('-')) {
    out.negative = true;
    token.remove_prefix(1);
  }
  const std::size_t e = token.find_first_of("eE");
  if (e != std::string_view::npos) out.exponent = parse_exponent(token.substr(e + 1));
  const std::string_view mantissa = token.substr(0, e);
  const std::size_t point = mantissa.find('.');
  out.digits = mantissa.substr(0, point);
  if (point != std::string_view::npos) {
    const std::string_view fraction = mantissa.substr(point + 1);
    out.digits += fraction;
    out.exponent -= static_cast<std::int64_t>(fraction.size());
  }
  const std::size_t last = out.digits.find_last_not_of('0');
  if (last == std::string::npos) return {};
  out.exponent += static_cast<std::int64_t>(out.digits.size() - 1 - last);
  out.digits.resize(last + 1);
  out.digits.erase(0, out.digits.find_first_not_of('0'));
  return out;
}

std::string text(const Decimal& value) {
  if (value.digits.empty()) return "0";
  return (value.negative ? "-" : "") + value.digits + "e" + std::to_string(value.exponent);
}

int compare(const Decimal& a, const Decimal& b) {
  if (a.negative != b.negative) return a.negative ? -1 : 1;  // A Decimal of 0 is never negative.
  const int order = compare_magnitudes(a, b);
  return a.negative ? -order : order;
}

bool parse_small_integer(std::string_view token, std::int64_t& out) {
  if (token.size() > 18) return false;
  const char* end = token.data() + token.size();
  const auto [last, error] = std::from_chars(token.data(), end, out);
  return error == std::errc() && last == end;
}

bool is_integer(std::string_view token) {
  if (token.find_first_of(".eE") == std::string_view::npos) return true;
  const Decimal value = parse_decimal(token);
  return value.exponent >= 0;
}

int compare_numbers(std::string_view a, std::string_view b) {
  std::int64_t left = 0;
  std::int64_t right = 0;
  if (parse_small_integer(a, left) && parse_small_integer(b, right))
    return left < right ? -1 : left > right ? 1 : 0;
  return compare(parse_decimal(a), parse_decimal(b));
}

bool is_multiple(std::string_view value, std::string_view divisor) {
  std::int64_t whole = 0;
  std::int64_t by = 0;
  if (parse_small_integer(value, whole) && parse_small_integer(divisor, by)) return whole % by == 0;
  const Decimal v = parse_decimal(value);
  const Decimal d = parse_decimal(divisor);
  if (v.digits.empty()) return true;
  const std::int64_t zeros = v.exponent - d.exponent;
  // The value has more decimal places than the divisor, and its digits do not end in 0, so it is no multiple.
  if (zeros < 0) return false;
  if (parse_small_integer(d.digits, by))
    return remainder(v.digits, zeros, static_cast<std::uint64_t>(by)) == 0;
  return divides(v.digits, zeros, d.digits);
}

}  // namespace snapgen::json
