#include "runtime/json/checks.h"

#include "runtime/base/text.h"
#include "runtime/json/number.h"

namespace snapgen::json {
namespace {

std::string count_with_noun(std::size_t count, std::string_view one, std::string_view many) {
  std::string out = std::to_string(count) + " ";
  out += count == 1 ? one : many;
  return out;
}

std::string in_digits(std::int64_t value) { return std::to_string(value); }
std::string in_digits(std::uint64_t value) { return std::to_string(value); }

std::string in_digits(double value) {
  char buffer[number_bytes_max];
  return {buffer, write_number(buffer, value)};
}

// The name of the counted things, in singular and plural, and the schema keywords that limit the count.
struct Counted {
  std::string_view min_keyword;
  std::string_view max_keyword;
  std::string_view one;
  std::string_view many;
};

void check_count(Reader& in, std::size_t offset, std::size_t count, std::size_t min, std::size_t max,
                 const Counted& what) {
  const auto found = [count] { return ", found " + std::to_string(count); };
  if (count < min) {
    in.report_violation(offset, what.min_keyword,
                        "expected at least " + count_with_noun(min, what.one, what.many), found());
  } else if (count > max) {
    in.report_violation(offset, what.max_keyword,
                        "expected at most " + count_with_noun(max, what.one, what.many), found());
  }
}

template <class T>
void violate_limit(Reader& in, std::size_t offset, std::string_view keyword, std::string_view relation,
                   T limit, T value) {
  std::string message = "expected a number ";
  message.append(relation).append(" ");
  message += in_digits(limit);
  in.report_violation(offset, keyword, std::move(message), ", found " + in_digits(value));
}

}  // namespace

void check_length(Reader& in, std::size_t offset, std::string_view value, std::size_t min, std::size_t max) {
  // A character has one to four bytes, so the byte size alone shows that most strings are within the limits.
  if (value.size() <= max && value.size() / 4 >= min) return;
  check_count(
      in, offset, code_point_count(value), min, max,
      {.min_keyword = "minLength", .max_keyword = "maxLength", .one = "character", .many = "characters"});
}

void check_items(Reader& in, std::size_t offset, std::size_t count, std::size_t min, std::size_t max) {
  check_count(in, offset, count, min, max,
              {.min_keyword = "minItems", .max_keyword = "maxItems", .one = "item", .many = "items"});
}

void check_properties(Reader& in, std::size_t offset, std::size_t count, std::size_t min, std::size_t max) {
  check_count(in, offset, count, min, max,
              {.min_keyword = "minProperties",
               .max_keyword = "maxProperties",
               .one = "property",
               .many = "properties"});
}

void check_pattern(Reader& in, std::size_t offset, std::string_view value, const Pattern& pattern) {
  if (pattern.matches(value)) return;
  in.report_violation(offset, "pattern", "expected a string that matches " + std::string(pattern.source()));
}

void check_format(Reader& in, std::size_t offset, std::string_view value, Format format) {
  if (matches_format(format, value)) return;
  in.report_violation(offset, "format", "expected a string of the format " + std::string(text(format)));
}

void check_minimum(Reader& in, std::size_t offset, std::int64_t value, std::int64_t minimum) {
  if (value < minimum) violate_limit(in, offset, "minimum", "of at least", minimum, value);
}

void check_maximum(Reader& in, std::size_t offset, std::int64_t value, std::int64_t maximum) {
  if (value > maximum) violate_limit(in, offset, "maximum", "of at most", maximum, value);
}

void check_multiple_of(Reader& in, std::size_t offset, std::int64_t value, std::int64_t divisor) {
  if (divisor == -1 || value % divisor == 0) return;
  violate_limit(in, offset, "multipleOf", "that is a multiple of", divisor, value);
}

void check_minimum(Reader& in, std::size_t offset, std::uint64_t value, std::uint64_t minimum) {
  if (value < minimum) violate_limit(in, offset, "minimum", "of at least", minimum, value);
}

void check_maximum(Reader& in, std::size_t offset, std::uint64_t value, std::uint64_t maximum) {
  if (value > maximum) violate_limit(in, offset, "maximum", "of at most", maximum, value);
}

void check_multiple_of(Reader& in, std::size_t offset, std::uint64_t value, std::uint64_t divisor) {
  if (value % divisor != 0) violate_limit(in, offset, "multipleOf", "that is a multiple of", divisor, value);
}

void check_minimum(Reader& in, std::size_t offset, double value, double minimum) {
  if (value < minimum) violate_limit(in, offset, "minimum", "of at least", minimum, value);
}

void check_maximum(Reader& in, std::size_t offset, double value, double maximum) {
  if (value > maximum) violate_limit(in, offset, "maximum", "of at most", maximum, value);
}

void check_exclusive_minimum(Reader& in, std::size_t offset, double value, double minimum) {
  if (value <= minimum) violate_limit(in, offset, "exclusiveMinimum", "above", minimum, value);
}

void check_exclusive_maximum(Reader& in, std::size_t offset, double value, double maximum) {
  if (value >= maximum) violate_limit(in, offset, "exclusiveMaximum", "below", maximum, value);
}

void check_multiple_of(Reader& in, std::size_t offset, std::string_view divisor) {
  const std::string_view value = in.number_at(offset);
  if (is_multiple(value, divisor)) return;
  in.report_violation(offset, "multipleOf", "expected a number that is a multiple of " + std::string(divisor),
                      ", found " + std::string(value));
}

std::string not_unique_message(std::size_t first, std::size_t second) {
  return "expected items that differ, but items " + std::to_string(first) + " and " + std::to_string(second) +
         " (from 0) are the same";
}

void report_not_unique(Reader& in, std::size_t offset, std::size_t first, std::size_t second) {
  in.report_violation(offset, "uniqueItems", not_unique_message(first, second));
}

}  // namespace snapgen::json
