// Lines with random fields are written and read back unchanged, in both modes.
#include <random>

#include <gtest/gtest.h>

#include "schemas/lines.h"

namespace snapgen::tools {
namespace {

using linefmt::Mode;

class Dice {
 public:
  explicit Dice(std::uint32_t seed) : random_(seed) {}

  std::size_t below(std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_);
  }
  std::int64_t count() {
    constexpr std::int64_t some[] = {0, 1, 7, 100, 9007199254740991, -1, INT64_MIN, INT64_MAX};
    return some[below(std::size(some))];
  }
  std::string text() {
    static constexpr std::string_view parts[] = {"a",
                                                 "id:",
                                                 "|",
                                                 "%",
                                                 "%7C",
                                                 "%0A",
                                                 "\n",
                                                 "\r\n",
                                                 " ",
                                                 "\t",
                                                 "→",
                                                 "🧢",
                                                 "👩‍👩‍👧",
                                                 "שלום",
                                                 "مرحبا",
                                                 "\u202e",
                                                 "⏭️",
                                                 ":",
                                                 "/",
                                                 "{",
                                                 "}",
                                                 "\"",
                                                 "---",
                                                 "\n---\n",
                                                 "\xe2\x80\xa8",
                                                 "\xc2\x85",
                                                 "learn:",
                                                 "\x01",
                                                 "e\xcc\x81",
                                                 "+1-2",
                                                 "snap_"};
    std::string found;
    for (std::size_t left = below(9); left > 0; --left) found += parts[below(std::size(parts))];
    return found;
  }
  // A text that a compressed field preserves exactly.
  std::string words() { return linefmt::arrows_to_spaces(linefmt::spaces_to_arrows(text())); }
  template <class Choice>
  Choice one_of(std::size_t count) {
    return static_cast<Choice>(below(count));
  }
  lines::Mark mark() { return one_of<lines::Mark>(3); }

 private:
  std::mt19937 random_;
};

lines::Line random_line(Dice& dice) {
  switch (dice.below(10)) {
    case 0:
      return lines::StartLine{.id = dice.text(),
                              .snap = dice.text(),
                              .risk = dice.one_of<lines::Risk>(3),
                              .prot = dice.count(),
                              .dirty = dice.count(),
                              .status = dice.one_of<lines::Capture>(3),
                              .learn = dice.words()};
    case 1:
      return lines::CheckLine{.status = dice.mark(),
                              .err = dice.count(),
                              .warn = dice.count(),
                              .ts = dice.mark(),
                              .lint = dice.mark(),
                              .tests = dice.mark(),
                              .issues = dice.words()};
    case 2:
      return lines::ContextLine{.risk = dice.one_of<lines::Risk>(3),
                                .prot = dice.count(),
                                .dirty = dice.count(),
                                .learn = dice.words()};
    case 3: return lines::FailureLine{.code = dice.one_of<lines::Failure>(8), .reason = dice.words()};
    case 4: {
      lines::EndLine line{
          .status = dice.one_of<lines::Verdict>(2), .learn = dice.count(), .summary = dice.words()};
      if (dice.below(2) == 0) line.files = dice.count();
      if (dice.below(2) == 0) line.lines = {.added = dice.count(), .removed = dice.count()};
      if (dice.below(2) == 0) line.survey = R"({"a|b":"%|→","n":1.5})";
      return line;
    }
    case 5: {
      lines::SnapshotsLine line{.count = dice.count()};
      for (std::size_t left = dice.below(4); left > 0; --left)
        line.snapshots.push_back({.id = dice.text(), .age = dice.text(), .files = dice.count()});
      return line;
    }
    case 6: {
      lines::RestoreLine line{.status = dice.one_of<lines::Verdict>(2), .files = dice.count()};
      for (std::size_t left = dice.below(4); left > 0; --left) line.restored.push_back(dice.text());
      return line;
    }
    case 7:
      return lines::DiffLine{.from = dice.text(),
                             .to = dice.text(),
                             .added = dice.count(),
                             .removed = dice.count(),
                             .changed = dice.count()};
    case 8:
      return lines::LearningLine{.status = dice.one_of<lines::Verdict>(2),
                                 .id = dice.text(),
                                 .type = dice.one_of<lines::LearningType>(5)};
    default: break;
  }
  return lines::ViolationLine{.status = dice.one_of<lines::Verdict>(2),
                              .type = dice.text(),
                              .count = dice.count(),
                              .promote = dice.one_of<lines::Promotion>(3),
                              .auto_ = dice.one_of<lines::Automation>(2)};
}

TEST(RandomLines, WrittenLinesAreReadBackUnchanged) {
  for (std::uint32_t seed = 1; seed <= 20'000; ++seed) {
    Dice dice(seed);
    const lines::Line line = random_line(dice);
    for (Mode mode : {Mode::labeled, Mode::compact}) {
      const std::string text = lines::encode(line, mode);
      ASSERT_EQ(text.find_first_of("\r\n"), std::string::npos) << "seed " << seed << ": " << text;
      Result<lines::Line> read = lines::decode(text, mode);
      ASSERT_TRUE(read) << "seed " << seed << ": " << text << "\n" << read.error().message;
      ASSERT_EQ(*read, line) << "seed " << seed << ": " << text;
      ASSERT_FALSE(lines::fields(*read).empty());
    }
  }
}

TEST(RandomLines, AnyTextFitsInACompressedField) {
  for (std::uint32_t seed = 1; seed <= 5'000; ++seed) {
    Dice dice(seed);
    const std::string once = linefmt::spaces_to_arrows(dice.text());
    EXPECT_EQ(once.find_first_of("|\r\n\t "), std::string::npos);
    EXPECT_EQ(linefmt::spaces_to_arrows(linefmt::arrows_to_spaces(once)), once);
  }
}

}  // namespace
}  // namespace snapgen::tools
