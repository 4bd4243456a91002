#include "runtime/json/checks.h"

#include <gtest/gtest.h>

namespace snapgen::json {
namespace {

// Returns the keyword and the sentence of the violation that `check` finds in a text, which is a string or a
// number.
template <class Check>
std::string problem_of_check(const Check& check) {
  Reader in("0");
  in.skip();
  check(in);
  const std::vector<Violation> violations = in.violations();
  if (violations.empty()) return "";
  EXPECT_EQ(violations.size(), 1U);
  return std::string(violations.front().keyword) + ": " + violations.front().message;
}

TEST(Checks, LengthIsCountedInCharacters) {
  const auto length = [](std::string_view value, std::size_t min, std::size_t max) {
    return problem_of_check([&](Reader& in) { check_length(in, 0, value, min, max); });
  };
  constexpr std::string_view two_characters = "\xF0\x9F\x92\xA9\xF0\x9F\x92\xA9";
  EXPECT_EQ(length(two_characters, 2, 2), "");
  EXPECT_EQ(length(two_characters, 3, unlimited), "minLength: expected at least 3 characters, found 2");
  EXPECT_EQ(length(two_characters, 0, 1), "maxLength: expected at most 1 character, found 2");
  EXPECT_EQ(length("", 1, 10), "minLength: expected at least 1 character, found 0");
  EXPECT_EQ(length("", 0, 0), "");
}

TEST(Checks, ItemsAndPropertiesAreLimitedInNumber) {
  EXPECT_EQ(problem_of_check([](Reader& in) { check_items(in, 0, 3, 1, 2); }),
            "maxItems: expected at most 2 items, found 3");
  EXPECT_EQ(problem_of_check([](Reader& in) { check_items(in, 0, 2, 1, 2); }), "");
  EXPECT_EQ(problem_of_check([](Reader& in) { check_properties(in, 0, 0, 1, unlimited); }),
            "minProperties: expected at least 1 property, found 0");
}

TEST(Checks, NumbersAreCheckedAgainstTheirRange) {
  EXPECT_EQ(problem_of_check([](Reader& in) { check_minimum(in, 0, std::int64_t{0}, std::int64_t{1}); }),
            "minimum: expected a number of at least 1, found 0");
  EXPECT_EQ(problem_of_check([](Reader& in) { check_maximum(in, 0, 1.5, 1.25); }),
            "maximum: expected a number of at most 1.25, found 1.5");
  EXPECT_EQ(problem_of_check([](Reader& in) { check_maximum(in, 0, 1.25, 1.25); }), "");
  EXPECT_EQ(problem_of_check([](Reader& in) { check_exclusive_minimum(in, 0, 1.0, 1.0); }),
            "exclusiveMinimum: expected a number above 1, found 1");
  EXPECT_EQ(problem_of_check([](Reader& in) { check_exclusive_maximum(in, 0, 1.0, 1.0); }),
            "exclusiveMaximum: expected a number below 1, found 1");
}

TEST(Checks, MultiplesAreComputedInDecimalsAsWritten) {
  const auto multiple = [](std::string_view value, std::string_view divisor) {
    Reader in(value);
    double number = 0;
    in.number(number);
    check_multiple_of(in, 0, divisor);
    return in.ok() ? "" : std::string(in.violations()[0].keyword) + ": " + in.violations()[0].message;
  };
  EXPECT_EQ(multiple("4.5", "1.5"), "");
  EXPECT_EQ(multiple("0.3", "0.1"), "");
  EXPECT_EQ(multiple("1.1", "0.01"), "");
  EXPECT_EQ(multiple("-0.0075", "0.0001"), "");
  EXPECT_EQ(multiple("0.00751", "0.0001"),
            "multipleOf: expected a number that is a multiple of 0.0001, found 0.00751");
  EXPECT_EQ(multiple("1e308", "0.5"), "");
  EXPECT_EQ(multiple("9007199254740992", "2"), "");
  EXPECT_EQ(multiple("9007199254740993", "2"),
            "multipleOf: expected a number that is a multiple of 2, found 9007199254740993");
  EXPECT_EQ(problem_of_check([](Reader& in) { check_multiple_of(in, 0, std::int64_t{7}, std::int64_t{2}); }),
            "multipleOf: expected a number that is a multiple of 2, found 7");
}

TEST(Checks, PatternAndFormatViolationsNameTheExpectation) {
  static const Pattern lease("^lease_[a-z]+$");
  EXPECT_EQ(problem_of_check([](Reader& in) { check_pattern(in, 0, "lease_abc", lease); }), "");
  EXPECT_EQ(problem_of_check([](Reader& in) { check_pattern(in, 0, "lease_1", lease); }),
            "pattern: expected a string that matches ^lease_[a-z]+$");
  EXPECT_EQ(problem_of_check([](Reader& in) { check_format(in, 0, "2024-02-30", Format::date); }),
            "format: expected a string of the format date");
}

TEST(Checks, ItemsAreComparedByValue) {
  const std::vector<Raw> same = {{"{\"a\":1,\"b\":2}"}, {"3"}, {"{\"b\":2.0,\"a\":1}"}};
  EXPECT_EQ(problem_of_check([&](Reader& in) { check_unique(in, 0, same); }),
            "uniqueItems: expected items that differ, but items 0 and 2 (from 0) are the same");
  const std::vector<std::string> different = {"a", "b"};
  EXPECT_EQ(problem_of_check([&](Reader& in) { check_unique(in, 0, different); }), "");
  const std::vector<bool> flags = {true, false, true};
  EXPECT_EQ(problem_of_check([&](Reader& in) { check_unique(in, 0, flags); }),
            "uniqueItems: expected items that differ, but items 0 and 2 (from 0) are the same");
}

}  // namespace
}  // namespace snapgen::json
