// The content of a file while edits change it, compared with edits of a plain string.
#include "tools/engine/edit/edited_text.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tools/engine/patch/shown_lines.h"
#include "tools/engine/patch/substring_index.h"

namespace snapgen::core {
namespace {

std::string in_words(const std::vector<LineRange>& ranges) {
  std::string text;
  for (const LineRange& range : ranges)
    text += (text.empty() ? "" : ",") + std::to_string(range.first) + "+" + std::to_string(range.count);
  return text;
}

// Replaces the only occurrence of `old_text`, and returns the changed lines.
std::string changed_lines(const std::string& original, const std::string& old_text,
                          const std::string& new_text) {
  EditedText text(original);
  const std::vector<std::size_t> places = text.places_of(old_text, 2);
  EXPECT_EQ(places.size(), 1U) << old_text;
  text.replace({{.begin = places.front(), .end = places.front() + old_text.size()}}, new_text);
  return in_words(text.changed_lines());
}

TEST(EditedText, ReportsTheLinesThatDiffer) {
  EXPECT_EQ(changed_lines("a\nb\nc\n", "b", "X"), "2+1");
  EXPECT_EQ(changed_lines("a\nb\nc\n", "a\nb\nc\n", "a\nX\nc\n"), "2+1");
  EXPECT_EQ(changed_lines("a\nb\nc\n", "b\n", ""), "1+0");
  EXPECT_EQ(changed_lines("a\nb\nc\n", "\nb", ""), "1+0");
  EXPECT_EQ(changed_lines("a\nb\nc\n", "a\n", ""), "0+0");
  EXPECT_EQ(changed_lines("a\nb\nc\n", "b\n", "b\nnew\nlines\n"), "3+2");
  EXPECT_EQ(changed_lines("a\nb\nc\n", "b", "b\nnew"), "3+1");
  EXPECT_EQ(changed_lines("a\nb\nc", "c", "c\nd"), "4+1");
  // A new line end within a line also changes the line that its rest becomes.
  EXPECT_EQ(changed_lines("a\nb\nc\n", "b", "bX\n"), "2+2");
  EXPECT_EQ(changed_lines("a\nb c\n", "b ", "b\n"), "2+2");
  EXPECT_EQ(changed_lines("abc\n", "b", ""), "1+1");
  EXPECT_EQ(changed_lines("a\nb\n", "b", "b"), "");
}

TEST(EditedText, FindsPartsOfTheOriginalAfterEdits) {
  EditedText text("one\ntwo\nthree\n");
  text.replace({{.begin = 4, .end = 8}}, "2\n2\n");
  EXPECT_EQ(text.current_span_of({.begin = 0, .end = 4}), (TextSpan{0, 4}));
  EXPECT_EQ(text.current_span_of({.begin = 8, .end = 14}), (TextSpan{8, 14}));
  EXPECT_EQ(text.current_span_of({.begin = 4, .end = 8}), std::nullopt);
  EXPECT_EQ(text.current_span_of({.begin = 0, .end = 8}), std::nullopt);
  EXPECT_EQ(text.current_span_of({.begin = 0, .end = 14}), std::nullopt);
  // Before and after the replaced line, and at the end.
  EXPECT_EQ(text.current_span_of({.begin = 4, .end = 4}), (TextSpan{4, 4}));
  EXPECT_EQ(text.current_span_of({.begin = 8, .end = 8}), (TextSpan{8, 8}));
  EXPECT_EQ(text.current_span_of({.begin = 14, .end = 14}), (TextSpan{14, 14}));
  // A second insertion at the same line is behind the first one.
  text.replace({{.begin = 8, .end = 8}}, "x\n");
  EXPECT_EQ(text.current_span_of({.begin = 8, .end = 8}), (TextSpan{10, 10}));
  EXPECT_EQ(text.bytes(), "one\n2\n2\nx\nthree\n");
}

std::vector<std::size_t> places_in_string(const std::string& text, const std::string& part) {
  std::vector<std::size_t> places;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    places.push_back(at);
  return places;
}

TEST(EditedText, IsLikeAStringAfterRandomEdits) {
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    auto below = [&](std::size_t limit) { return limit == 0 ? 0 : random() % limit; };
    auto random_text = [&](std::size_t size) {
      std::string text;
      for (std::size_t i = 0; i < size; ++i) text += "ab\n"[below(3)];
      return text;
    };
    std::string plain = random_text(below(60));
    EditedText text(plain);
    std::vector<std::string> searched;
    for (std::size_t i = 0; i < 6; ++i) searched.push_back(random_text(1 + below(12)));
    if (seed % 2 == 0) text.prepare_search({searched.begin(), searched.end()});
    for (int step = 0; step < 20; ++step) {
      const std::size_t begin = below(plain.size() + 1);
      const std::size_t end = begin + below(plain.size() - begin + 1);
      const std::string inserted = random_text(below(8));
      text.replace({{.begin = begin, .end = end}}, inserted);
      plain = plain.substr(0, begin) + inserted + plain.substr(end);
      ASSERT_EQ(text.bytes(), plain);
      ASSERT_EQ(text.size(), plain.size());
      for (const std::string& part : searched)
        ASSERT_EQ(text.places_of(part, SIZE_MAX), places_in_string(plain, part)) << plain << "|" << part;
      std::vector<std::size_t> offsets{begin, std::min(begin + 3, plain.size())};
      const std::vector<std::int64_t> lines = text.lines_at(offsets);
      for (std::size_t i = 0; i < offsets.size(); ++i)
        ASSERT_EQ(lines[i],
                  1 + std::count(plain.begin(), plain.begin() + static_cast<int>(offsets[i]), '\n'));
      // Lines outside of the changed ranges are those of the original, in order.
      std::int64_t outside = all_lines(plain).empty() ? 0 : all_lines(plain).front().count;
      for (const LineRange& range : text.changed_lines()) outside -= range.count;
      ASSERT_GE(outside, 0);
    }
  }
}

TEST(SubstringIndex, FindsTextsThatBeginAlike) {
  std::string content;
  for (int i = 0; i < 3000; ++i) content += "    the_same_beginning_" + std::to_string(i % 2000) + "();\n";
  std::vector<std::string> wanted{"the_same_beginning_1", "    the_same_begin", "same_beg",
                                  "the_same_beginning_none"};
  for (int i = 0; i < 1000; ++i) wanted.push_back("the_same_beginning_" + std::to_string(i * 2) + "();");
  const std::vector<std::string_view> texts(wanted.begin(), wanted.end());
  const SubstringIndex index(content, texts);
  for (const std::string_view text : texts) {
    const std::vector<std::size_t>* const places = index.places_of(text);
    ASSERT_NE(places, nullptr) << text;
    EXPECT_EQ(*places, places_in(content, text, SIZE_MAX)) << text;
  }
}

TEST(EditedText, FindsTheTextsOfOneThousandEdits) {
  std::string large;
  while (large.size() < std::size_t{4} << 20)
    large += "    the line " + std::to_string(large.size()) + " of a large file;\n";
  std::vector<std::string> wanted;
  for (std::size_t i = 0; i < 1000; ++i) {
    const std::size_t at = large.find('\n', i * (large.size() / 1001)) + 1;
    wanted.push_back(large.substr(at, large.find('\n', at) - at));
  }
  EditedText text(std::move(large));
  text.prepare_search({wanted.begin(), wanted.end()});
  for (const std::string& part : wanted) {
    const std::vector<std::size_t> places = text.places_of(part, 2);
    ASSERT_EQ(places.size(), 1U) << part;
    text.replace({{.begin = places.front(), .end = places.front() + part.size()}}, "changed");
  }
  EXPECT_EQ(text.changed_lines().size(), 1000U);
}

TEST(ShownLines, AreAroundTheChanges) {
  const std::string content = "1\n2\n3\n4\n5\n6\n7\n8\n9";
  const ShownParts shown = lines_around(
      content, {{.first = 2, .count = 1}, {.first = 4, .count = 0}, {.first = 9, .count = 1}}, 1);
  ASSERT_EQ(shown.parts.size(), 2U);
  EXPECT_EQ(shown.parts[0].text, "1\n2\n3\n4\n5\n");
  EXPECT_EQ(shown.parts[1].first_line, 8);
  EXPECT_EQ(shown.parts[1].text, "8\n9");
  EXPECT_EQ(shown.omitted_lines, 0);
}

TEST(ShownLines, CountWhatExceedsTheLimit) {
  std::string content;
  for (int line = 0; line < 1000; ++line) content += "line\n";
  const ShownParts shown = lines_around(content, all_lines(content), 0);
  EXPECT_EQ(shown.omitted_lines, 1000 - shown_lines_max);
}

}  // namespace
}  // namespace snapgen::core
