#include "tools/cli/terminal.h"

#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "runtime/base/text.h"

namespace snapgen::tools {
namespace {

const Terminal pipe{.fd = 1, .is_terminal = false, .has_colours = false, .width = 0};
const Terminal screen{.fd = 1, .is_terminal = true, .has_colours = true, .width = 20};
const Terminal plain_screen{.fd = 1, .is_terminal = true, .has_colours = false, .width = 20};

TEST(Terminal, UsesColoursOnlyOnTerminalsThatSupportThem) {
  EXPECT_EQ(screen.paint(Colour::red, "no"), "\033[31mno\033[0m");
  EXPECT_EQ(screen.paint(Colour::plain, "no"), "no");
  EXPECT_EQ(screen.paint(Colour::red, ""), "");
  EXPECT_EQ(pipe.paint(Colour::red, "no"), "no");
}

TEST(Terminal, ReportsAFullDiskButNotAClosedPipe) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  EXPECT_TRUE(Terminal{.fd = ends[1]}.print("kept"));
  char text[5] = {};
  EXPECT_EQ(::read(ends[0], text, 4), 4);
  EXPECT_STREQ(text, "kept");
  ::close(ends[0]);
  ::close(ends[1]);
  const Result<Unit> printed = Terminal{.fd = ends[1]}.print("lost");
  ASSERT_FALSE(printed);
  EXPECT_EQ(printed.error().code, ErrorCode::unavailable);
}

TEST(Terminal, EscapesControlSequences) {
  EXPECT_EQ(printable("a\nb\tc\r"), "a b c ");
  EXPECT_EQ(printable("\x1b[2J\x07\x7f"), "\\u001b[2J\\u0007\\u007f");
  EXPECT_EQ(printable("\xc2\x9bm é 日本 🧢"), "\\u009bm é 日本 🧢");
  EXPECT_EQ(printable("\xc2"), "\xc2");
}

TEST(Terminal, NamesInvisibleAndBidirectionalCharacters) {
  EXPECT_EQ(printable("in\u202evoice.txt"), "in\\u202evoice.txt");
  EXPECT_EQ(printable("a\u200bb\u2066c\ufeff\u00ad\U000e0041"),
            "a<U+200B>b\\u2066c<U+FEFF><U+00AD><U+E0041>");
  EXPECT_EQ(printable("a\u2028b"), "a<U+2028>b");
  EXPECT_EQ(printable("\u0600 \ue000 \u2010 \u2070 ﷽"), "\u0600 \ue000 \u2010 \u2070 ﷽")
      << "visible characters are unchanged";
  AlignedRows rows;
  rows.add({{"\u202e"}, {"x"}});
  rows.add({{"ab"}, {"y"}});
  EXPECT_EQ(rows.text(pipe), "\\u202e  x\nab      y\n");
}

TEST(Terminal, WrapsTextOnlyOnATerminal) {
  const std::string text = "one\ttwo\r\n\x1b[2Jthree\rfour\u202e\n";
  EXPECT_EQ(pipe.sanitized(text), text);
  EXPECT_EQ(screen.sanitized(text), "one\ttwo\r\n\\u001b[2Jthree\\u000dfour\\u202e\n");
}

TEST(AlignedRows, AlignInColumns) {
  AlignedRows rows;
  rows.add({{"a", Colour::red}, {"1", Colour::plain, true}, {"first"}});
  rows.add({{"bcd"}, {"100", Colour::plain, true}, {""}});
  rows.add({{"é"}, {"20", Colour::plain, true}, {"with\nbreak"}});
  EXPECT_EQ(rows.text(pipe),
            "a      1  first\n"
            "bcd  100\n"
            "é     20  with break\n");
  EXPECT_EQ(rows.text(pipe, 2).substr(0, 17), "  a      1  first");
}

TEST(AlignedRows, AreTruncatedOnlyOnATerminal) {
  AlignedRows rows;
  rows.add({{"id"}, {"a message that is long ééééééééé"}});
  EXPECT_EQ(rows.text(pipe), "id  a message that is long ééééééééé\n");
  EXPECT_EQ(rows.text(plain_screen), "id  a message that …\n");
}

TEST(AlignedRows, FitEveryTerminalWidth) {
  AlignedRows rows;
  rows.add({{"2026-11-22 08:05:12", Colour::dim}, {"é", Colour::plain, true}, {"snap_cb5916fe08"}, {"x  "}});
  rows.add({{"short"}, {"12", Colour::plain, true}, {""}, {""}});
  const std::string first = " 2026-11-22 08:05:12   é  snap_cb5916fe08  x";
  const std::string second = " short                12";
  EXPECT_EQ(rows.text(pipe, 1), first + "\n" + second + "\n");
  const auto begins = [](const std::string& line, std::size_t width) {
    if (code_point_count(line) <= width) return line;
    std::size_t at = 0;
    for (std::size_t shown = 0; at < line.size(); ++at)
      if ((line[at] & 0xc0) != 0x80 && shown++ == width - 1) break;
    return line.substr(0, at) + "…";
  };
  for (std::size_t width = 1; width < 60; ++width) {
    const Terminal narrow{.fd = 1, .is_terminal = true, .has_colours = false, .width = width};
    EXPECT_EQ(rows.text(narrow, 1), begins(first, width) + "\n" + begins(second, width) + "\n") << width;
  }
  // Escape sequences for colours have no width.
  EXPECT_EQ(rows.text(screen), "\033[2m2026-11-22 08:05:12\033[0m…\nshort              …\n");
}

TEST(AlignedRows, NeverTruncateFacts) {
  const std::string id(64, 'f');
  EXPECT_EQ(facts_text({{"id", id}, {"message", "m"}}, plain_screen), "id       " + id + "\nmessage  m\n");
}

TEST(Wrapping, BreaksBetweenWordsAndIndents) {
  EXPECT_EQ(wrapped_text("one two three four", 9, 0), "one two\nthree\nfour");
  EXPECT_EQ(wrapped_text("one two three", 9, 2), "one two\n  three");
  EXPECT_EQ(wrapped_text("one two", 0, 0), "one two");
  EXPECT_EQ(wrapped_text("enormously long", 4, 0), "enormously\nlong");
  EXPECT_EQ(wrapped_text("", 10, 0), "");
  EXPECT_EQ(wrapped_text("a\nb", 10, 1), "a\n b");
}

TEST(Words, FormatAmountsAndTimes) {
  EXPECT_EQ(number_text(0), "0");
  EXPECT_EQ(number_text(1234567), "1,234,567");
  EXPECT_EQ(size_text(1023), "1023 B");
  EXPECT_EQ(size_text(1536), "1.5 KiB");
  EXPECT_EQ(size_text(std::uint64_t{5} << 40), "5.0 TiB");
  const std::int64_t now = 1'800'000'000'000;
  EXPECT_EQ(age_text(now + 5000, now), "just now") << "clocks differ";
  EXPECT_EQ(age_text(now - 59'000, now), "59 seconds ago");
  EXPECT_EQ(age_text(now - 60'000, now), "1 minute ago");
  EXPECT_EQ(age_text(now - 7'200'000, now), "2 hours ago");
  EXPECT_EQ(age_text(now - 86'400'000, now), "1 day ago");
  EXPECT_EQ(age_text(now - 86'400'000LL * 90, now), "3 months ago");
  EXPECT_EQ(age_text(now - 86'400'000LL * 800, now), "2 years ago");
  EXPECT_EQ(time_text(0, pipe), "1970-01-01 00:00:00 UTC");
  EXPECT_EQ(duration_text(999), "999 ms");
  EXPECT_EQ(duration_text(1999), "1.9 s");
  EXPECT_EQ(duration_text(184'000), "3 min 4 s");
  EXPECT_EQ(duration_text(7'260'000), "2 h 1 min");
}

}  // namespace
}  // namespace snapgen::tools
