#include "runtime/json/format.h"

#include <set>

#include <gtest/gtest.h>

#include "runtime/json/document.h"
#include "runtime/json/pattern.h"
#include "tests/json/shared.h"

namespace snapgen::json {
namespace {

constexpr Format all_formats[] = {
    Format::date_time, Format::date,          Format::time,         Format::duration, Format::email,
    Format::uri,       Format::uri_reference, Format::uri_template, Format::uuid,     Format::ipv4,
    Format::ipv6,      Format::hostname,      Format::json_pointer, Format::regex,    Format::byte,
};

TEST(Format, EveryFormatIsFoundByItsName) {
  for (const Format format : all_formats) {
    EXPECT_EQ(format_named(text(format)), format) << text(format);
  }
  EXPECT_EQ(format_named("idn-email"), std::nullopt);
}

// The official suite's cases for strings, without host names whose Unicode form IDNA (RFC 5892) rejects.
TEST(Format, MatchesTheOfficialSuite) {
  const std::filesystem::path folder = shared("json-schema-test-suite/tests/draft2020-12/optional/format");
  SNAPGEN_NEEDS(folder);
  int cases = 0;
  for (const Format format : all_formats) {
    const std::filesystem::path path = folder / (std::string(text(format)) + ".json");
    if (!std::filesystem::exists(path)) continue;
    const Document document = parse_document(file_text(path));
    ASSERT_TRUE(document.ok());
    for (const Node& group : document.root.items) {
      for (const Node& test : group.find("tests")->items) {
        const Node& data = *test.find("data");
        if (!data.is(Kind::string)) continue;
        if (format == Format::hostname && (data.text.starts_with("xn--") || data.text.starts_with("XN--")))
          continue;
        ++cases;
        EXPECT_EQ(matches_format(format, data.text), test.find("valid")->boolean)
            << text(format) << ": " << data.text << ": " << test.find("description")->text;
      }
    }
  }
  EXPECT_GT(cases, 300);
}

TEST(Format, Base64IsStrict) {
  EXPECT_TRUE(matches_format(Format::byte, ""));
  EXPECT_TRUE(matches_format(Format::byte, "aGk="));
  EXPECT_FALSE(matches_format(Format::byte, "aGk"));
  EXPECT_FALSE(matches_format(Format::byte, "aG k"));
  EXPECT_FALSE(matches_format(Format::byte, "aGl="));  // Bits that no encoder sets.
  EXPECT_FALSE(matches_format(Format::byte, "===="));
}

TEST(Format, ARegularExpressionMustBeASupportedPattern) {
  EXPECT_TRUE(matches_format(Format::regex, "^a+$"));
  EXPECT_FALSE(matches_format(Format::regex, "a**"));
  EXPECT_FALSE(matches_format(Format::regex, "(?=a)"));
}

}  // namespace
}  // namespace snapgen::json
