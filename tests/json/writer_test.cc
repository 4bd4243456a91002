#include "runtime/json/writer.h"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace snapgen::json {
namespace {

std::string number(double value) {
  std::string out;
  Writer(out).number(value);
  return out;
}

// Each number is written as String(value) in ECMAScript prints it.
TEST(Writer, NumbersAreWrittenAsInECMAScript) {
  const std::pair<double, const char*> table[] = {
      {0, "0"},
      {-0.0, "0"},
      {1, "1"},
      {-1, "-1"},
      {1.5, "1.5"},
      {100000, "100000"},
      {1e20, "100000000000000000000"},
      {1e21, "1e+21"},
      {-1e21, "-1e+21"},
      {1.5e21, "1.5e+21"},
      {123456789012345680000.0, "123456789012345680000"},
      {1234567890123456800000.0, "1.2345678901234568e+21"},
      {1e-6, "0.000001"},
      {1e-7, "1e-7"},
      {1.5e-7, "1.5e-7"},
      {-0.00000123, "-0.00000123"},
      {0.1, "0.1"},
      {0.1 + 0.2, "0.30000000000000004"},
      {4.35, "4.35"},
      {1.0 / 3, "0.3333333333333333"},
      {333333333.33333329, "333333333.3333333"},
      {9007199254740991.0, "9007199254740991"},
      {9007199254740992.0, "9007199254740992"},
      {9007199254740994.0, "9007199254740994"},
      {-9007199254740992.0, "-9007199254740992"},
      {9223372036854775808.0, "9223372036854776000"},
      {5e-324, "5e-324"},
      {2.2250738585072014e-308, "2.2250738585072014e-308"},
      {1.7976931348623157e308, "1.7976931348623157e+308"},
  };
  for (const auto& [value, text] : table) EXPECT_EQ(number(value), text);
}

TEST(Writer, EveryFiniteDoubleIsReadBackUnchanged) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 200'000; ++i) {
    const auto value = std::bit_cast<double>(random());
    if (!std::isfinite(value)) continue;
    const std::string text = number(value);
    ASSERT_EQ(std::strtod(text.c_str(), nullptr), value) << text;
    ASSERT_LE(text.size(), 25U) << text;
  }
  for (int i = 0; i < 100'000; ++i) {  // These numbers have common magnitudes.
    const double value =
        static_cast<double>(static_cast<std::int64_t>(random() % 2'000'000'000'000) - 1'000'000'000'000) /
        1000;
    ASSERT_EQ(std::strtod(number(value).c_str(), nullptr), value);
  }
}

TEST(Writer, IntegersAreExact) {
  std::string out;
  Writer writer(out);
  writer.integer(std::numeric_limits<std::int64_t>::min());
  writer.text(",");
  writer.integer(std::numeric_limits<std::int64_t>::max());
  writer.text(",");
  writer.unsigned_integer(std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(out, "-9223372036854775808,9223372036854775807,18446744073709551615");
}

TEST(Writer, OnlyQuotesBackslashesAndControlCharactersAreEscaped) {
  EXPECT_EQ(json::quoted(""), "\"\"");
  EXPECT_EQ(json::quoted("a\"b\\c/d"), R"("a\"b\\c/d")");
  EXPECT_EQ(json::quoted("\b\t\n\f\r"), R"("\b\t\n\f\r")");
  EXPECT_EQ(json::quoted(std::string_view("\0\x01\x0b\x1f", 4)), R"("\u0000\u0001\u000b\u001f")");
  constexpr std::string_view literal = "\x7f\xC2\x80\xE2\x80\xA8\xE2\x80\xA9\xF0\x9F\x98\x80";
  EXPECT_EQ(json::quoted(literal), "\"" + std::string(literal) + "\"");
}

// The expected text is built one byte at a time; the writer works in blocks with a buffer.
TEST(Writer, ATextOfAnyLengthIsEscapedAsByteByByte) {
  const auto reference = [](std::string_view text) {
    std::string out = "\"";
    for (const char byte : text) {
      const std::string one = json::quoted(std::string_view(&byte, 1));
      out += one.substr(1, one.size() - 2);
    }
    return out + "\"";
  };
  std::mt19937 random(11);
  for (int round = 0; round < 2000; ++round) {
    const std::size_t size = round < 200 ? static_cast<std::size_t>(round) : random() % 9000;
    const unsigned rate = 1U + random() % 60U;
    std::string text(size, 'x');
    for (char& byte : text) {
      if (random() % rate == 0) byte = "\"\\\n\x01\x1f\x7f"[random() % 6];
    }
    ASSERT_EQ(json::quoted(text), reference(text));
  }
}

TEST(Canonical, MembersAreSortedAtEveryLevel) {
  EXPECT_EQ(*canonical(R"( { "b" : { "z" : 1 , "a" : [ { "y" : 2 , "x" : 3 } ] } , "a" : null } )"),
            R"({"a":null,"b":{"a":[{"x":3,"y":2}],"z":1}})");
  EXPECT_EQ(*canonical(R"({"a":1,"":2,"ab":3,"A":4})"), R"({"":2,"A":4,"a":1,"ab":3})");
}

TEST(Canonical, AnErrorStatesItsPosition) {
  EXPECT_EQ(canonical(R"({"b":1,"a":2,"b":3})").error().message, "duplicate property \"b\" at byte 13");
  EXPECT_EQ(canonical(R"([[{"a":1,"\u0061":2}]])").error().message, "duplicate property \"a\" at byte 9");
  EXPECT_EQ(canonical("[1,18446744073709551616]").error().message, "number out of range at byte 3");
  EXPECT_EQ(canonical("[1,]").error().message, "not JSON: not a JSON value at byte 3");
  EXPECT_EQ(canonical("\"\xff\"").error().message, "not UTF-8");
  EXPECT_EQ(canonical("\xEF\xBB\xBF{}").error().message, "a byte order mark at byte 0");
}

}  // namespace
}  // namespace snapgen::json
