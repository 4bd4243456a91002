// The rejects that a client receives under exact_lines, and the rules for whole files and binary patches.
#include <gtest/gtest.h>

#include "tests/engine/patch/numbers.h"
#include "tools/engine/patch/binary.h"

namespace snapgen::core {
namespace {

TEST(Apply, AMismatchShowsTheFirstDifferenceAndACandidateLine) {
  Tree tree{{"f", {FileMode::plain, numbers(1, 20)}}};
  PatchPlan plan = planned(f_header + hunk_at(7), tree, exactly);
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

TEST(Apply, TheStatedPositionAppliesEvenIfLinesRepeat) {
  Tree tree{{"f", {FileMode::plain, numbers(1, 20) + numbers(1, 20)}}};
  PatchPlan plan = planned(f_header + hunk_at(29), tree, exactly);
  ASSERT_TRUE(plan.rejects.empty());
  EXPECT_EQ(plan.changes.front().bytes, numbers(1, 20) + numbers(1, 9) + "TEN\n" + numbers(11, 20));
}

TEST(Apply, IgnoresTheNewSidesLineNumbers) {
  Tree tree{{"f", {FileMode::plain, numbers(1, 20)}}};
  PatchPlan plan = planned(f_header + "@@ -9,3 +99,3 @@\n 9\n-10\n+TEN\n 11\n", tree, exactly);
  EXPECT_TRUE(plan.rejects.empty());
}

TEST(Apply, AHunkBeyondTheEndOfTheFileIsRejected) {
  Tree tree{{"f", {FileMode::plain, numbers(1, 5)}}};
  PatchPlan plan = planned(f_header + hunk_at(9), tree, exactly);
  ASSERT_EQ(plan.rejects.size(), 1U);
  EXPECT_EQ(plan.rejects.front().expected, "9");
  EXPECT_EQ(plan.rejects.front().found, std::nullopt);
}

// Applies `hunks` to a file of the lines 1 to 20. Returns the file, or the message of the first reject.
std::string applied_to_numbers(const std::string& hunks, const PatchPlanOptions& options = exactly) {
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
  PatchPlan plan = planned(f_header + "@@ -9 +9 @@\n-10\n+TEN\n", tree, exactly);
  ASSERT_EQ(plan.rejects.size(), 1U);
  EXPECT_EQ(plan.rejects.front().expected, "10");
  EXPECT_EQ(plan.rejects.front().found, "9");
  EXPECT_EQ(plan.rejects.front().applicable_line, 10);
  EXPECT_EQ(applied_to_numbers("@@ -9 +9 @@\n-10\n+TEN\n", {}), numbers(1, 9) + "TEN\n" + numbers(11, 20));
}

TEST(Apply, AHunkThatWasAppliedBeforeIsReportedAsSuch) {
  const std::string as_made =
      "; the file is already as the hunk would make it, from line 9 on, so leave the hunk out";
  EXPECT_EQ(applied_to_numbers("@@ -9,2 +9,3 @@\n 9\n+10\n 11\n"),
            "line 10 of the file is not what the hunk shows" + as_made);
  EXPECT_EQ(applied_to_numbers("@@ -9 +9 @@\n-nine\n+9\n"),
            "line 9 of the file is not what the hunk shows" + as_made);
  EXPECT_EQ(applied_to_numbers("@@ -9 +9,0 @@\n-nine\n"), "line 9 of the file is not what the hunk shows");
  EXPECT_EQ(applied_to_numbers("@@ -9 +9 @@\n-nine\n+NINE\n"),
            "line 9 of the file is not what the hunk shows");
}

TEST(Apply, ARejectedFinalNewlineNamesTheMarkerToAddOrRemove) {
  Tree tree{{"f", {FileMode::plain, "x\ny"}}};
  PatchPlan plan = planned(f_header + "@@ -2 +2 @@\n-y\n+z\n", tree, exactly);
  ASSERT_EQ(plan.rejects.size(), 1U);
  EXPECT_EQ(plan.rejects.front().message,
            "the file ends without a newline, but the hunk's line has one: add the line "
            "`\\ No newline at end of file` after it");
  EXPECT_EQ(applied_to_numbers("@@ -20 +20 @@\n-20\n" + no_newline + "+XX\n"),
            "the hunk's line has no newline, but the file's line has one: remove the line "
            "`\\ No newline at end of file` after it");
}

TEST(Apply, AnInsertionFitsOnlyAfterItsLine) {
  EXPECT_EQ(applied_to_numbers("@@ -21,0 +22 @@\n+new\n", {}),
            "the file ends before line 21, after which the hunk inserts");
  Tree tree{{"f", {FileMode::plain, "x\ny"}}};
  PatchPlan plan = planned(f_header + "@@ -2,0 +3 @@\n+new\n", tree, {});
  ASSERT_EQ(plan.rejects.size(), 1U);
  EXPECT_EQ(plan.rejects.front().reason, RejectReason::eof_newline);
  EXPECT_EQ(plan.rejects.front().message, "line 2 of the file has no newline, so no line can follow it");
}

TEST(Apply, ALineWithoutNewlineFitsOnlyAtTheEndOfTheFile) {
  EXPECT_EQ(applied_to_numbers("@@ -20 +20 @@\n-20\n+XX\n" + no_newline), numbers(1, 19) + "XX");
  Tree tree{{"f", {FileMode::plain, numbers(1, 20)}}};
  for (const std::string& hunk :
       {"@@ -10 +10 @@\n-10\n+TEN\n" + no_newline, "@@ -10,0 +11 @@\n+new\n" + no_newline}) {
    PatchPlan plan = planned(f_header + hunk, tree, exactly);
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
              tree, exactly);
  ASSERT_EQ(plan.rejects.size(), 3U);
  EXPECT_EQ(plan.rejects[0].path, "e");
  EXPECT_EQ(plan.rejects[1].hunk_index, 0);
  EXPECT_EQ(plan.rejects[2].hunk_index, 2);
  EXPECT_TRUE(plan.changes.empty());
}

TEST(Apply, TruncatesLongLines) {
  Tree tree{{"f", {FileMode::plain, std::string(100'000, 'x') + "\n"}}};
  PatchPlan plan = planned(f_header + "@@ -1 +1 @@\n-a\n+b\n", tree, exactly);
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
