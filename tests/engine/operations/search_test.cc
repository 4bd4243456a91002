// Compares searches for random patterns (see chance.h) with ripgrep and git grep.
#include <gtest/gtest.h>

#include "tests/engine/chance.h"
#include "tests/engine/test_workspace.h"
#include "tools/engine/search/matcher.h"
#include "tools/engine/search/regex.h"
#include "tools/engine/search/regex_filter.h"

namespace snapgen::core {
namespace {

class Texts : public Chance {
 public:
  std::string word() {
    static constexpr const char* words[] = {"task", "Task",  "TASKS", "kiss", "struct", "a",   "ab",
                                            "abba", "cable", "x1",    "42",   "is_ok",  "Skip"};
    return one_of(words);
  }
  std::string line() {
    static constexpr const char* between[] = {" ", "", "_", "->", "(", "); ", "\t", ".", "  "};
    std::string text;
    for (int i = below(7); i > 0; --i) text += word() + one_of(between);
    return text + (below(12) == 0 ? "\r\n" : "\n");
  }
  std::string file() {
    std::string text;
    for (int i = below(60); i > 0; --i) text += line();
    if (below(3) == 0 && !text.empty()) text.pop_back();
    return text;
  }

  // An expression with the same meaning in RE2 and ripgrep. It has no anchors, because older versions of
  // ripgrep do not handle adjacent anchors correctly, nor anchors at the end of a file without a final line
  // break.
  std::string expression(int depth = 3) {
    if (depth == 0) return atom();
    switch (below(4)) {
      case 0: return expression(depth - 1) + "|" + expression(depth - 1);
      case 1: return "(?:" + expression(depth - 1) + ")" + repeat();
      case 2: return expression(depth - 1) + expression(depth - 1);
      default: return atom() + repeat();
    }
  }

 private:
  std::string atom() {
    static constexpr const char* atoms[] = {"[a-k]", "[kKsS]", "[^a-z]", "\\w",     "\\d",
                                            ".",     "\\(",    "->",     "(?i:sk)", "[st]"};
    return below(3) == 0 ? one_of(atoms) : word();
  }
  std::string repeat() {
    static constexpr const char* repeats[] = {"", "", "+", "?", "*", "{1,3}", "+?"};
    return one_of(repeats);
  }
};

std::string shown_hits(const GrepAnswer& answer) {
  std::string out;
  for (const GrepMatch& match : answer.matches) {
    out += match.path + ":" + std::to_string(match.line) + ":" + std::to_string(match.column) + "\n";
  }
  return out;
}

// Returns path:line:column of each line that a program printed.
std::string places(const std::string& printed) {
  std::string out;
  for (std::size_t begin = 0; begin < printed.size();) {
    std::size_t end = printed.find('\n', begin);
    std::size_t colon = printed.find(':', printed.find(':', printed.find(':', begin) + 1) + 1);
    out += printed.substr(begin, colon - begin) + "\n";
    begin = end + 1;
  }
  return out;
}

class SearchTest : public testing::Test {
 protected:
  void make_files() {
    workspace.emplace("new");
    for (int i = 0; i < 60; ++i) {
      std::string path = "d" + std::to_string(i % 7) + "/f" + std::to_string(i);
      workspace->scratch.run("mkdir -p d" + std::to_string(i % 7));
      workspace->scratch.write(path, chance.file());
    }
    workspace->scratch.run("save");
  }
  std::string ours(GrepQuery query) {
    query.matches_max = 1'000'000;
    Result<WithLease<GrepAnswer>> found = workspace->search(query);
    return found ? shown_hits(found->value) : found.error().message;
  }
  // Returns the output of `command`, with the pattern in the file that "$P" names.
  std::string theirs(const std::string& command, const std::string& pattern) {
    workspace->scratch.write(".git/pattern", pattern);
    return places(workspace->scratch.answer("P=.git/pattern; " + command + " || true").output);
  }

  const unsigned seed_ = search_seed();
  testing::ScopedTrace trace{__FILE__, __LINE__, "SNAPGEN_SEARCH_SEED=" + std::to_string(seed_)};
  Texts chance;
  std::optional<TestWorkspace> workspace;
};

TEST_F(SearchTest, MatchesRipgrep) {
  make_files();
  if (workspace->scratch.answer("command -v rg").exit_code != 0) GTEST_SKIP() << "ripgrep is not installed";
  int found = 0;
  for (int i = 0; i < 120; ++i) {
    bool ignore_case = chance.below(4) == 0;
    std::string pattern = chance.expression();
    std::string command =
        "rg --no-config --no-unicode --no-ignore --no-heading --color never --sort path -n --column ";
    std::string expected = theirs(command + (ignore_case ? "-i " : "") + "-f \"$P\" d*", pattern);
    found += expected.empty() ? 0 : 1;
    EXPECT_EQ(ours({.pattern = pattern, .ignore_case = ignore_case}), expected)
        << pattern << (ignore_case ? " -i" : "");
  }
  EXPECT_GT(found, 30);
}

TEST_F(SearchTest, MatchesGitGrep) {
  make_files();
  for (int i = 0; i < 60; ++i) {
    bool ignore_case = chance.below(3) == 0;
    std::string pattern = chance.word();
    if (chance.below(2) == 0) pattern += (chance.below(2) == 0 ? "->" : " ") + chance.word();
    std::string expected =
        theirs(std::string("git grep --no-color -F -n --column ") + (ignore_case ? "-i " : "") + "-f \"$P\"",
               pattern);
    EXPECT_EQ(ours({.pattern = pattern, .fixed = true, .ignore_case = ignore_case}), expected) << pattern;
  }
}

TEST_F(SearchTest, TheLiteralFilterSkipsOnlyFilesWithoutAMatch) {
  int skipped = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string pattern = chance.expression();
    Result<Regex> regex = Regex::compile(pattern, {.ignore_case = chance.below(2) == 0});
    ASSERT_TRUE(regex) << pattern;
    std::string text = chance.line() + chance.line();
    // If case is ignored, RE2 matches these characters outside ASCII with `k` and `s`.
    for (std::size_t at = text.find('k'); chance.below(2) == 0 && at != std::string::npos;
         at = text.find('k', at))
      text.replace(at, 1, "\u212a");
    for (std::size_t at = text.find('s'); chance.below(2) == 0 && at != std::string::npos;
         at = text.find('s', at))
      text.replace(at, 1, "\u017f");
    const auto holds = [&](std::size_t part) {
      return find_ignoring_case(text, regex->atoms()[part]) != std::string::npos;
    };
    if (regex->may_match(holds)) continue;
    ++skipped;
    EXPECT_FALSE(regex->find(text, 0)) << pattern << "\n" << text;
  }
  EXPECT_GT(skipped, 100);
}

TEST_F(SearchTest, RejectsAnExpressionThatMatchesSingleBytes) {
  for (const char* pattern : {"a\\Cb", "\\C", "x\\\\\\C+", "\\Qa\\C\\E\\C", "[ab]\\C*"}) {
    const Result<Regex> regex = Regex::compile(pattern, {});
    ASSERT_FALSE(regex) << pattern;
    EXPECT_EQ(regex.error().code, ErrorCode::invalid_argument);
    EXPECT_NE(regex.error().message.find("\\C"), std::string::npos) << regex.error().message;
  }
  for (const char* pattern : {"a\\\\C", "\\Q\\C\\E", "\\Qa\\C", "C", "\\pC"})
    EXPECT_TRUE(Regex::compile(pattern, {})) << pattern;
  EXPECT_TRUE(Regex::compile("\\C", {.literal = true}));
}

// Literals that are searched first, to skip lines without a match, must never change the result, even if the
// expression has anchors for a line, a word or the text.
TEST_F(SearchTest, MatchesTheUnfilteredExpression) {
  static constexpr const char* fronts[] = {"", "", "^", "\\b", "\\A", "^\\s*"};
  static constexpr const char* backs[] = {"", "", "$", "\\b", "\\z", "\\W?$"};
  int led = 0;
  for (int i = 0; i < 4000; ++i) {
    const bool folds = chance.below(3) == 0;
    const std::string pattern = chance.one_of(fronts) + chance.expression() + chance.one_of(backs);
    const Result<Regex> regex = Regex::compile(pattern, {.ignore_case = folds});
    const Result<LineMatcher> matcher = LineMatcher::make(pattern, false, folds);
    ASSERT_TRUE(regex && matcher) << pattern;
    if (!regex->covering_atoms().empty()) ++led;
    const std::string text = chance.file();
    std::vector<std::size_t> places;
    for (std::size_t from = 0; from < text.size();) {
      const std::optional<Regex::Match> match = regex->find(text, from);
      if (!match || (match->begin == text.size() && text.back() == '\n')) break;
      places.push_back(match->begin);
      from = std::min(text.find('\n', match->begin), text.size()) + 1;
    }
    std::vector<std::size_t> found;
    for (const LineMatch& line : matcher->lines(text, 1000))
      found.push_back(line.begin + static_cast<std::size_t>(line.column) - 1);
    EXPECT_EQ(found, places) << pattern << "\n" << text;
  }
  EXPECT_GT(led, 1000);
}

TEST_F(SearchTest, FindsALiteralAtEveryPosition) {
  const std::string part = "spin_lock";
  for (std::size_t size = 0; size < 70; ++size) {
    std::string text(size, 's');
    EXPECT_EQ(find_ignoring_case(text, part), std::string::npos) << size;
    for (std::size_t at = 0; at + part.size() <= size; ++at) {
      std::string holding = text;
      holding.replace(at, part.size(), at % 2 == 0 ? "spin_lock" : "SPIN_Lock");
      EXPECT_EQ(find_ignoring_case(holding, part), at) << size;
    }
  }
}

}  // namespace
}  // namespace snapgen::core
