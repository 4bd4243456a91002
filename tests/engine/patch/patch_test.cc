// The parser's error for each kind of malformed patch, and the rejects that a client receives.
#include <gtest/gtest.h>

#include "tests/engine/patch/tree.h"
#include "tools/engine/patch/apply.h"
#include "tools/engine/patch/binary.h"
#include "tools/engine/patch/names.h"
#include "tools/engine/patch/parse.h"
#include "tools/engine/patch/plan.h"

namespace snapgen::core {
namespace {

PatchPlan planned(const std::string& patch, const Tree& tree, const PatchPlanOptions& options = {}) {
  TreeView view(tree);
  Result<PatchPlan> plan = core::plan_patch(parse_patch(patch), view, options);
  EXPECT_TRUE(plan);
  return plan ? std::move(*plan) : PatchPlan();
}

std::string numbers(int from, int to) {
  std::string text;
  for (int i = from; i <= to; ++i) text += std::to_string(i) + "\n";
  return text;
}

// Returns a patch that changes line 10 of a file of numbers. Its hunk states the line number `line`.
std::string hunk_at(int line) {
  std::string at = std::to_string(line);
  return "@@ -" + at + ",3 +" + at + ",3 @@\n 9\n-10\n+TEN\n 11\n";
}

const std::string f_header = "--- a/f\n+++ b/f\n";

struct Fault {
  const char* name;
  std::string patch;
  std::int64_t line;
  const char* message;
};

class Faults : public testing::TestWithParam<Fault> {};

TEST_P(Faults, AreReportedWithTheirLine) {
  Patch patch = parse_patch(GetParam().patch);
  EXPECT_TRUE(patch.files.empty());
  ASSERT_EQ(patch.rejects.size(), 1U);
  EXPECT_EQ(patch.rejects.front().message, GetParam().message);
  EXPECT_EQ(patch.rejects.front().patch_line, GetParam().line);
}

INSTANTIATE_TEST_SUITE_P(
    Of, Faults,
    testing::Values(
        Fault{"AnEmptyPatch", "", 1, "the patch is empty"},
        Fault{"BlankLines", "\n\n", 1, "the patch is empty"},
        Fault{"ABareHeader", "diff --git a/f b/f\n", 1, "the patch changes nothing"},
        Fault{"AMerge", "diff --cc f\nindex 1,2..3\n", 1,
              "this is the diff of a merge, which cannot be applied"},
        Fault{"AHunkAlone", hunk_at(9), 1,
              "a hunk needs `--- a/PATH` and `+++ b/PATH` of its file in the lines before it"},
        Fault{"AnotherForm", "*** Begin Patch\n*** Update File: f\n", 1,
              "a patch is a unified diff here: `--- a/PATH`, `+++ b/PATH`, then hunks that begin with `@@ "
              "-1,3 +1,4 @@`"},
        Fault{"AFence", "```diff\n--- a/f\n+++ b/f\n", 1,
              "a Markdown fence is not part of a patch; leave it out"},
        Fault{"Prose", "Here is the patch:\n", 1,
              "this line is not part of a patch, which begins with `diff --git` or `--- a/PATH`"},
        Fault{"OneSideAlone", "--- a/f\n" + hunk_at(9), 2, "expected a line that begins with +++"},
        Fault{"NoHunk", f_header, 3, "the --- and +++ lines are followed by no hunk"},
        Fault{"CarriageReturns", "--- a/f\r\n+++ b/f\r\n", 1,
              "a header line of the patch ends in CR LF; the patch's own lines must end in LF"},
        Fault{"AHunkHeader", f_header + "@@ -9 +9\n", 3,
              "this is not a hunk's header, which reads @@ -line,count +line,count @@"},
        Fault{"AHunkHeaderBeyondAllNumbers", f_header + "@@ -99999999999999999999 +9 @@\n", 3,
              "this is not a hunk's header, which reads @@ -line,count +line,count @@"},
        Fault{
            "AnEarlyEnd", f_header + "@@ -9,3 +9,3 @@\n 9\n", 5,
            "the patch ends inside a hunk, which lacks 2 lines of the old side and 2 lines of the new side"},
        Fault{"ACountTooHigh", f_header + "@@ -9,4 +9,4 @@\n 9\n-10\n+TEN\n 11\ndiff --git a/g b/g\n", 8,
              "the hunk ends here but still lacks 1 line of the old side and 1 line of the new side"},
        Fault{"ACountTooLow", f_header + "@@ -9,2 +9,2 @@\n 9\n-10\n+TEN\n 11\n", 7,
              "the hunk has more lines than its @@ line says"},
        Fault{"ACountThatHidesTheChange", f_header + "@@ -9,1 +9,1 @@\n 9\n-10\n+TEN\n 11\n", 5,
              "the hunk has more lines than its @@ line says"},
        Fault{"AnotherSystemsPath", "--- a\\d\\f\n+++ b\\d\\f\n" + hunk_at(9), 1,
              "the --- and +++ lines do not name the same file; / ends a folder's name, not \\"},
        Fault{"ALopsidedCount", f_header + "@@ -9,3 +9,2 @@\n 9\n+TEN\n+11\n", 6,
              "the hunk has more lines here than its @@ line says; it still lacks 2 lines of the old side"},
        Fault{"ALineBehindTheMarker",
              f_header + "@@ -1,2 +1,2 @@\n a\n\\ No newline at end of file\n-b\n+c\n", 6,
              "a line follows the one that is marked as the file's last without a newline"},
        Fault{"AHunkBehindTheMarker",
              f_header + "@@ -1,2 +1 @@\n a\n-b\n\\ No newline at end of file\n@@ -3,2 +2,2 @@\n-c\n+d\n e\n",
              7, "a hunk follows the one that is marked as the file's last"},
        Fault{"AMarkerAlone", f_header + "@@ -1,2 +1,2 @@\n\\ No newline at end of file\n a\n-b\n+c\n", 4,
              "a no-newline marker precedes the first line of its hunk"},
        Fault{"HunksOutOfOrder", f_header + hunk_at(9) + hunk_at(2), 8,
              "the hunks of a file must be in order of their lines"},
        Fault{"HunksThatOverlap", f_header + hunk_at(9) + hunk_at(11), 8,
              "the hunk overlaps the one before it"},
        Fault{"TwoInsertionsAtOnePosition", f_header + "@@ -5,0 +6 @@\n+a\n@@ -5,0 +7 @@\n+b\n", 5,
              "the hunk overlaps the one before it"},
        Fault{"AnInsertionBetweenTheLinesOfAHunk", f_header + hunk_at(9) + "@@ -10,0 +11 @@\n+a\n", 8,
              "the hunk overlaps the one before it"},
        Fault{"ACreationThatBeginsLater", "--- /dev/null\n+++ b/f\n@@ -5,0 +6 @@\n+a\n", 3,
              "the hunk does not begin at line 1 of a file that is created"},
        Fault{"OldLinesOfANewFile", "--- /dev/null\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n", 3,
              "the hunk shows old lines of a file that is created"},
        Fault{"LinesLeftInADeletedFile", "--- a/f\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n", 3,
              "the hunk leaves lines in a file that is deleted"},
        Fault{"AbsenceOnBothSides", "--- /dev/null\n+++ /dev/null\n@@ -0,0 +1 @@\n+a\n", 1,
              "the --- and +++ lines do not name the same file"},
        Fault{
            "ASubmodule",
            "diff --git a/s b/s\nindex 1234567..2345678 160000\n--- a/s\n+++ b/s\n@@ -1 +1 @@\n-S 1\n+S 2\n",
            1, "a submodule cannot be changed by a patch"},
        Fault{"ARenameWithoutItsEnd", "diff --git a/f b/g\nrename from f\n", 1,
              "rename from and rename to must be used together"},
        Fault{"AHeaderLineTwice", "diff --git a/f b/f\nold mode 100644\nold mode 100644\nnew mode 100755\n",
              3, "this header line is incomplete or repeated"},
        Fault{"AnUnknownMode", "diff --git a/f b/f\nold mode 100644\nnew mode 100600\n", 3,
              "this header line is incomplete or repeated"},
        Fault{"BrokenQuoting", "--- \"a/f\n+++ b/f\n", 1, "this line names no file"},
        Fault{"BinaryDataThatEnds",
              "diff --git a/f b/f\nindex 1..2 100644\nGIT binary patch\nliteral 3\nKcmZ000\n", 5,
              "this is not a line of base85 data"},
        Fault{"BinaryDataWithoutEnd",
              "diff --git a/f b/f\nindex 1..2 100644\nGIT binary patch\nliteral 3\nDcmZ00\n", 6,
              "the patch ends inside binary data, which a blank line ends"}),
    [](const auto& fault) { return std::string(fault.param.name); });

TEST(Parse, ReportsTheErrorsOfAllParts) {
  Patch patch = parse_patch(
      "diff --git a/one b/one\n--- a/one\n+++ b/one\n@@ -1,9 +1,9 @@\n a\n-b\n+c\n"
      "diff --git a/two b/two\nold mode 100644\nnew mode 100755\n"
      "diff --git a/../three b/../three\nold mode 100644\nnew mode 100755\n");
  ASSERT_EQ(patch.rejects.size(), 2U);
  EXPECT_EQ(patch.rejects[0].path, "../three");
  EXPECT_EQ(patch.rejects[0].reason, RejectReason::forbidden_path);
  EXPECT_EQ(patch.rejects[1].path, "one");
  EXPECT_EQ(patch.rejects[1].hunk_index, 0);
  ASSERT_EQ(patch.files.size(), 1U);
  EXPECT_EQ(patch.files.front().new_path, "two");
}

TEST(Names, ReadsNamesQuotedByGit) {
  std::string_view text = R"("a\a\b\t\n\v\f\r\"\\\303\251" rest)";
  EXPECT_EQ(take_quoted(text), "a\a\b\t\n\v\f\r\"\\\xc3\xa9");
  EXPECT_EQ(text, " rest");
  for (std::string_view broken : {R"("open)", R"("\x")", R"("\8")", R"("\400")", R"("\12")", R"("\)"}) {
    EXPECT_EQ(take_quoted(broken), std::nullopt) << broken;
  }
}

TEST(Names, AnAmbiguousHeaderIsResolvedByTheOtherHeaderLines) {
  EXPECT_EQ(section_names("a/x b/x", {})->first, "x");
  EXPECT_EQ(section_names("a/x y b/x y", {})->first, "x y");
  EXPECT_EQ(section_names("x y x y", {})->first, "x y");
  EXPECT_EQ(section_names("a/x b/y", {}), std::nullopt);
  HeaderNames renamed{.from = "x b/x", .to = "y"};
  EXPECT_EQ(section_names("a/x b/x b/y", renamed)->second, "y");
}

TEST(Names, RejectsForbiddenPaths) {
  for (std::string_view path : std::initializer_list<std::string_view>{
           "", "/etc/passwd", "..", "a/../b", "a/..", "./a", "a//b", "a/", ".git", "a/.GIT/x",
           ".snapback/store/x", std::string_view("a\0b", 3)}) {
    EXPECT_FALSE(refusal_of_path(path).empty()) << path;
  }
  for (std::string_view path :
       {"a", "a/b", "a..b", "..a", "~a", ".gitignore", "back\\slash", "c:x", ".snapback/config.json"}) {
    EXPECT_EQ(refusal_of_path(path), "") << path;
  }
}

TEST(Apply, AMismatchShowsTheFirstDifferenceAndACandidateLine) {
  Tree tree{{"f", {FileMode::plain, numbers(1, 20)}}};
  PatchPlan plan = planned(f_header + hunk_at(7), tree);
  ASSERT_EQ(plan.rejects.size(), 1U);
  const Reject& reject = plan.rejects.front();
  EXPECT_EQ(reject.path, "f");
  EXPECT_EQ(reject.hunk_index, 0);
  EXPECT_EQ(reject.reason, RejectReason::context_mismatch);
  EXPECT_EQ(reject.line, 7);
  EXPECT_EQ(reject.expected, "9");
  EXPECT_EQ(reject.found, "7");
  EXPECT_EQ(reject.applicable_line, 9);
}

TEST(Apply, AnOffsetAppliesToAUniqueMatch) {
  Tree tree{{"f", {FileMode::plain, numbers(1, 20)}}};
  PatchPlan plan = planned(f_header + hunk_at(7), tree, {.allow_offset = true});
  ASSERT_TRUE(plan.rejects.empty());
  EXPECT_EQ(plan.files.front().offsets, (std::vector<HunkOffset>{{.hunk_index = 0, .line_offset = 2}}));
  EXPECT_EQ(plan.changes.front().bytes, numbers(1, 9) + "TEN\n" + numbers(11, 20));
}

TEST(Apply, AnOffsetNeedsAUniqueMatch) {
  Tree tree{{"f", {FileMode::plain, numbers(1, 20) + numbers(1, 20)}}};
  PatchPlan plan = planned(f_header + hunk_at(7), tree, {.allow_offset = true});
  ASSERT_EQ(plan.rejects.size(), 1U);
  EXPECT_EQ(plan.rejects.front().applicable_line, std::nullopt);
}

TEST(Apply, TheStatedPositionAppliesEvenIfLinesRepeat) {
  Tree tree{{"f", {FileMode::plain, numbers(1, 20) + numbers(1, 20)}}};
  PatchPlan plan = planned(f_header + hunk_at(29), tree);
  ASSERT_TRUE(plan.rejects.empty());
  EXPECT_EQ(plan.changes.front().bytes, numbers(1, 20) + numbers(1, 9) + "TEN\n" + numbers(11, 20));
}

TEST(Apply, MatchesWholeLinesOnly) {
  Tree tree{{"f", {FileMode::plain, "x9\n10\n11\n"}}};
  PatchPlan plan = planned(f_header + hunk_at(2), tree, {.allow_offset = true});
  ASSERT_EQ(plan.rejects.size(), 1U);
  EXPECT_EQ(plan.rejects.front().applicable_line, std::nullopt);
}

TEST(Apply, TwoHunksCannotMatchTheSameLines) {
  Tree tree{{"f", {FileMode::plain, numbers(1, 20)}}};
  PatchPlan plan = planned(f_header + hunk_at(2) + hunk_at(14), tree, {.allow_offset = true});
  ASSERT_EQ(plan.rejects.size(), 1U);
  EXPECT_EQ(plan.rejects.front().hunk_index, 1);
  EXPECT_EQ(plan.rejects.front().message, "the hunk overlaps the lines of an earlier hunk");
}

TEST(Apply, IgnoresTheNewSidesLineNumbers) {
  Tree tree{{"f", {FileMode::plain, numbers(1, 20)}}};
  PatchPlan plan = planned(f_header + "@@ -9,3 +99,3 @@\n 9\n-10\n+TEN\n 11\n", tree);
  EXPECT_TRUE(plan.rejects.empty());
}

TEST(Apply, AHunkBeyondTheEndOfTheFileIsRejected) {
  Tree tree{{"f", {FileMode::plain, numbers(1, 5)}}};
  PatchPlan plan = planned(f_header + hunk_at(9), tree);
  ASSERT_EQ(plan.rejects.size(), 1U);
  EXPECT_EQ(plan.rejects.front().expected, "9");
  EXPECT_EQ(plan.rejects.front().found, std::nullopt);
}

// Applies `hunks` to a file of the lines 1 to 20.
std::string applied_to_numbers(const std::string& hunks, const PatchPlanOptions& options = {}) {
  PatchPlan plan = planned(f_header + hunks, {{"f", {FileMode::plain, numbers(1, 20)}}}, options);
  if (!plan.rejects.empty()) return plan.rejects.front().message;
  return plan.changes.front().bytes;
}

TEST(Apply, AHunkNeedsNoContext) {
  const std::string ten = numbers(1, 9) + "TEN\n" + numbers(11, 20);
  EXPECT_EQ(applied_to_numbers("@@ -9,2 +9,2 @@\n 9\n-10\n+TEN\n"), ten) << "no context after the change";
  EXPECT_EQ(applied_to_numbers("@@ -10,2 +10,2 @@\n-10\n+TEN\n 11\n"), ten) << "no context before the change";
  EXPECT_EQ(applied_to_numbers("@@ -10 +10 @@\n-10\n+TEN\n"), ten);
  EXPECT_EQ(applied_to_numbers("@@ -10 +9,0 @@\n-10\n"), numbers(1, 9) + numbers(11, 20));
  EXPECT_EQ(applied_to_numbers("@@ -5,0 +6 @@\n+new\n"), numbers(1, 5) + "new\n" + numbers(6, 20));
  EXPECT_EQ(applied_to_numbers("@@ -0,0 +1 @@\n+new\n"), "new\n" + numbers(1, 20));
  EXPECT_EQ(applied_to_numbers("@@ -20,0 +21 @@\n+new\n"), numbers(1, 20) + "new\n");
  EXPECT_EQ(applied_to_numbers("@@ -1 +1 @@\n-1\n+I\n@@ -1,0 +2 @@\n+new\n@@ -2 +3 @@\n-2\n+II\n"),
            "I\nnew\nII\n" + numbers(3, 20));
}

TEST(Apply, AHunkWithoutContextFitsByteForByte) {
  Tree tree{{"f", {FileMode::plain, numbers(1, 20)}}};
  PatchPlan plan = planned(f_header + "@@ -9 +9 @@\n-10\n+TEN\n", tree);
  ASSERT_EQ(plan.rejects.size(), 1U);
  EXPECT_EQ(plan.rejects.front().expected, "10");
  EXPECT_EQ(plan.rejects.front().found, "9");
  EXPECT_EQ(plan.rejects.front().applicable_line, 10);
  EXPECT_EQ(applied_to_numbers("@@ -9 +9 @@\n-10\n+TEN\n", {.allow_offset = true}),
            numbers(1, 9) + "TEN\n" + numbers(11, 20));
}

TEST(Apply, AHunkThatWasAppliedBeforeIsReportedAsSuch) {
  const std::string as_made = "; the file is already as the hunk would make it there, so leave the hunk out";
  EXPECT_EQ(applied_to_numbers("@@ -9,2 +9,3 @@\n 9\n+10\n 11\n"),
            "line 10 of the file is not what the hunk shows" + as_made);
  EXPECT_EQ(applied_to_numbers("@@ -9 +9 @@\n-nine\n+9\n"),
            "line 9 of the file is not what the hunk shows" + as_made);
  EXPECT_EQ(applied_to_numbers("@@ -9 +9,0 @@\n-nine\n"), "line 9 of the file is not what the hunk shows");
  EXPECT_EQ(applied_to_numbers("@@ -9 +9 @@\n-nine\n+NINE\n"),
            "line 9 of the file is not what the hunk shows");
}

TEST(Apply, ARejectedFinalNewlineNamesTheMarkerToAddOrRemove) {
  const std::string marker = "\\ No newline at end of file\n";
  Tree tree{{"f", {FileMode::plain, "x\ny"}}};
  PatchPlan plan = planned(f_header + "@@ -2 +2 @@\n-y\n+z\n", tree);
  ASSERT_EQ(plan.rejects.size(), 1U);
  EXPECT_EQ(plan.rejects.front().message,
            "the file ends without a newline, but the hunk's line has one: add the line "
            "`\\ No newline at end of file` after it");
  EXPECT_EQ(applied_to_numbers("@@ -20 +20 @@\n-20\n" + marker + "+XX\n"),
            "the hunk's line has no newline, but the file's line has one: remove the line "
            "`\\ No newline at end of file` after it");
}

TEST(Apply, AnInsertionFitsOnlyAfterItsLine) {
  EXPECT_EQ(applied_to_numbers("@@ -21,0 +22 @@\n+new\n", {.allow_offset = true}),
            "the file ends before line 21, after which the hunk inserts");
  Tree tree{{"f", {FileMode::plain, "x\ny"}}};
  PatchPlan plan = planned(f_header + "@@ -2,0 +3 @@\n+new\n", tree, {.allow_offset = true});
  ASSERT_EQ(plan.rejects.size(), 1U);
  EXPECT_EQ(plan.rejects.front().reason, RejectReason::eof_newline);
  EXPECT_EQ(plan.rejects.front().message, "line 2 of the file has no newline, so no line can follow it");
}

TEST(Apply, ALineWithoutNewlineFitsOnlyAtTheEndOfTheFile) {
  const std::string marker = "\\ No newline at end of file\n";
  EXPECT_EQ(applied_to_numbers("@@ -20 +20 @@\n-20\n+XX\n" + marker), numbers(1, 19) + "XX");
  Tree tree{{"f", {FileMode::plain, numbers(1, 20)}}};
  for (const std::string& hunk :
       {"@@ -10 +10 @@\n-10\n+TEN\n" + marker, "@@ -10,0 +11 @@\n+new\n" + marker}) {
    PatchPlan plan = planned(f_header + hunk, tree);
    ASSERT_EQ(plan.rejects.size(), 1U) << hunk;
    EXPECT_EQ(plan.rejects.front().reason, RejectReason::eof_newline);
    EXPECT_EQ(plan.rejects.front().found, "11");
    EXPECT_EQ(plan.rejects.front().line, 11);
  }
}

TEST(PatchPlan, ADeletionShowsTheWholeFile) {
  Tree tree{{"f", {FileMode::plain, numbers(1, 20)}}};
  PatchPlan plan = planned("--- a/f\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-1\n-2\n", tree);
  ASSERT_EQ(plan.rejects.size(), 1U);
  EXPECT_EQ(plan.rejects.front().message, "the patch deletes the file, but does not show all of its lines");
  EXPECT_EQ(plan.rejects.front().line, 3);
  EXPECT_EQ(plan.rejects.front().found, "3");
}

TEST(PatchPlan, OnlyAnInsertionAtTheTopMayCreateItsFile) {
  EXPECT_TRUE(planned(f_header + "@@ -0,0 +1 @@\n+new\n", {}).rejects.empty());
  PatchPlan plan = planned(f_header + "@@ -3,0 +4 @@\n+new\n", {});
  ASSERT_EQ(plan.rejects.size(), 1U);
  EXPECT_EQ(plan.rejects.front().reason, RejectReason::missing);
}

TEST(Apply, ListsEveryRejectedHunk) {
  Tree tree{{"f", {FileMode::plain, numbers(1, 20)}}, {"e", {FileMode::plain, "other\n"}}};
  PatchPlan plan =
      planned(f_header + "@@ -2,2 +2,2 @@\n 2\n-x\n+y\n" + hunk_at(9) + "@@ -15,2 +15,2 @@\n 15\n-x\n+y\n" +
                  "--- a/e\n+++ b/e\n@@ -1 +1 @@\n-some\n+thing\n",
              tree);
  ASSERT_EQ(plan.rejects.size(), 3U);
  EXPECT_EQ(plan.rejects[0].path, "e");
  EXPECT_EQ(plan.rejects[1].hunk_index, 0);
  EXPECT_EQ(plan.rejects[2].hunk_index, 2);
  EXPECT_TRUE(plan.changes.empty());
}

TEST(Apply, TruncatesLongLines) {
  Tree tree{{"f", {FileMode::plain, std::string(100'000, 'x') + "\n"}}};
  PatchPlan plan = planned(f_header + "@@ -1 +1 @@\n-a\n+b\n", tree);
  ASSERT_EQ(plan.rejects.size(), 1U);
  EXPECT_EQ(plan.rejects.front().found, std::string(reject_line_bytes_max, 'x'));
}

TEST(PatchPlan, AFileBeyondTheLimitIsRejected) {
  Tree tree{{"f", {FileMode::plain, numbers(1, 20)}}};
  PatchPlan plan = planned(f_header + hunk_at(9), tree, {.file_bytes_max = 30});
  ASSERT_EQ(plan.rejects.size(), 1U);
  EXPECT_EQ(plan.rejects.front().reason, RejectReason::too_large);
}

TEST(PatchPlan, AnIdenticalReplacementChangesNothing) {
  Tree tree{{"f", {FileMode::plain, numbers(1, 20)}}};
  PatchPlan plan = planned(f_header + "@@ -9,3 +9,3 @@\n 9\n-10\n+10\n 11\n", tree);
  EXPECT_TRUE(plan.rejects.empty());
  EXPECT_TRUE(plan.changes.empty());
  EXPECT_TRUE(plan.files.empty());
}

TEST(PatchPlan, ARenameMovesContentWithoutReadingIt) {
  Tree tree{{"f", {FileMode::executable, numbers(1, 20)}}};
  PatchPlan plan = planned("diff --git a/f b/g\nsimilarity index 100%\nrename from f\nrename to g\n", tree,
                           {.file_bytes_max = 1});
  ASSERT_EQ(plan.changes.size(), 2U);
  EXPECT_EQ(plan.changes[0].kind, TreeChange::Kind::remove);
  EXPECT_EQ(plan.changes[1].kind, TreeChange::Kind::copy);
  EXPECT_EQ(plan.changes[1].from, "f");
  EXPECT_EQ(plan.changes[1].mode, FileMode::executable);
}

TEST(PatchPlan, RejectsAFileAndAFileBelowIt) {
  PatchPlan plan =
      planned("--- /dev/null\n+++ b/d\n@@ -0,0 +1 @@\n+a\n--- /dev/null\n+++ b/d/x\n@@ -0,0 +1 @@\n+a\n", {});
  ASSERT_EQ(plan.rejects.size(), 1U);
  EXPECT_EQ(plan.rejects.front().path, "d/x");
  EXPECT_EQ(plan.rejects.front().reason, RejectReason::exists);
}

TEST(PatchPlan, ASymlinkWithoutTargetIsRejected) {
  PatchPlan plan = planned("diff --git a/l b/l\nnew file mode 120000\n", {});
  ASSERT_EQ(plan.rejects.size(), 1U);
  EXPECT_EQ(plan.rejects.front().reason, RejectReason::malformed);
}

TEST(Delta, AppliesGitDeltas) {
  const std::string base = "0123456789";
  // 10 bytes become 8: copy 3 from 4, insert "ab", copy 3 from 0.
  const std::string delta = {10, 8, static_cast<char>(0x91), 4, 3, 2, 'a', 'b', static_cast<char>(0x90), 3};
  EXPECT_EQ(*apply_delta(delta, base, 100), "456ab012");
}

TEST(Delta, RejectsADeltaBeyondItsBase) {
  const std::string base = "0123456789";
  for (const std::string& delta :
       {std::string({10, 3, static_cast<char>(0x91), 8, 3}), std::string({10, 1, 0}),
        std::string({10, 3, 3, 'a'}), std::string({10, 9, 1, 'a'}), std::string({10, 1, 2, 'a', 'b'}),
        std::string({static_cast<char>(0x80)}), std::string()}) {
    EXPECT_FALSE(apply_delta(delta, base, 100));
  }
  EXPECT_EQ(
      apply_delta(std::string({9, 1, 1, 'a'}), base, 100).error().message,
      "the binary data changes a file of 9 bytes, but this one has 10; make the patch again from the current "
      "file");
}

}  // namespace
}  // namespace snapgen::core
