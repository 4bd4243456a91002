#include <random>

#include <gtest/gtest.h>

#include "runtime/json/values.h"
#include "tests/json/exact.h"

namespace snapgen::json {
namespace {

// Reads `text`, which must be one string.
std::string read_string(std::string_view text) {
  const Exact exact(text);
  Reader in(exact.view());
  std::string out;
  in.string(out);
  in.end();
  EXPECT_TRUE(in.ok()) << text;
  return out;
}

TEST(ReaderString, StringsAreUnescaped) {
  EXPECT_EQ(read_string(R"("\"\\\/\b\f\n\r\t")"), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(read_string(R"("\u0041\u00e9\u20AC\ud83d\ude00")"), "A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
  EXPECT_EQ(read_string(R"("a\u0000b")"), std::string("a\0b", 3));
  EXPECT_EQ(read_string("\"\xF4\x8F\xBF\xBF\x7f\""), "\xF4\x8F\xBF\xBF\x7f");
}

TEST(ReaderString, AnInvalidStringIsASyntaxErrorAtAnyPosition) {
  const std::pair<const char*, const char*> bad[] = {
      {"\\x", "an unknown escape"},
      {"\\u12G4", "an escape with a digit that is not hexadecimal"},
      {"\\ud800", "a lone surrogate"},
      {"\\ud800\\n", "a lone surrogate"},
      {"\\ud800\\u0041", "a lone surrogate"},
      {"\\udc00", "a lone surrogate"},
      {"\\ude00\\ud83d", "a lone surrogate"},
      {"\n", "a control character in a string"},
      {"\x1f", "a control character in a string"},
  };
  for (const auto& [inside, message] : bad) {
    // Plain bytes and escapes before the error move it through every position of a block.
    for (std::size_t before = 0; before < 140; ++before) {
      for (const char* escapes : {"", "\\n", "\\\\", "\\u00e9"}) {
        const std::string text =
            "\"" + std::string(escapes) + std::string(before, 'x') + inside + std::string(100, 'y') + "\"";
        EXPECT_EQ(syntax_error(text), message) << text;
        const Exact exact(text);
        Reader in(exact.view());
        std::string out;
        EXPECT_FALSE(in.string(out));
        EXPECT_EQ(in.error_message(), message) << text;
        EXPECT_EQ(in.error_offset(), 1 + std::string_view(escapes).size() + before) << text;
      }
    }
  }
}

// A text of random pieces and its meaning: sequences of backslashes, quotes and \u at every position of the
// blocks in which strings are read.
TEST(ReaderString, AnyMixtureOfEscapesIsReadSkippedAndWrittenBack) {
  const std::pair<std::string, std::string> pieces[] = {
      {"a", "a"},
      {"\\\\", "\\"},
      {"\\\"", "\""},
      {"\\n", "\n"},
      {"\\u0001", "\x01"},
      {"\\ud83d\\ude00", "\xF0\x9F\x98\x80"},
      {"\xC3\xA9", "\xC3\xA9"},
      {"some plain text ", "some plain text "},
      {std::string(70, '-'), std::string(70, '-')},
  };
  std::mt19937 random(20240607);
  for (int round = 0; round < 3000; ++round) {
    std::string text = "\"";
    std::string meaning;
    const std::size_t count = random() % 60;
    const std::size_t kinds = 1 + random() % std::size(pieces);
    for (std::size_t i = 0; i < count; ++i) {
      const auto& [written, meant] = pieces[random() % kinds];
      text += written;
      meaning += meant;
    }
    text += "\"";
    const Exact exact(text);
    Reader reading(exact.view());
    std::string out;
    ASSERT_TRUE(reading.string(out)) << text;
    reading.end();
    ASSERT_TRUE(reading.ok()) << text;
    ASSERT_EQ(out, meaning) << text;
    ASSERT_EQ(syntax_error(text), "") << text;
    ASSERT_EQ(read_string(json::quoted(meaning)), meaning);
  }
}

TEST(ReaderString, AViewOfAStringCopiesOnlyAnEscapedOne) {
  const std::string_view text = R"(["plain","es\"caped"])";
  Reader in(text);
  ASSERT_TRUE(in.begin_array());
  std::string_view view;
  ASSERT_TRUE(in.next_element());
  ASSERT_TRUE(in.string(view));
  EXPECT_EQ(view.data(), text.data() + 2);
  ASSERT_TRUE(in.next_element());
  ASSERT_TRUE(in.string(view));
  EXPECT_EQ(view, "es\"caped");
}

}  // namespace
}  // namespace snapgen::json
