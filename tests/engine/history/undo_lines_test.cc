// Undoing one of several changes of a text, against a model in which each line has a name of its own.
#include "tools/engine/operations/history/undo_lines.h"

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace snapgen::core {
namespace {

UndoneLines undone(std::string_view before, std::string_view after, std::string_view now,
                   const std::vector<LineSpan>& only = {}) {
  Result<UndoneLines> result = undo_lines(before, after, now, only);
  EXPECT_TRUE(result);
  return result ? *std::move(result) : UndoneLines();
}

TEST(UndoLines, RetainsLaterChanges) {
  EXPECT_EQ(undone("a\nb\nc\n", "a\nB\nc\n", "a\nB\nc\nd\n").text, "a\nb\nc\nd\n");
  EXPECT_EQ(undone("a\nb\nc\n", "a\nc\n", "0\na\nc\n").text, "0\na\nb\nc\n");
  EXPECT_EQ(undone("a\nc\n", "a\nb\nc\n", "a\nb\nC\n").text, "a\nC\n");
}

TEST(UndoLines, RetainsLinesBesideTheChange) {
  EXPECT_EQ(undone("a\nz\n", "a\nb\nz\n", "a\nb\nlater\nz\n").text, "a\nlater\nz\n");
  EXPECT_EQ(undone("a\nz\n", "a\nb\nz\n", "a\nlater\nb\nz\n").text, "a\nlater\nz\n");
  EXPECT_EQ(undone("a\nb\nc\n", "a\nB\nc\n", "A\nB\nC\n").text, "A\nb\nC\n");
}

TEST(UndoLines, ReportsConflicts) {
  const UndoneLines changed = undone("a\nb\nc\n", "a\nB\nc\n", "0\na\nBB\nc\n");
  EXPECT_EQ(changed.text, "0\na\nBB\nc\n");
  EXPECT_EQ(changed.conflicts, (std::vector<LineSpan>{{.first = 3, .last = 3}}));
  const UndoneLines within = undone("a\nd\n", "a\nb\nc\nd\n", "a\nb\nx\nc\nd\n");
  EXPECT_EQ(within.conflicts, (std::vector<LineSpan>{{.first = 2, .last = 4}}));
  const UndoneLines deleted_place = undone("a\nb\nc\n", "a\nc\n", "a\nx\nc\n");
  EXPECT_EQ(deleted_place.conflicts, (std::vector<LineSpan>{{.first = 2, .last = 2}}));
}

TEST(UndoLines, DoesNothingIfItIsUndoneAlready) {
  const UndoneLines again = undone("a\nb\nc\n", "a\nB\nc\n", "a\nb\nc\nd\n");
  EXPECT_EQ(again.text, "a\nb\nc\nd\n");
  EXPECT_TRUE(again.conflicts.empty());
  EXPECT_EQ(again.undone, 0);
}

TEST(UndoLines, UndoesOnlyTheNamedLines) {
  const std::string before = "1\n2\n3\n4\n5\n6\n";
  const std::string after = "1\nB\n3\n4\nE\n6\n";
  const std::string now = "0\n1\nB\n3\n4\nE\n6\n";
  EXPECT_EQ(undone(before, after, now, {{.first = 6, .last = 6}}).text, "0\n1\nB\n3\n4\n5\n6\n");
  EXPECT_EQ(undone(before, after, now, {{.first = 1, .last = 4}}).text, "0\n1\n2\n3\n4\nE\n6\n");
  EXPECT_EQ(undone(before, after, now, {{.first = 4, .last = 5}}).text, now);
}

TEST(UndoLines, UndoesADeletionAtTheNamedPlace) {
  EXPECT_EQ(undone("1\n2\n3\n", "1\n3\n", "1\n3\n", {{.first = 2, .last = 2}}).text, "1\n2\n3\n");
}

TEST(UndoLines, ComparesTheEndOfTheLastLine) {
  EXPECT_EQ(undone("a\nb", "a\nb\n", "0\na\nb\n").text, "0\na\nb");
  EXPECT_EQ(undone("", "a\n", "a\nb\n").text, "b\n");
  EXPECT_EQ(undone("a\n", "", "").text, "a\n");
}

// A text whose lines all differ, so that it is known which change made each of them.
class NamedLines {
 public:
  explicit NamedLines(unsigned seed) : random_(seed) {
    for (int i = 0; i < 12; ++i) lines_.push_back(new_line());
  }

  const std::vector<std::string>& lines() const { return lines_; }
  std::string text() const {
    std::string text;
    for (const std::string& line : lines_) text += line;
    return text;
  }

  // Replaces, inserts or deletes some lines at one to three places.
  void change() {
    for (std::size_t places = 1 + below(3); places > 0; --places) {
      const std::size_t at = below(lines_.size() + 1);
      const std::size_t removed = std::min(below(3), lines_.size() - at);
      const auto begin = lines_.begin() + static_cast<std::ptrdiff_t>(at);
      lines_.erase(begin, begin + static_cast<std::ptrdiff_t>(removed));
      for (std::size_t added = below(3); added > 0; --added)
        lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(at), new_line());
    }
  }

 private:
  std::size_t below(std::size_t count) { return random_() % count; }
  std::string new_line() { return "line " + std::to_string(next_++) + "\n"; }

  std::mt19937 random_;
  int next_ = 0;
  std::vector<std::string> lines_;
};

std::set<std::string> without(const std::vector<std::string>& lines, const std::vector<std::string>& others) {
  std::set<std::string> found(lines.begin(), lines.end());
  for (const std::string& each : others) found.erase(each);
  return found;
}

TEST(UndoLines, AgreesWithAModelInRandomHistories) {
  constexpr unsigned histories = 20'000;
  unsigned refused = 0;
  for (unsigned seed = 0; seed < histories; ++seed) {
    NamedLines lines(seed);
    const std::vector<std::string> before = lines.lines();
    const std::string before_text = lines.text();
    lines.change();
    const std::vector<std::string> after = lines.lines();
    const std::string after_text = lines.text();
    for (unsigned later = seed % 4; later > 0; --later) lines.change();
    const std::vector<std::string> now = lines.lines();
    const UndoneLines found = undone(before_text, after_text, lines.text());
    if (!found.conflicts.empty()) {
      ++refused;
      continue;
    }
    // The undone lines are gone, the removed ones are back unless they are gone since, and every other line
    // is there.
    std::set<std::string> expected(now.begin(), now.end());
    for (const std::string& line : without(after, before)) expected.erase(line);
    for (const std::string& line : without(before, after)) expected.insert(line);
    std::set<std::string> shown;
    std::string_view rest = found.text;
    for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
      EXPECT_TRUE(shown.emplace(rest.substr(0, end + 1)).second) << "twice, seed " << seed;
      rest.remove_prefix(end + 1);
    }
    ASSERT_EQ(shown, expected) << "seed " << seed << "\n"
                               << before_text << "--\n"
                               << after_text << "--\n"
                               << lines.text();
  }
  EXPECT_LT(refused, histories / 2);
}

}  // namespace
}  // namespace snapgen::core
