#include "codegen/model/integer.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "runtime/json/number.h"

namespace snapgen::codegen {
namespace {

__extension__ using Wide = __int128;

constexpr Wide int64_least = std::numeric_limits<std::int64_t>::min();
constexpr Wide int64_greatest = std::numeric_limits<std::int64_t>::max();
constexpr Wide uint64_greatest = std::numeric_limits<std::uint64_t>::max();

// Rounds a number up or down to an integer. A result outside the range of int64_t and uint64_t may be
// inexact, but is still outside.
Wide nearest(const std::string& token, bool up) {
  constexpr std::int64_t digits_max = 30;
  const json::Decimal decimal = json::parse_decimal(token);
  const std::int64_t size = static_cast<std::int64_t>(decimal.digits.size()) + decimal.exponent;
  Wide whole = 0;
  for (std::int64_t i = 0; i < std::min(size, digits_max); ++i) {
    const auto at = static_cast<std::size_t>(i);
    whole = whole * 10 + (at < decimal.digits.size() ? decimal.digits[at] - '0' : 0);
  }
  // The number has a fraction, which is rounded away from 0.
  const bool away = decimal.exponent < 0 && up != decimal.negative;
  if (away) ++whole;
  return decimal.negative ? -whole : whole;
}

std::string literal_of(Wide value, bool is_unsigned) {
  if (is_unsigned) return std::to_string(static_cast<std::uint64_t>(value)) + "u";
  // The smallest value is written as a difference: C++ has no literal for it, as the minus sign is an
  // operator.
  return value == int64_least ? "-9223372036854775807 - 1" : std::to_string(static_cast<std::int64_t>(value));
}

struct Bounds {
  std::optional<Wide> low, high;
  void at_least(Wide value) { low = low ? std::max(*low, value) : value; }
  void at_most(Wide value) { high = high ? std::min(*high, value) : value; }
};

Bounds bounds_of(const Schema& s) {
  Bounds found;
  if (s.minimum) found.at_least(nearest(s.minimum->text, true));
  if (s.maximum) found.at_most(nearest(s.maximum->text, false));
  if (s.exclusive_minimum) found.at_least(nearest(s.exclusive_minimum->text, false) + 1);
  if (s.exclusive_maximum) found.at_most(nearest(s.exclusive_maximum->text, true) - 1);
  return found;
}

}  // namespace

IntegerRange integer_range(const Schema& schema) {
  const Bounds bounds = bounds_of(schema);
  Bounds all = bounds;
  if (schema.values) {
    Bounds listed;
    for (const Constant& each : *schema.values) {
      if (each.kinds != kinds::integer) continue;
      const Wide value = nearest(each.canonical, true);
      listed.low = std::min(value, listed.low.value_or(value));
      listed.high = std::max(value, listed.high.value_or(value));
    }
    if (listed.low) all = listed;
  }
  IntegerRange range;
  range.is_unsigned = all.low.value_or(-1) >= 0 && all.high.value_or(0) > int64_greatest;
  const Wide least = range.is_unsigned ? 0 : int64_least;
  const Wide greatest = range.is_unsigned ? uint64_greatest : int64_greatest;
  const bool listed_fit =
      !schema.values || (all.low.value_or(0) >= least && all.high.value_or(0) <= greatest);
  const Wide low = std::max(bounds.low.value_or(least), least);
  const Wide high = std::min(bounds.high.value_or(greatest), greatest);
  range.is_representable = listed_fit && low <= high;
  if (!range.is_representable) return range;
  if (low > least) range.minimum = literal_of(low, range.is_unsigned);
  if (high < greatest) range.maximum = literal_of(high, range.is_unsigned);
  return range;
}

std::optional<std::string> integer_literal(std::string_view token, bool is_unsigned) {
  std::int64_t value = 0;
  std::uint64_t natural = 0;
  const bool there = (is_unsigned ? json::parse_integer(token, natural)
                                  : json::parse_integer(token, value)) == json::IntegerForm::integer;
  if (!there) return std::nullopt;
  return literal_of(is_unsigned ? Wide{natural} : Wide{value}, is_unsigned);
}

}  // namespace snapgen::codegen
