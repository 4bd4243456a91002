// Recall finds the right learning: measured with a corpus, and tested rule by rule.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/engine/git/scratch.h"
#include "tools/engine/base/plain_text.h"
#include "tools/work/memory/bm25.h"
#include "tools/work/memory/memory.h"

namespace snapgen::core {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> words_of_column(std::string_view text) {
  std::istringstream in{std::string(text)};
  return {std::istream_iterator<std::string>(in), {}};
}

// Returns the lines of a corpus file that are not comments, divided into columns.
std::vector<std::vector<std::string>> corpus_rows(std::string_view name) {
  const char* root = std::getenv("SNAPGEN_SOURCE_ROOT");
  std::vector<std::vector<std::string>> rows;
  std::ifstream file(fs::path(root == nullptr ? "." : root) / "tests/work/memory" / name);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    std::vector<std::string>& row = rows.emplace_back();
    for (std::size_t begin = 0; begin <= line.size();) {
      const std::size_t end = std::min(line.find('|', begin), line.size());
      row.emplace_back(trimmed(std::string_view(line).substr(begin, end - begin)));
      begin = end + 1;
    }
  }
  return rows;
}

LearningKind learning_kind(std::string_view name) {
  for (const LearningKind each : {LearningKind::pattern, LearningKind::pitfall, LearningKind::efficiency,
                                  LearningKind::discovery, LearningKind::workflow})
    if (text(each) == name) return each;
  ADD_FAILURE() << name;
  return LearningKind::discovery;
}

class RecallTest : public testing::Test {
 protected:
  RecallTest() { scratch_.run("new; put a a; save"); }

  LearningStore open(std::string_view index = "index") const {
    return LearningStore({.root = scratch_.repo(),
                          .records = scratch_.outside(index),
                          .tree = scratch_.outside("tree of " + std::string(index)),
                          .name = "main"});
  }
  // Adds lines as other processes do.
  void add(const std::vector<Learning>& learnings) const {
    fs::create_directories(scratch_.repo() + "/.snapback/learnings");
    std::ofstream out(scratch_.repo() + "/.snapback/learnings/user-learnings.jsonl", std::ios::app);
    for (const Learning& each : learnings) out << json_line(each) << "\n";
  }
  // Returns the ids of the learnings for a task, the best first.
  static std::vector<std::string> ids_for(LearningStore& memory, const RecallQuery& query) {
    Result<RecallAnswer> found = memory.recall(query);
    EXPECT_TRUE(found) << found.error().message;
    std::vector<std::string> ids;
    if (found)
      for (const RecalledLearning& each : found->learnings) ids.push_back(each.learning.id);
    return ids;
  }
  static std::vector<std::string> list(std::initializer_list<std::string> ids) { return ids; }

  Scratch scratch_;
};

TEST_F(RecallTest, TheRightOneOf200LearningsIsFirstForNineOfTenTasks) {
  std::vector<Learning> learnings;
  for (const std::vector<std::string>& row : corpus_rows("corpus_learnings.txt")) {
    ASSERT_EQ(row.size(), 6U) << row.front();
    learnings.push_back({.id = row[0],
                         .kind = learning_kind(row[1]),
                         .trigger = row[2],
                         .action = row[3],
                         .files = words_of_column(row[4]),
                         .keywords = words_of_column(row[5]),
                         .at_ms = static_cast<std::int64_t>(learnings.size())});
  }
  ASSERT_EQ(learnings.size(), 200U);
  add(learnings);
  LearningStore memory = open();
  std::size_t tasks = 0;
  std::size_t first = 0;
  std::size_t among_three = 0;
  std::string others;
  for (const std::vector<std::string>& row : corpus_rows("corpus_queries.txt")) {
    ASSERT_EQ(row.size(), 4U) << row.front();
    const RecallQuery query{
        .text = row[1], .keywords = words_of_column(row[3]), .files = words_of_column(row[2])};
    const std::vector<std::string> ids = ids_for(memory, query);
    const auto rank = static_cast<std::size_t>(std::find(ids.begin(), ids.end(), row[0]) - ids.begin());
    ++tasks;
    first += rank == 0 && !ids.empty() ? 1 : 0;
    among_three += rank < std::min<std::size_t>(3, ids.size()) ? 1 : 0;
    if (rank > 0) others += row[0] + " is number " + std::to_string(rank + 1) + "\n";
  }
  ASSERT_EQ(tasks, 40U);
  RecordProperty("first", static_cast<int>(first));
  RecordProperty("among_three", static_cast<int>(among_three));
  EXPECT_GE(first * 100, tasks * 90) << first << " are first\n" << others;
  EXPECT_GE(among_three * 100, tasks * 98) << among_three << " are among three\n" << others;
}

TEST_F(RecallTest, TheFoldersAndTheExtensionOfAFileAreNoMatch) {
  add({{.id = "one", .trigger = "parse dates", .action = "use the library", .files = {"src/lib/dates.ts"}}});
  LearningStore memory = open();
  EXPECT_EQ(ids_for(memory, {.text = "", .files = {"src/lib/colours.ts"}}), list({}));
  EXPECT_EQ(ids_for(memory, {.text = "the src folder of lib in ts"}), list({}));
  EXPECT_EQ(ids_for(memory, {.text = "", .files = {"test/dates.ts"}}), list({"one"}));
  for (int i = 0; i < 20; ++i)
    add({{.id = "other" + std::to_string(i),
          .trigger = "case" + std::to_string(i),
          .action = "do it",
          .files = {"src/lib/part" + std::to_string(i) + ".ts"}}});
  EXPECT_EQ(ids_for(memory, {.text = "", .files = {"src/lib/colours.ts"}}), list({}));
  // However few learnings have a folder, a file in the same folder is no match, but the folder's name in the
  // task's words is one.
  add({{.id = "rare", .trigger = "x1", .action = "x2", .files = {"src/billing/vat.ts"}}});
  EXPECT_EQ(ids_for(memory, {.text = "", .files = {"src/billing/invoice.ts"}}), list({}));
  EXPECT_EQ(ids_for(memory, {.text = "round the billing"}), list({"rare"}));
}

TEST_F(RecallTest, AFolderThatFewLearningsHaveIsNoMatchAmongManyWithoutPaths) {
  std::vector<Learning> learnings;
  for (int i = 0; i < 97; ++i)
    learnings.push_back({.id = "l" + std::to_string(i),
                         .trigger = "thing " + std::to_string(i) + " of pkg" + std::to_string(i),
                         .action = "do " + std::to_string(i)});
  for (const char* path : {"src/api/page.ts", "src/ws/h.ts", "src/top.ts"})
    learnings.push_back({.id = path, .trigger = std::string("cursor in ") + path, .action = "keep it small"});
  add(learnings);
  LearningStore memory = open();
  EXPECT_EQ(ids_for(memory, {.text = "tidy up", .files = {"src/misc/m0.ts"}}), list({}));
  EXPECT_EQ(ids_for(memory, {.text = "tidy up", .files = {"src/api/page.ts"}}), list({"src/api/page.ts"}));
}

TEST_F(RecallTest, ALearningThatNamesTheFunctionOfTheTaskIsBeforeOthersOnItsFiles) {
  const std::vector<std::string> files{"source/index.ts", "test/basic.ts"};
  add({{.id = "named", .trigger = "a queue method (onIdle, onSizeLessThan)", .action = "emit next"},
       {.id = "whole task", .action = "attach assert.rejects before abort", .files = files},
       {.id = "whole task 2", .action = "the tests take 2 minutes", .files = files}});
  LearningStore memory = open();
  EXPECT_EQ(ids_for(memory, {.text = "Fix onSizeLessThan() when the queue drains", .files = files}).front(),
            "named");
}

TEST_F(RecallTest, ALearningOnTheSameFileIsFirst) {
  add({{.id = "file", .trigger = "a", .action = "check the audience", .files = {"src/auth.ts"}},
       {.id = "text", .trigger = "rotate the keys of tokens", .action = "both keys are valid for a day"},
       {.id = "named", .trigger = "changing src/keys.ts:12", .action = "ask the operators"},
       {.id = "namesake", .trigger = "b", .action = "rotate the keys", .files = {"web/auth.ts"}}});
  LearningStore memory = open();
  EXPECT_EQ(ids_for(memory, {.text = "rotate keys of tokens", .files = {"src/auth.ts"}}).front(), "file");
  EXPECT_EQ(ids_for(memory, {.text = "rotate keys of tokens (in `src/auth.ts`)"}).front(), "file");
  EXPECT_EQ(ids_for(memory, {.text = "rotate keys of tokens", .files = {"src/keys.ts"}}).front(), "named");
  EXPECT_EQ(ids_for(memory, {.text = "rotate keys of tokens"}).front(), "text");
}

TEST_F(RecallTest, ALearningOnAFolderIsFoundForItsFiles) {
  add({{.id = "folder", .trigger = "a", .action = "use cents", .files = {"src/pay"}},
       {.id = "file", .trigger = "b", .action = "ask first", .files = {"src/pay/refund.ts"}},
       {.id = "text", .trigger = "c", .action = "round the totals of orders, round each refund"}});
  LearningStore memory = open();
  const auto found = ids_for(memory, {.text = "round refunds", .files = {"src/pay/refund.ts"}});
  EXPECT_EQ(found.front(), "file");
  EXPECT_NE(std::ranges::find(found, "folder"), found.end());
  EXPECT_EQ(ids_for(memory, {.text = "tidy up", .files = {"src/db/pool.ts"}}), list({}));
}

TEST_F(RecallTest, ARareWordCountsMoreThanCommonOnesWhereverItIs) {
  std::vector<Learning> learnings;
  for (int i = 0; i < 30; ++i)
    learnings.push_back({.id = "common" + std::to_string(i),
                         .trigger = "deploying the service to the cluster",
                         .action = "case " + std::to_string(i)});
  learnings.push_back({.id = "rare", .trigger = "the service and helm", .action = "lint the chart"});
  add(learnings);
  LearningStore memory = open();
  EXPECT_EQ(ids_for(memory, {.text = "deploying the service with helm"}).front(), "rare");
  // A word that most learnings have finds none of them.
  EXPECT_EQ(ids_for(memory, {.text = "service"}), list({}));
  // A rare word may be at the end of a long text.
  EXPECT_EQ(ids_for(memory, {.text = "red green blue yellow white black brown orange purple pink grey cyan "
                                     "magenta olive navy helm"}),
            list({"rare"}));
}

TEST_F(RecallTest, IdentifiersMatchAsAWholeAndByTheirWords) {
  add({{.id = "hook", .trigger = "useEffect runs twice", .action = "strict mode"},
       {.id = "effect", .trigger = "the effect of a change", .action = "measure it"}});
  LearningStore memory = open();
  EXPECT_EQ(ids_for(memory, {.text = "fix useEffect"}).front(), "hook");
  EXPECT_EQ(ids_for(memory, {.text = "validating the effects"}).size(), 2U);
}

TEST_F(RecallTest, AnIndexThatGrewRanksAsOneThatWasRebuilt) {
  LearningStore grown = open();
  const auto strengths = [](LearningStore& memory) {
    Result<RecallAnswer> all =
        memory.recall({.text = "cache keys of the login", .files = {"src/a.ts"}, .limit = 99});
    std::string text;
    if (!all) return all.error().message;
    for (const RecalledLearning& each : all->learnings)
      text += each.learning.id + " " + std::to_string(each.recorded_count) + " " +
              std::to_string(each.strength) + "\n";
    return text;
  };
  for (int i = 0; i < 40; ++i) {
    const std::string number = std::to_string(i % 25);
    add({{.id = "l" + number,
          .trigger = i % 3 == 0 ? "cache keys " + number : "login form",
          .action = "do " + number,
          .files = {i % 4 == 0 ? "src/a.ts" : "src/b" + std::to_string(i) + ".ts"}}});
    strengths(grown);
  }
  LearningStore rebuilt = open("another index");
  EXPECT_EQ(strengths(grown), strengths(rebuilt));
  EXPECT_NE(strengths(grown), "");
}

TEST_F(RecallTest, ARepeatedLearningKeepsItsFiles) {
  add({{.id = "l", .trigger = "x1", .action = "x2", .files = {"src/a.ts"}}});
  LearningStore memory = open();
  EXPECT_EQ(ids_for(memory, {.text = "", .files = {"src/a.ts"}}), list({"l"}));
  add({{.id = "l", .trigger = "x1", .action = "x2", .files = {"src/b.ts"}}});
  EXPECT_EQ(ids_for(memory, {.text = "", .files = {"src/a.ts"}}), list({"l"}));
  EXPECT_EQ(ids_for(memory, {.text = "", .files = {"src/b.ts"}}), list({"l"}));
}

TEST_F(RecallTest, ALearningAboutAFindingIsFoundByItsCodeOrFile) {
  add({{.id = "code", .trigger = "TS2322 in the api types", .action = "run the generator"},
       {.id = "rule", .trigger = "lint: no-floating-promises", .action = "await them"},
       {.id = "on file", .trigger = "imports are slow", .action = "split it", .files = {"src/b.ts"}}});
  LearningStore memory = open();
  ASSERT_TRUE(memory.record(
      Violation{.type = "silent_catch", .file = "src/a.ts", .description = "d", .prevention = "log it"}));
  ASSERT_TRUE(memory.record(Violation{.type = "unsaid", .file = "src/a.ts", .description = "d"}));
  Result<std::vector<std::string>> found =
      memory.preventions({{.code = "silent_catch", .file = {}},
                          {.code = "TS2322", .file = {}},
                          {.code = "@typescript-eslint/no-floating-promises", .file = {}},
                          {.code = "imports", .file = {}},
                          {.code = "a sentence about TS2322", .file = {}},
                          {.code = "unsaid", .file = {}},
                          {.code = {}, .file = "src/a.ts"},
                          {.code = {}, .file = "src/b.ts"},
                          {.code = {}, .file = "src/c.ts"}});
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, list({"log it", "run the generator", "await them", "", "", "", "silent_catch: log it",
                          "split it", ""}));
}

TEST(Bm25, TheLogarithmIsExactToSixteenBinaryDigits) {
  EXPECT_EQ(log2_q16(1), 0);
  EXPECT_EQ(log2_q16(2), 1 << 16);
  EXPECT_EQ(log2_q16(3), 103872);   // 1.584962500721156
  EXPECT_EQ(log2_q16(10), 217705);  // 3.321928094887362
  EXPECT_EQ(log2_q16(std::uint64_t{1} << 63), 63 << 16);
  for (std::uint64_t i = 1; i < 5000; ++i) EXPECT_LE(log2_q16(i), log2_q16(i + 1)) << i;
}

TEST(Bm25, AScoreGrowsWithRarityAndWeightAndShrinksWithLength) {
  EXPECT_GT(rarity_q16(200, 1), rarity_q16(200, 20));
  EXPECT_GT(rarity_q16(200, 200), 0);
  const std::int64_t rarity = rarity_q16(200, 3);
  // One word in a text of average length scores its rarity.
  EXPECT_EQ(bm25_q16(rarity, word_weight, 60, 60), rarity);
  EXPECT_GT(bm25_q16(rarity, 2 * word_weight, 60, 60), rarity);
  EXPECT_LT(bm25_q16(rarity, 100 * word_weight, 60, 60), rarity * 22 / 10);
  EXPECT_LT(bm25_q16(rarity, folder_weight, 60, 60), rarity / 2);
  EXPECT_LT(bm25_q16(rarity, word_weight, 600, 60), bm25_q16(rarity, word_weight, 60, 60));
  constexpr std::int64_t huge = std::int64_t{1} << 60;
  EXPECT_GT(bm25_q16(rarity_q16(huge, 0), huge, huge, huge), 0);
}

}  // namespace
}  // namespace snapgen::core
