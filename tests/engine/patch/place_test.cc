// Where hunks apply, and what a client receives for those that do not.
#include <gtest/gtest.h>

#include "tests/engine/patch/numbers.h"
#include "tests/engine/patch/placed.h"
#include "tools/engine/patch/hunk.h"
#include "tools/engine/patch/nearest.h"

namespace snapgen::core {
namespace {

const std::string ten = numbers(1, 9) + "TEN\n" + numbers(11, 20);
const std::string twenty = numbers(1, 20);

TEST(Place, TheCountsOfAHeaderAreCorrected) {
  const PatchPlan plan = placed(twenty, "@@ -9,5 +9,2 @@\n 9\n-10\n+TEN\n 11\n");
  ASSERT_TRUE(plan.rejects.empty());
  EXPECT_EQ(plan.changes.front().bytes, ten);
  EXPECT_TRUE(plan.files.front().moved_hunks.empty());
  EXPECT_EQ(plan.files.front().corrected_counts,
            (std::vector<CorrectedCounts>{
                {.hunk_index = 0, .stated_before = 5, .stated_after = 2, .before = 3, .after = 3}}));
}

TEST(Place, AHunkMovesToTheOnlyLinesThatFit) {
  const PatchPlan plan = placed(twenty, hunk_at(7));
  ASSERT_TRUE(plan.rejects.empty());
  EXPECT_EQ(plan.changes.front().bytes, ten);
  EXPECT_EQ(plan.files.front().moved_hunks,
            (std::vector<MovedHunk>{{.hunk_index = 0, .stated_line = 7, .line = 9}}));
  EXPECT_EQ(applied(twenty, hunk_at(900)), ten);
  EXPECT_EQ(applied(twenty, "@@ -3 +3 @@\n-10\n+TEN\n"), ten);
}

TEST(Place, AHunkNeedsNoNumbers) {
  for (const char* header : {"@@\n", "@@ @@\n", "@@ ... @@\n", "@@ def f():\n", "@@ -9,3 +9,3\n"}) {
    const PatchPlan plan = placed(twenty, header + std::string(" 9\n-10\n+TEN\n 11\n"));
    ASSERT_TRUE(plan.rejects.empty()) << header;
    EXPECT_EQ(plan.changes.front().bytes, ten) << header;
    EXPECT_EQ(plan.files.front().moved_hunks,
              (std::vector<MovedHunk>{{.hunk_index = 0, .stated_line = {}, .line = 9}}));
  }
}

TEST(Place, HunksMayBeInAnyOrderAndInSeveralParts) {
  const std::string both = "1\nII\n" + numbers(3, 9) + "TEN\n" + numbers(11, 20);
  const std::string two = "@@ -2 +2 @@\n-2\n+II\n";
  EXPECT_EQ(applied(twenty, hunk_at(9) + two), both);
  EXPECT_EQ(applied(twenty, hunk_at(9) + f_header + two), both);
  EXPECT_EQ(applied(twenty, "@@\n-10\n+TEN\n@@\n-2\n+II\n"), both);
}

TEST(Place, TheStatedLineWinsIfTheLinesRepeat) {
  EXPECT_EQ(applied(functions, "@@ -6,2 +6,2 @@\n" + in_function),
            "def first():\n    value = compute()\n    return value\n\n"
            "def second():\n    value = compute()\n    return -value\n\n"
            "def third():\n    value = compute()\n    return value\n");
}

TEST(Place, AHunkThatFitsSeveralTimesIsRejectedWithAllLines) {
  const Reject reject = rejected(functions, "@@ -7,2 +7,2 @@\n" + in_function);
  EXPECT_EQ(reject.reason, RejectReason::ambiguous);
  EXPECT_EQ(reject.places, (std::vector<std::int64_t>{2, 6, 10}));
  EXPECT_EQ(reject.places_total, 3);
  EXPECT_EQ(reject.applicable_line, std::nullopt);
  EXPECT_EQ(reject.message,
            "line 7 of the file is not what the hunk shows; the hunk fits more than once, first at the lines "
            "2 and 6, so give it the right line or more context");
  EXPECT_EQ(
      rejected(functions, "@@\n" + in_function).message,
      "the hunk fits more than once, first at the lines 2 and 6, so give it more context, or a heading: "
      "@@ def f():");
}

TEST(Place, AtMostTwentyLinesAreListed) {
  std::string file;
  for (int i = 0; i < 50; ++i) file += "repeated\n";
  const Reject reject = rejected(file, "@@\n-repeated\n+changed\n");
  EXPECT_EQ(reject.places.size(), reject_places_max);
  EXPECT_EQ(reject.places_total, 50);
}

TEST(Place, AHeadingDecidesIfItsBlockHasTheLinesOnce) {
  const std::string third =
      "def first():\n    value = compute()\n    return value\n\n"
      "def second():\n    value = compute()\n    return value\n\n"
      "def third():\n    value = compute()\n    return -value\n";
  EXPECT_EQ(applied(functions, "@@ ... @@ def third():\n" + in_function), third);
  EXPECT_EQ(applied(functions, "@@ def third\n" + in_function), third);
  EXPECT_EQ(placed(functions, "@@ def second():\n" + in_function).files.front().moved_hunks.front().line, 6);
  EXPECT_EQ(rejected(functions, "@@ def fourth():\n" + in_function).reason, RejectReason::ambiguous);
  std::string indented;
  for (const char* name : {"f", "g"}) indented += std::string("  def ") + name + "():\n    return value\n";
  EXPECT_EQ(applied(indented, "@@ def g\n-    return value\n+    return 1\n"),
            "  def f():\n    return value\n  def g():\n    return 1\n");
}

TEST(Place, MatchesWholeLinesOnly) {
  EXPECT_EQ(rejected("x9\n10\n11\n", hunk_at(2)).applicable_line, std::nullopt);
  EXPECT_EQ(rejected("x9\n10\n11\n", "@@\n 9\n-10\n+TEN\n").reason, RejectReason::context_mismatch);
}

TEST(Place, HunksThatOverlapAreRejected) {
  const std::string message = "the hunk overlaps the lines of an earlier hunk; write both as one hunk\n";
  EXPECT_EQ(applied(twenty, hunk_at(2) + hunk_at(14)), message);
  EXPECT_EQ(applied(twenty, "@@ -11 +11 @@\n-11\n+XI\n" + hunk_at(9)), message);
  EXPECT_EQ(applied(twenty, hunk_at(9) + "@@ -10,0 +11 @@\n+a\n"), message);
}

TEST(Place, InsertionsAtOnePositionKeepTheOrderOfThePatch) {
  EXPECT_EQ(applied("1\n2\n", "@@ -1,0 +2 @@\n+b\n@@ -1,0 +2 @@\n+a\n"), "1\nb\na\n2\n");
  EXPECT_EQ(applied("1\n2\n", "@@ -2 +3 @@\n-2\n+II\n@@ -1,0 +2 @@\n+a\n"), "1\na\nII\n");
  EXPECT_EQ(applied("", "@@ -0,0 +1 @@\n+a\n@@\n+b\n"), "a\nb\n") << "the second one has no number";
}

TEST(Place, AHunkWithoutOldLinesNeedsItsLine) {
  const std::string unknown =
      "the hunk shows no old line, so its place is not known: write @@ -LINE,0 +LINE,COUNT @@ to insert "
      "after "
      "the first LINE, or add lines of context\n";
  EXPECT_EQ(applied("1\n2\n", "@@ -1,0 +2,9 @@\n+a\n"), "1\na\n2\n");
  EXPECT_EQ(applied("1\n2\n", "@@\n+a\n"), unknown);
  EXPECT_EQ(applied("1\n2\n", "@@ -1 +1,2 @@\n+a\n"), unknown) << "before or after line 1";
  EXPECT_EQ(applied("1\n2\n", "@@ -7,0 +8 @@\n+a\n"),
            "the file ends before line 7, after which the hunk inserts\n");
  for (const char* header : {"@@\n", "@@ -1 +1,2 @@\n", "@@ -0,0 +1 @@\n"})
    EXPECT_EQ(applied("", header + std::string("+a\n")), "a\n") << header;
}

TEST(Place, AnInsertionNextToWeakLinesNeedsItsLine) {
  const std::string file = "int first() {\n}\n\nint second() {\n  work();\n\n}\n";
  const std::string hunk = "@@ -9,2 +9,3 @@\n \n+more\n }\n";
  const Reject reject = rejected(file, hunk);
  EXPECT_EQ(reject.reason, RejectReason::context_mismatch);
  EXPECT_EQ(reject.applicable_line, 6);
  EXPECT_EQ(reject.corrected_header, "@@ -6,2 +6,3 @@");
  EXPECT_EQ(reject.message,
            "the file ends before line 9, which the hunk shows; the hunk inserts next to lines that do not "
            "identify a location, so give it the right line or more context");
  EXPECT_EQ(applied(file, "@@ -6,2 +6,3 @@\n \n+more\n }\n"),
            "int first() {\n}\n\nint second() {\n  work();\n\nmore\n}\n");
  EXPECT_EQ(applied(file, "@@\n-\n-}\n+};\n"), "int first() {\n}\n\nint second() {\n  work();\n};\n")
      << "a removed line is no insertion";
  EXPECT_EQ(applied("a\nb\nc\n", "@@\n a\n b\n+new\n c\n"), "a\nb\nnew\nc\n") << "three lines are enough";
}

TEST(Place, BlankLinesThatOnlySeparateAreNotRequired) {
  EXPECT_EQ(applied(twenty, "@@ -9,4 +9,4 @@\n 9\n-10\n+TEN\n 11\n\n@@ -20 +20 @@\n-20\n+XX\n"),
            numbers(1, 9) + "TEN\n" + numbers(11, 19) + "XX\n");
  EXPECT_EQ(applied("a\nb\n\nc\n", "@@ -2,2 +2,2 @@\n-b\n+B\n\n"), "a\nB\n\nc\n");
}

TEST(Place, AMismatchShowsTheNearestLinesAndTheirDifferences) {
  std::string file;
  for (int i = 1; i < 40; ++i) file += "line " + std::to_string(i) + "\n";
  const Reject reject =
      rejected(file, "@@ -18,4 +18,5 @@ top\n line 20\n line 21\n+new\n line 22\n line twenty-three\n");
  EXPECT_EQ(reject.reason, RejectReason::context_mismatch);
  EXPECT_EQ(reject.line, 23);
  EXPECT_EQ(reject.expected, "line twenty-three");
  EXPECT_EQ(reject.found, "line 23");
  ASSERT_TRUE(reject.nearest);
  EXPECT_EQ(reject.nearest->line, 20);
  EXPECT_EQ(reject.nearest->differences,
            (std::vector<LineDifference>{{.line = 23, .expected = "line twenty-three", .found = "line 23"}}));
  EXPECT_EQ(reject.corrected_header, std::nullopt) << "no number can make it fit";
  EXPECT_EQ(reject.message,
            "the old lines of the hunk occur nowhere in the file; most like them are those from line 20 on, "
            "but line 23 of the file is not what the hunk shows");
}

TEST(Place, DifferencesIncludeLinesThatOneSideLacks) {
  std::string file;
  for (int i = 1; i < 40; ++i) file += "line " + std::to_string(i) + "\n";
  EXPECT_EQ(rejected(file, "@@\n line 20\n line 22\n-line 23\n").nearest->differences,
            (std::vector<LineDifference>{{.line = 21, .expected = {}, .found = "line 21"}}));
  EXPECT_EQ(rejected(file, "@@\n line 20\n invented\n line 21\n-line 22\n").nearest->differences,
            (std::vector<LineDifference>{{.line = 21, .expected = "invented", .found = {}}}));
}

TEST(Place, SeveralFaultsOfOnePatchAreCorrectedAtOnce) {
  // Wrong counts, a line that is off by one, a hunk without numbers, hunks out of order, and no final
  // newline.
  EXPECT_EQ(
      applied(twenty,
              "@@ -14,9 +14,1 @@\n 13\n 14\n 15\n+new\n@@\n-3\n+III\n\n@@ -8,3 +8,7 @@\n 9\n-10\n+TEN\n 11"),
      "1\n2\nIII\n" + numbers(4, 9) + "TEN\n" + numbers(11, 15) + "new\n" + numbers(16, 20));
}

TEST(Place, ADifferenceInWhiteSpaceIsShown) {
  const std::string makefile = "all: lib\n\t$(CC) -c first.c\n\t$(CC) -c second.c\n";
  EXPECT_EQ(rejected(makefile, "@@ -1,2 +1,3 @@\n all: lib\n+\t$(CC) -c new.c\n     $(CC) -c first.c\n")
                .nearest->differences,
            (std::vector<LineDifference>{
                {.line = 2, .expected = "    $(CC) -c first.c", .found = "\t$(CC) -c first.c"}}));
  const Reject reject = rejected("def f():\n    return 1\n", "@@ -2 +2 @@\n-     return 1\n+     return 2\n");
  EXPECT_EQ(reject.expected, "     return 1");
  EXPECT_EQ(reject.found, "    return 1");
  EXPECT_EQ(reject.nearest->line, 2);
}

TEST(Place, DifferencesAreLimited) {
  std::string file, hunk;
  for (int i = 0; i < 100; ++i) {
    const std::string line = "line " + std::to_string(i);
    file += line + "\n" + (i % 2 == 0 ? std::string(90, 'x') + "\n" : "");
    hunk += " " + line + "\n" + (i % 2 == 0 ? " " + std::string(90, 'y') + "\n" : "");
  }
  const Reject reject = rejected(file, "@@\n" + hunk + "+new\n");
  ASSERT_TRUE(reject.nearest);
  EXPECT_EQ(reject.nearest->differences_total, 50);
  EXPECT_EQ(reject.nearest->differences.size(), difference_bytes_max / 180);
}

TEST(Place, LinesThatAreNotAlikeAreNoNearestLines) {
  EXPECT_FALSE(rejected(twenty, "@@\n-nothing like it\n+new\n").nearest);
  EXPECT_EQ(rejected(twenty, "@@\n-nothing like it\n+new\n").message,
            "the old lines of the hunk occur nowhere in the file");
  EXPECT_EQ(rejected(twenty, "@@ -3 +3 @@\n-nothing like it\n+new\n").message,
            "line 3 of the file is not what the hunk shows, and its old lines occur nowhere in the file");
}

TEST(Place, AllFaultsAreInOneAnswer) {
  const Tree tree{{"a", {FileMode::plain, "one\ntwo\nthree\n"}},
                  {"b", {FileMode::plain, "same\nsame\n"}},
                  {"c", {FileMode::plain, "1\n2\n3\n"}}};
  const PatchPlan plan = planned(
      "--- a/a\n+++ b/a\n@@ -1,3 +1,5 @@\n one\n-2\n+TWO\n@@ -3 +3 @@\n three\n"
      "--- a/b\n+++ b/b\n@@\n-same\n+other\n"
      "--- a/c\n+++ b/c\n@@ -9 +9 @@\n-2\n+II\n"
      "--- a/d\n+++ b/d\n@@ -1 +1 @@\n-x\n+y\n",
      tree);
  ASSERT_EQ(plan.rejects.size(), 4U);
  EXPECT_EQ(plan.rejects[0].hunk_index, 0);
  EXPECT_EQ(plan.rejects[0].reason, RejectReason::context_mismatch);
  EXPECT_EQ(plan.rejects[1].hunk_index, 1);
  EXPECT_EQ(plan.rejects[1].reason, RejectReason::malformed);
  EXPECT_EQ(plan.rejects[2].reason, RejectReason::ambiguous);
  EXPECT_EQ(plan.rejects[3].reason, RejectReason::missing);
  EXPECT_TRUE(plan.changes.empty());
}

TEST(Place, AHeaderThatSwallowsTheNextFileDoesNot) {
  const Tree tree{{"a", {FileMode::plain, numbers(1, 5)}}, {"b", {FileMode::plain, "x\ny\nz\n"}}};
  const PatchPlan plan = planned(
      "--- a/a\n+++ b/a\n@@ -2,4 +2,5 @@\n 2\n+two\n 3\n 4\n"
      "--- a/b\n+++ b/b\n@@ -1,3 +1,3 @@\n x\n-y\n+Y\n z\n",
      tree);
  ASSERT_TRUE(plan.rejects.empty());
  EXPECT_EQ(plan.changes[0].bytes, "1\n2\ntwo\n3\n4\n5\n");
  EXPECT_EQ(plan.changes[1].bytes, "x\nY\nz\n");
}

TEST(Place, ReportsTheChangedLines) {
  const PatchPlan plan = placed(twenty, "@@ -2,2 +2,3 @@\n 2\n+a\n+b\n 3\n@@ -9,3 +11,2 @@\n 9\n-10\n 11\n" +
                                            std::string("@@ -15,2 +16,2 @@\n-15\n+c\n 16\n"));
  ASSERT_TRUE(plan.rejects.empty());
  const std::vector<LineRange>& changed = plan.files.front().changed_lines;
  ASSERT_EQ(changed.size(), 3U);
  EXPECT_EQ(std::pair(changed[0].first, changed[0].count), std::pair(3L, 2L));
  EXPECT_EQ(std::pair(changed[1].first, changed[1].count), std::pair(11L, 0L));
  EXPECT_EQ(std::pair(changed[2].first, changed[2].count), std::pair(16L, 1L));
}

TEST(Place, APatchInLfFitsAFileInCrLf) {
  const PatchPlan plan = placed("a\r\nb\r\nc\r\n", "@@ -1,3 +1,4 @@\n a\n-b\n+B\n+new\n c\n");
  ASSERT_TRUE(plan.rejects.empty());
  EXPECT_EQ(plan.changes.front().bytes, "a\r\nB\r\nnew\r\nc\r\n");
  EXPECT_EQ(plan.files.front().line_ends, LineEnds::cr_added);
  EXPECT_EQ(applied("a\r\nb", "@@ -1,2 +1,2 @@\n-a\n+A\n b\n" + no_newline), "A\r\nb");
  const Reject reject = rejected("a line\r\nb line\r\nc line\r\n", "@@\n a line\n-b\n+B\n c line\n");
  EXPECT_EQ(reject.expected, "b");
  EXPECT_EQ(reject.found, "b line");
}

TEST(Place, APatchInCrLfFitsAFileInLf) {
  const Tree tree{{"f", {FileMode::plain, "a\nb\nc\n"}}};
  const std::string patch = "--- a/f\r\n+++ b/f\r\n@@ -1,3 +1,3 @@\r\n a\r\n-b\r\n+B\r\n c\r\n";
  const PatchPlan plan = planned(patch, tree);
  ASSERT_TRUE(plan.rejects.empty());
  EXPECT_EQ(plan.changes.front().bytes, "a\nB\nc\n");
  EXPECT_EQ(plan.files.front().line_ends, LineEnds::cr_removed);
  EXPECT_EQ(planned(patch, {{"f", {FileMode::plain, "a\r\nb\r\nc\r\n"}}}).changes.front().bytes,
            "a\r\nB\r\nc\r\n");
  EXPECT_EQ(
      planned("--- a/f\r\n+++ b/f\r\n@@ -1,2 +1,2 @@\r\n a\r\n-b\r\n\\ No newline\r\n+B\r\n\\ No newline\r\n",
              {{"f", {FileMode::plain, "a\r\nb"}}})
          .changes.front()
          .bytes,
      "a\r\nB");
  const std::string lf_header = "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\r\n-b\r\n+B\r\n c\r\n";
  EXPECT_FALSE(planned(lf_header, tree).rejects.empty());
}

TEST(Place, NothingIsAdaptedToMixedLineEnds) {
  EXPECT_FALSE(placed("a\r\nb\nc\r\n", "@@ -1,2 +1,2 @@\n-a\n+A\n b\n").rejects.empty());
  EXPECT_EQ(applied("a\r\nb\nc\r\n", "@@ -2 +2 @@\n-b\n+B\n"), "a\r\nB\nc\r\n");
  EXPECT_FALSE(placed("a\r\nb\r\n", "@@ -1,2 +1,2 @@\n-a\n+A\n b\n", exactly).rejects.empty());
}

TEST(Place, ALineWithoutNewlineFitsOnlyAtTheEndOfTheFile) {
  EXPECT_EQ(applied("x\ny\nx\ny", "@@ -1,2 +1,2 @@\n x\n-y\n" + no_newline + "+z\n"), "x\ny\nx\nz\n");
  EXPECT_EQ(applied("x\ny\nx\ny\n", "@@ -1,2 +1,2 @@\n x\n-y\n+z\n" + no_newline), "x\ny\nx\nz");
  EXPECT_EQ(applied("x\ny\n", "@@ -2 +2 @@\n-y\n+z\n" + no_newline + "@@ -2,0 +3 @@\n+new\n"),
            "a hunk follows the one that is marked as the file's last\n");
  EXPECT_EQ(rejected("long line\nlast line", "@@\n long line\n-last line\n+new\n").reason,
            RejectReason::eof_newline);
}

TEST(Place, ExactLinesRequireRightNumbersInOrder) {
  auto message = [](const std::string& hunks) {
    const PatchPlan plan = placed(twenty, hunks, exactly);
    return plan.rejects.empty() ? "" : plan.rejects.front().message;
  };
  const std::string body = " 9\n-10\n+TEN\n 11\n";
  EXPECT_EQ(message("@@ -9,4 +9,4 @@\n" + body),
            "the hunk has 3 old and 3 new lines, but its @@ line says 4 old and 4 new lines; write @@ -9,3 "
            "+9,3 @@");
  EXPECT_EQ(
      message("@@ -9,2 +9 @@\n" + body),
      "the hunk has 3 old and 3 new lines, but its @@ line says 2 old and 1 new line; write @@ -9,3 +9,3 @@");
  for (const char* header : {"@@\n", "@@ -9 +9\n", "@@ -99999999999999999999 +9 @@\n"})
    EXPECT_EQ(
        message(header + body),
        "this is not a hunk's header, which reads @@ -line,count +line,count @@; write @@ -9,3 +9,3 @@");
  EXPECT_EQ(message(hunk_at(9) + "@@ -2 +2 @@\n-2\n+II\n"),
            "the hunks of a file must be in order of their lines");
  EXPECT_EQ(message(hunk_at(9) + hunk_at(11)), "the hunk overlaps the one before it");
  EXPECT_EQ(message("@@ -5,0 +6 @@\n+a\n@@ -5,0 +7 @@\n+b\n"), "the hunk overlaps the one before it");
  EXPECT_EQ(message(hunk_at(9) + "@@ -10,0 +11 @@\n+a\n"), "the hunk overlaps the one before it");
  EXPECT_EQ(message("@@ -0,3 +1,3 @@\n" + body), "a hunk that shows old lines cannot begin at line 0");
  EXPECT_EQ(message(hunk_at(9) + f_header + "@@ -12 +12 @@\n-12\n+XII\n"),
            "the patch changes this path in another part too, at line 1");
  EXPECT_EQ(message(hunk_at(9) + "@@ -12 +12 @@\n-12\n+XII\n"), "");
}

TEST(Place, ExactLinesNameTheHeaderToSend) {
  const std::string body = " 9\n-10\n+TEN\n 11\n";
  for (const char* header :
       {"@@ -9,4 +9,4 @@ top\n", "@@ -2,3 +2,3 @@ top\n", "@@ -2,7 +2 @@ top\n", "@@ ... @@ top\n"}) {
    const PatchPlan plan = placed(twenty, header + body, exactly);
    ASSERT_EQ(plan.rejects.size(), 1U);
    EXPECT_EQ(plan.rejects.front().corrected_header, "@@ -9,3 +9,3 @@") << header;
  }
}

TEST(Place, AHeaderIsProposedOnlyIfANumberIsMissing) {
  const std::string body = " line 20\n-line twenty-one\n+new\n line 22\n";
  std::string file;
  for (int i = 1; i < 40; ++i) file += "line " + std::to_string(i) + "\n";
  for (const char* header : {"@@ -20,3 +20,3 @@\n", "@@ -19,4 +7,3 @@\n", "@@\n", "@@ top\n"}) {
    const Reject reject = rejected(file, header + body);
    EXPECT_EQ(reject.corrected_header, std::nullopt) << header;
    EXPECT_EQ(reject.nearest->line, 20) << header;
  }
  EXPECT_EQ(rejected("a\n}\nb\n", "@@\n }\n+new\n").corrected_header, "@@ -2,1 +2,2 @@")
      << "the hunk needs its line";
}

// Functions of two classes that differ in one line each.
const std::string classes =
    "class Reader:\n    def close(self):\n        self.flush()\n        self.file.close()\n        return "
    "1\n\n"
    "class Writer:\n    def close(self):\n        self.flush()\n        self.pipe.close()\n        return "
    "1\n";

TEST(Place, TheNearestPlaceIsThatWithTheFewestDifferences) {
  EXPECT_EQ(
      rejected(classes,
               "@@\n         self.flush()\n-        self.pipe.close\n+        pass\n         return 1\n")
          .nearest->line,
      3)
      << "both differ in one line";
  for (const char* header : {"@@ -9,3 +9,3 @@\n", "@@ class Writer:\n", "@@ -4,3 +4,3 @@ class Writer:\n"}) {
    const Reject reject = rejected(
        classes,
        header +
            std::string("         self.flush()\n-        self.close()\n+        pass\n         return 1\n"));
    EXPECT_EQ(reject.nearest->line, 9) << header;
    EXPECT_EQ(reject.nearest->differences_total, 1) << header;
  }
  // Fewer lines differ at the end, although the stated line is that of the first class.
  EXPECT_EQ(
      rejected(classes,
               "@@ -3,4 +3,4 @@\n         self.flush()\n         self.pipe.close()\n-        return one\n"
               "+        return 2\n")
          .nearest->line,
      9);
}

TEST(Place, ARejectNamesADifferenceInWhiteSpaceOrQuotesOnly) {
  const Reject reject = rejected(classes, "@@\n self.flush()\n-self.pipe.close()\n+pass\n return 1\n");
  EXPECT_EQ(reject.nearest->line, 9);
  EXPECT_EQ(
      reject.message,
      "the old lines of the hunk occur nowhere in the file; those from line 9 on differ only in indentation");
  EXPECT_NE(rejected("a = \"one\"\nb = \"two\"\n", "@@ -1,2 +1,2 @@\n a = 'one'\n-b = 'two'\n+b = 3\n")
                .message.find("differ only in quotes"),
            std::string::npos);
}

TEST(Place, ARejectNamesAnotherPlaceThatDiffersInTheSame) {
  const Reject reject = rejected(functions, "@@ -6,2 +6,2 @@\n-value = compute()\n-return value\n+pass\n");
  EXPECT_EQ(reject.nearest->line, 6);
  EXPECT_NE(reject.message.find("line 6 on differ only in indentation, and so do those from line 2 on"),
            std::string::npos)
      << reject.message;
}

TEST(Place, AStatedLineDecidesNothingIfAnotherHunkIsElsewhere) {
  const std::string moved = "@@ -5,2 +5,2 @@\n-def first():\n+def primary():\n     value = compute()\n";
  const Reject reject = rejected(functions, moved + "@@ -6,2 +6,2 @@\n" + in_function);
  EXPECT_EQ(reject.reason, RejectReason::ambiguous);
  EXPECT_EQ(reject.hunk_index, 1);
  EXPECT_EQ(reject.places, (std::vector<std::int64_t>{2, 6, 10}));
  EXPECT_NE(reject.message.find("hunk 1 of this file is at line 1, not at the line 5 that it states"),
            std::string::npos)
      << reject.message;
  EXPECT_EQ(applied(functions, moved + "@@ -6,2 +6,2 @@ def third():\n" + in_function),
            "def primary():" + functions.substr(12, functions.size() - 25) + "return -value\n")
      << "its heading decides";
  // A hunk that fits once needs no number, and one that fits nowhere says nothing about the others.
  EXPECT_EQ(placed(functions, moved + "@@ -9 +9 @@\n-def third():\n+def last():\n").rejects.size(), 0U);
  EXPECT_EQ(rejected(functions, "@@ -1 +1 @@\n-def zeroth():\n+def x():\n@@ -6,2 +6,2 @@\n" + in_function)
                .hunk_index,
            0);
  EXPECT_EQ(rejected(functions, moved + "@@ -4,0 +5 @@\n+# new\n").hunk_index, 1) << "it has only its number";
}

TEST(Place, AHeadingBelowTheStatedLineContradictsIt) {
  const Reject reject = rejected(functions, "@@ -2,2 +2,2 @@ def second():\n" + in_function);
  EXPECT_EQ(reject.reason, RejectReason::ambiguous);
  EXPECT_EQ(reject.places_total, 3);
  EXPECT_EQ(placed(functions, "@@ -6,2 +6,2 @@ def second():\n" + in_function).rejects.size(), 0U);
  EXPECT_EQ(placed(functions, "@@ -6,2 +6,2 @@ def missing():\n" + in_function).rejects.size(), 0U)
      << "a heading that is nowhere says nothing";
  // Lines that occur once are found whatever the heading is, and the answer says so.
  const PatchPlan plan = placed(functions, "@@ def second():\n-def first():\n+def primary():\n");
  ASSERT_EQ(plan.files.size(), 1U);
  EXPECT_EQ(plan.files.front().hunks_outside_headings, (std::vector<std::int64_t>{0}));
  const std::string blank = "two\n\n\n(\n\n\nend\n";
  EXPECT_EQ(applied(blank, "@@ -5,2 +5,3 @@ two\n \n+new\n \n"), "two\n\n\n(\n\nnew\n\nend\n")
      << "blank lines are in every block";
}

TEST(Place, AHeadingIsNotIgnoredIfItsBlockDoesNotHaveTheLines) {
  const std::string same = "    setup()\n    y = x + 1\n    log(y)\n    return y\n\n";
  const std::string file = "def a(x):\n" + same + "def b(x):\n    setup()\n    y = x + 2\n    return y\n\n" +
                           "def c(x):\n" + same + "def d(x):\n    return 0\n";
  const std::string hunk = "     setup()\n     y = x + 1\n-    log(y)\n+    log(\"NEW\", y)\n     return y\n";
  for (const char* header :
       {"@@ def b(x):\n", "@@ -8,4 +8,4 @@ def b(x):\n", "@@ def d(x):\n", "@@ def bb(x):\n"}) {
    const Reject reject = rejected(file, header + hunk);
    EXPECT_EQ(reject.reason, RejectReason::ambiguous) << header;
    EXPECT_EQ(reject.places, (std::vector<std::int64_t>{2, 13})) << header;
  }
  // A line that fits, and a heading whose block has the lines elsewhere, contradict each other.
  EXPECT_EQ(rejected(file, "@@ -13,4 +13,4 @@ def a(x):\n" + hunk).reason, RejectReason::ambiguous);
  EXPECT_EQ(rejected(file, "@@ -2,4 +2,4 @@ def c(x):\n" + hunk).reason, RejectReason::ambiguous);
  // A line that does not fit is no evidence, and the block of the heading is.
  EXPECT_EQ(placed(file, "@@ -12,4 +12,4 @@ def a(x):\n" + hunk).files.front().moved_hunks.front().line, 2);
  EXPECT_EQ(placed(file, "@@ -13,4 +13,4 @@ def c(x):\n" + hunk).rejects.size(), 0U);
  const PatchPlan outside = placed(file, "@@ def b(x):\n-    return 0\n+    return 1\n");
  ASSERT_EQ(outside.files.size(), 1U);
  EXPECT_EQ(outside.files.front().hunks_outside_headings, (std::vector<std::int64_t>{0}));
}

TEST(HunkHeader, CountsTheLinesOfTheBody) {
  EXPECT_EQ(hunk_header({.before_count = 3, .after_count = 1}, 9, 2), "@@ -9,3 +11,1 @@");
  EXPECT_EQ(hunk_header({.before_count = 0, .after_count = 1, .headings = {"f()"}}, 6, 0), "@@ -5,0 +6,1 @@");
}

}  // namespace
}  // namespace snapgen::core
