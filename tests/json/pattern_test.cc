#include "runtime/json/pattern.h"

#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/json/document.h"
#include "tests/json/shared.h"

namespace snapgen::json {
namespace {

bool matches(std::string_view pattern, std::string_view text) { return Pattern(pattern).matches(text); }

TEST(Pattern, MatchesAnywhereUnlessAnchored) {
  EXPECT_TRUE(matches("b", "abc"));
  EXPECT_FALSE(matches("^b", "abc"));
  EXPECT_FALSE(matches("b$", "abc"));
  EXPECT_TRUE(matches("^abc$", "abc"));
  EXPECT_FALSE(matches("^abc$", "abc\n"));  // $ matches only at the end of the text.
}

TEST(Pattern, CharactersAreUnicode) {
  EXPECT_TRUE(matches("^.$", "\xF0\x9F\x98\x80"));
  EXPECT_TRUE(matches("^[\\u00e9]$", "\xC3\xA9"));
  EXPECT_TRUE(matches("^\\ud83d\\ude00$", "\xF0\x9F\x98\x80"));
  EXPECT_TRUE(matches("^\\u{1F600}$", "\xF0\x9F\x98\x80"));
  EXPECT_TRUE(matches("^\\p{L}+$", "\xC3\xA9t\xC3\xA9"));
  EXPECT_FALSE(matches("^\\d$", "\xE0\xA7\xAA"));  // Digits are ASCII.
}

TEST(Pattern, WhiteSpaceAndTheDotHaveTheirMeaningInECMAScript) {
  EXPECT_TRUE(matches("^\\s$", "\xC2\xA0"));
  EXPECT_TRUE(matches("^[\\sx]+$", "\xEF\xBB\xBFx\v"));
  EXPECT_FALSE(matches("^\\S$", "\xE2\x80\xA9"));
  EXPECT_TRUE(matches("^[^\\S]$", " "));
  EXPECT_FALSE(matches("^.$", "\r"));
  EXPECT_TRUE(matches("^[^]$", "\n"));
  EXPECT_FALSE(matches("[]", "a"));
}

TEST(Pattern, TranslatesTheSyntaxOfECMAScript) {
  EXPECT_TRUE(matches("^a\\/b\\-c$", "a/b-c"));
  EXPECT_TRUE(matches("^\\cJ$", "\n"));
  EXPECT_TRUE(matches("^(?<year>[0-9]{4})$", "2024"));
  EXPECT_TRUE(matches("^[[:alpha:]]$", "a]"));  // A class of five characters, then a bracket.
}

TEST(Pattern, ErrorsAreOneSentence) {
  EXPECT_EQ(pattern_error("^[a-z]+$"), std::nullopt);
  EXPECT_EQ(pattern_error("(?=a)"), "look-around is not supported: (?=");
  EXPECT_EQ(pattern_error("\\Aa"), "unknown escape: \\A");
  EXPECT_EQ(pattern_error("(a)\\1"), "unknown escape or back-reference: \\1");
  for (const char* wrong : {"(", "[a", "a**", "\\", "(?<!a)b", "\\u12", "\\Qa\\E", "\\A", "a{2,1}"}) {
    EXPECT_NE(pattern_error(wrong), std::nullopt) << wrong;
  }
}

TEST(Pattern, ThreadsCanShareANewPattern) {
  const Pattern pattern("^[a-z]{1,32}$");
  std::vector<std::thread> threads;
  std::atomic<int> matched = 0;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      if (pattern.matches("abc") && !pattern.matches("ABC")) ++matched;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(matched, 8);
}

// A pattern that compiles must match as the suite expects; only patterns with look-around do not compile.
TEST(Pattern, MatchesTheOfficialSuite) {
  const std::filesystem::path folder = shared("json-schema-test-suite/tests/draft2020-12");
  SNAPGEN_NEEDS(folder);
  int cases = 0;
  for (const char* name : {"pattern.json", "optional/ecmascript-regex.json"}) {
    const Document document = parse_document(file_text(folder / name));
    ASSERT_TRUE(document.ok());
    for (const Node& group : document.root.items) {
      const Node* pattern = group.find("schema")->find("pattern");
      if (pattern == nullptr) continue;
      const std::optional<std::string> error = pattern_error(pattern->text);
      if (error) {
        EXPECT_TRUE(error->starts_with("look-around")) << pattern->text << ": " << *error;
        continue;
      }
      for (const Node& test : group.find("tests")->items) {
        const Node& data = *test.find("data");
        if (!data.is(Kind::string)) continue;
        ++cases;
        EXPECT_EQ(matches(pattern->text, data.text), test.find("valid")->boolean)
            << pattern->text << " on " << data.text << ": " << test.find("description")->text;
      }
    }
  }
  EXPECT_GT(cases, 50);
}

}  // namespace
}  // namespace snapgen::json
