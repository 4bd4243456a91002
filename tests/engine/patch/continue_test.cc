// A rejected patch that is completed with corrected parts, and how long it can be.
#include "tools/engine/patch/continue.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/engine/chance.h"
#include "tests/engine/patch/numbers.h"
#include "tests/engine/patch/tree.h"
#include "tools/engine/patch/rejected_patches.h"

namespace snapgen::core {
namespace {

// A patch of a tree, and its continuations.
class Continued {
 public:
  Continued(const Tree& tree, const std::string& text) : tree_(tree), patch_(parse_owned_patch(text, {})) {
    plan();
  }

  void send(const std::string& text) {
    OwnedPatch correction = parse_correction(text, {}, {.patch = patch_, .rejects = plan_.rejects});
    patch_ = continue_patch(patch_, plan_.rejects, std::move(correction));
    plan();
  }

  void leave_out_rejected() {
    patch_ = without_rejected(patch_, plan_.rejects);
    plan();
  }

  std::vector<Reject>& rejects() { return plan_.rejects; }

  // Returns the path and the index of each reject, such as "f 1; g".
  std::string rejected() const {
    std::string text;
    for (const Reject& reject : plan_.rejects) {
      text += (text.empty() ? "" : "; ") + reject.path;
      if (reject.hunk_index) text += " " + std::to_string(*reject.hunk_index);
    }
    return text;
  }

  Tree result() const {
    EXPECT_EQ(rejected(), "");
    return changed(tree_, plan_.changes);
  }

 private:
  void plan() {
    TreeView view(tree_);
    Result<PatchPlan> plan = plan_patch(patch_.patch, view);
    ASSERT_TRUE(plan);
    plan_ = *std::move(plan);
  }

  Tree tree_;
  OwnedPatch patch_;
  PatchPlan plan_;
};

std::string part_for(const std::string& path, const std::string& hunks) {
  return "--- a/" + path + "\n+++ b/" + path + "\n" + hunks;
}

const Tree two_files = {{"f", {FileMode::plain, numbers(1, 20)}}, {"g", {FileMode::plain, numbers(31, 40)}}};
const std::string second_hunk = "@@ -2 +2 @@\n-2\n+II\n";
const std::string tenth_hunk = "@@ -10 +10 @@\n-10\n+TEN\n";
const std::string wrong_tenth_hunk = "@@ -9,2 +9,2 @@\n nine\n-10\n+TEN\n";
const std::string wrong_fifth_hunk = "@@ -5 +5 @@\n-five\n+V\n";
const std::string hunk_of_g = "@@ -5 +5 @@\n-35\n+G\n";
const std::string wrong_hunk_of_g = "@@ -5 +5 @@\n-thirty-five\n+G\n";
const std::string g_after = numbers(31, 34) + "G\n" + numbers(36, 40);
const std::string f_after = "1\nII\n" + numbers(3, 9) + "TEN\n" + numbers(11, 20);

TEST(Continue, ACorrectedHunkReplacesTheRejectedOne) {
  Continued patch(two_files, part_for("f", second_hunk + wrong_tenth_hunk) + part_for("g", hunk_of_g));
  EXPECT_EQ(patch.rejected(), "f 1");
  patch.send(part_for("f", tenth_hunk));
  EXPECT_EQ(patch.result(), (Tree{{"f", {FileMode::plain, f_after}}, {"g", {FileMode::plain, g_after}}}));
}

TEST(Continue, AHunkWithoutReplacementIsRejectedAgain) {
  Continued patch(two_files, part_for("f", second_hunk + wrong_tenth_hunk) + part_for("g", wrong_hunk_of_g));
  EXPECT_EQ(patch.rejected(), "f 1; g 0");
  patch.send(part_for("g", hunk_of_g));
  EXPECT_EQ(patch.rejected(), "f 1");
  patch.send("*** Begin Patch\n*** Update File: f\n@@\n-10\n+TEN\n*** End Patch\n");
  EXPECT_EQ(patch.result(), (Tree{{"f", {FileMode::plain, f_after}}, {"g", {FileMode::plain, g_after}}}));
}

TEST(Continue, EachSentHunkReplacesTheRejectedOnesThatItCorrects) {
  const std::string other_hunk = "@@ -18 +18 @@\n-18\n+other\n";
  for (const std::string& correction : {tenth_hunk, second_hunk + tenth_hunk, other_hunk}) {
    Continued patch(two_files, part_for("f", wrong_fifth_hunk + second_hunk + wrong_tenth_hunk));
    EXPECT_EQ(patch.rejected(), "f 0; f 2");
    patch.send(part_for("f", correction));
    EXPECT_EQ(patch.rejected(), correction == other_hunk ? "f 0; f 2" : "f 0") << correction;
    patch.leave_out_rejected();
    const std::string left =
        correction == other_hunk ? "1\nII\n" + numbers(3, 17) + "other\n" + numbers(19, 20) : f_after;
    EXPECT_EQ(patch.result().at("f").bytes, left) << correction;
  }
  Continued patch(two_files, part_for("f", wrong_fifth_hunk + second_hunk + wrong_tenth_hunk));
  patch.send(part_for("f", "@@ -5 +5 @@\n-5\n+V\n"));
  EXPECT_EQ(patch.rejected(), "f 1");
  patch.send(part_for("f", other_hunk));
  EXPECT_EQ(patch.rejected(), "") << "the only rejected one is replaced by any";
  Continued one_for_all(two_files, part_for("f", wrong_fifth_hunk + wrong_tenth_hunk));
  one_for_all.send(part_for("f", "@@ -4,8 +4,8 @@\n 4\n-5\n+V\n 6\n 7\n 8\n 9\n-10\n+TEN\n 11\n"));
  EXPECT_EQ(one_for_all.result().at("f").bytes,
            numbers(1, 4) + "V\n" + numbers(6, 9) + "TEN\n" + numbers(11, 20));
}

TEST(Continue, AHunkThatIsSentAgainIsNotAppliedTwice) {
  Continued patch(two_files, part_for("f", second_hunk + wrong_tenth_hunk));
  patch.send(part_for("f", second_hunk + tenth_hunk));
  EXPECT_EQ(patch.result().at("f").bytes, f_after);
}

TEST(Continue, AChangeThatIsSentAgainWithOtherContextIsNotMadeTwice) {
  const std::string insertion_in_g = "@@\n 33\n 34\n 35\n+after\n";
  Continued patch(two_files, part_for("f", second_hunk + wrong_tenth_hunk) + part_for("g", insertion_in_g));
  EXPECT_EQ(patch.rejected(), "f 1");
  patch.send(part_for("f", tenth_hunk) + part_for("g", "@@ -36,1 +36,2 @@\n+after\n 36\n 37\n 38\n"));
  EXPECT_EQ(patch.result().at("f").bytes, f_after);
  EXPECT_EQ(patch.result().at("g").bytes, numbers(31, 35) + "after\n" + numbers(36, 40));
}

TEST(Continue, TheLineOfACorrectionIsTrusted) {
  const std::string file = "first line\nsame\nline two\nsame\n";
  Continued patch({{"f", {FileMode::plain, file}}},
                  part_for("f", "@@ -9 +9 @@\n-first line\n+line one\n@@ -4 +4 @@\n-same\n+other\n"));
  EXPECT_EQ(patch.rejected(), "f 1") << "the numbers of this text are wrong";
  patch.send("@@ -2 +2 @@\n-same\n+other\n");
  EXPECT_EQ(patch.result().at("f").bytes, "line one\nother\nline two\nsame\n");
}

TEST(Continue, AFurtherHunkOfAFileThatFitsIsAdded) {
  Continued patch(two_files, part_for("f", second_hunk) + part_for("g", wrong_hunk_of_g));
  patch.send(part_for("g", hunk_of_g) + part_for("f", tenth_hunk));
  EXPECT_EQ(patch.result().at("f").bytes, f_after);
}

TEST(Continue, HunksOfTheOnlyRejectedFileNeedNoHeader) {
  for (const char* fence : {"", "```diff\n"}) {
    Continued patch(two_files, part_for("f", second_hunk + wrong_tenth_hunk) + part_for("g", hunk_of_g));
    patch.send(fence + tenth_hunk);
    EXPECT_EQ(patch.result().at("f").bytes, f_after);
  }
  Continued v4a(two_files,
                "*** Begin Patch\n*** Update File: f\n@@\n-2\n+II\n@@\n-ten\n+TEN\n*** End Patch\n");
  EXPECT_EQ(v4a.rejected(), "f 1");
  v4a.send("@@ 9\n-10\n+TEN\n");
  EXPECT_EQ(v4a.result().at("f").bytes, f_after);
  Continued several(two_files, part_for("f", wrong_tenth_hunk) + part_for("g", wrong_hunk_of_g));
  several.send(tenth_hunk);
  EXPECT_EQ(several.rejects().size(), 3U) << "the hunk may be for either file";
  Continued invalid(two_files, part_for("f", second_hunk + wrong_tenth_hunk));
  invalid.send("@@ -10 +10 @@\n 10\n");
  EXPECT_EQ(invalid.rejects().front().patch_line, 1) << "a line of the text that was sent";
}

TEST(Continue, ASentHunkMayBeRejectedToo) {
  Continued patch(two_files, part_for("f", second_hunk + wrong_tenth_hunk));
  patch.send(part_for("f", wrong_fifth_hunk + "@@ -10 +10 @@\n 10\n"));
  EXPECT_EQ(patch.rejected(), "f 1; f 2") << "of three hunks, the first one fits";
  patch.send(part_for("f", tenth_hunk));
  EXPECT_EQ(patch.rejected(), "f 1") << "the sent hunk replaces the one that could not be read";
  patch.leave_out_rejected();
  EXPECT_EQ(patch.result().at("f").bytes, f_after);
}

TEST(Continue, AnInvalidHunkIsReplaced) {
  const std::string invalid_hunk = "@@ -10 +10 @@\n 10\n";
  Continued patch(two_files, part_for("f", invalid_hunk + second_hunk));
  EXPECT_EQ(patch.rejected(), "f 0");
  patch.send(part_for("f", tenth_hunk));
  EXPECT_EQ(patch.result().at("f").bytes, f_after);
  Continued two(two_files, part_for("f", invalid_hunk + second_hunk + wrong_fifth_hunk));
  EXPECT_EQ(two.rejected(), "f 0; f 2");
  two.send(part_for("f", "@@ -5 +5 @@\n-5\n+V\n"));
  EXPECT_EQ(two.rejected(), "f 1") << "the invalid one remains";
}

TEST(Continue, APartThatIsRejectedAsAWholeIsReplaced) {
  Continued patch(two_files, "--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+new\n" + part_for("g", hunk_of_g));
  EXPECT_EQ(patch.rejected(), "f");
  patch.send(part_for("f", second_hunk + tenth_hunk));
  EXPECT_EQ(patch.result(), (Tree{{"f", {FileMode::plain, f_after}}, {"g", {FileMode::plain, g_after}}}));
}

TEST(Continue, ASimilarPathReplacesAMissingOne) {
  Continued patch(two_files, part_for("F", second_hunk + tenth_hunk) + part_for("g", hunk_of_g));
  ASSERT_EQ(patch.rejected(), "F");
  patch.rejects().front().similar_paths = {"f"};
  patch.send(part_for("f", second_hunk + tenth_hunk));
  EXPECT_EQ(patch.result().at("f").bytes, f_after);
}

TEST(Continue, AMovedFileIsNamedByEitherPath) {
  const std::string move = "diff --git a/f b/h\nrename from f\nrename to h\n--- a/f\n+++ b/h\n";
  for (const char* path : {"f", "h"}) {
    Continued patch(two_files, move + second_hunk + wrong_tenth_hunk);
    EXPECT_EQ(patch.rejected(), "h 1");
    patch.send(part_for(path, tenth_hunk));
    EXPECT_EQ(patch.result().at("h").bytes, f_after) << path;
  }
}

TEST(Continue, WhatWasRejectedIsLeftOut) {
  const std::string creation = "--- /dev/null\n+++ b/g\n@@ -0,0 +1 @@\n+new\n";
  Continued patch(
      two_files, part_for("f", "@@ -3 +3 @@\n 3\n" + second_hunk + wrong_fifth_hunk + tenth_hunk) + creation);
  EXPECT_EQ(patch.rejected(), "f 0; f 2; g");
  patch.leave_out_rejected();
  EXPECT_EQ(patch.result(), (Tree{{"f", {FileMode::plain, f_after}}, {"g", two_files.at("g")}}));
}

TEST(Continue, AFileOfWhichAllHunksAreLeftOutIsOnlyMoved) {
  const std::string move = "diff --git a/f b/h\nrename from f\nrename to h\n--- a/f\n+++ b/h\n";
  Continued patch(two_files, move + wrong_fifth_hunk + part_for("g", wrong_hunk_of_g));
  patch.leave_out_rejected();
  EXPECT_EQ(patch.result(), (Tree{{"h", two_files.at("f")}, {"g", two_files.at("g")}}));
}

TEST(Continue, AnyCorrectedHunksGiveTheResultOfTheRightPatch) {
  const Tree tree = {{"f", {FileMode::plain, numbers(1, 99)}}, {"g", {FileMode::plain, numbers(101, 199)}}};
  for (unsigned seed = 1; seed <= 50; ++seed) {
    Chance chance(seed);
    std::string right, wrong, corrected;
    for (const int first : {0, 100}) {
      const std::string path = first == 0 ? "f" : "g";
      std::string right_hunks, wrong_hunks, corrected_hunks;
      for (int line = first + 10; line < first + 95; line += 10) {
        const std::string number = std::to_string(line);
        const std::string change = "-" + number + "\n+new " + number + "\n";
        const std::string context = " " + std::to_string(line - 1) + "\n";
        right_hunks += "@@\n" + context + change;
        const bool is_wrong = chance.below(3) == 0;
        wrong_hunks += "@@\n" + (is_wrong ? " no such line\n" : context) + change;
        if (is_wrong) corrected_hunks += "@@\n" + context + change;
      }
      right += part_for(path, right_hunks);
      wrong += part_for(path, wrong_hunks);
      if (!corrected_hunks.empty()) corrected += part_for(path, corrected_hunks);
    }
    if (corrected.empty()) continue;
    Continued patch(tree, wrong);
    EXPECT_NE(patch.rejected(), "");
    patch.send(corrected);
    EXPECT_EQ(patch.result(), Continued(tree, right).result()) << "seed " << seed;
  }
}

// ---- The store

RejectedPatch rejected_patch(const std::string& text) {
  return {.patch = parse_owned_patch(text, {}), .rejects = {{.path = "f"}}, .snapshot_hex = {}};
}

TEST(RejectedPatches, AreStoredForTenMinutes) {
  RejectedPatches patches;
  const std::string id = patches.store(rejected_patch(part_for("f", second_hunk)), 5);
  EXPECT_TRUE(id.starts_with("patch_")) << id;
  const auto found = patches.find(id, 4 + RejectedPatches::lifetime_ns);
  ASSERT_TRUE(found);
  EXPECT_EQ((*found)->patch.patch.files.front().old_path, "f");
  const auto expired = patches.find(id, 5 + RejectedPatches::lifetime_ns);
  ASSERT_FALSE(expired);
  EXPECT_EQ(expired.error().code, ErrorCode::not_found);
  EXPECT_EQ(expired.error().message, "There is no rejected patch " + id +
                                         ", or its ten minutes are over. Send the whole patch, without "
                                         "continue.");
  EXPECT_EQ((*found)->patch.patch.files.front().hunks.front().body, "-2\n+II\n")
      << "a caller that has found it may use it further";
}

TEST(RejectedPatches, AreLimitedInNumberAndBytes) {
  RejectedPatches patches;
  std::vector<std::string> ids;
  for (std::size_t i = 0; i <= RejectedPatches::patches_max; ++i)
    ids.push_back(patches.store(rejected_patch(part_for("f" + std::to_string(i), second_hunk)), 0));
  EXPECT_FALSE(patches.find(ids.front(), 1)) << "the oldest one";
  EXPECT_TRUE(patches.find(ids[1], 1));
  EXPECT_EQ(patches.store(rejected_patch(part_for("f1", second_hunk)), 0), ids[1]) << "the same patch again";
  EXPECT_TRUE(patches.find(ids[2], 1));
  const std::string large = part_for("f", "@@\n-" + std::string(RejectedPatches::bytes_max / 2, 'x') + "\n");
  const std::string large_id = patches.store(rejected_patch(large), 0);
  const std::string other_id = patches.store(rejected_patch(large + "+y\n"), 0);
  EXPECT_FALSE(patches.find(large_id, 1)) << "both together are too large";
  EXPECT_TRUE(patches.find(other_id, 1));
  EXPECT_FALSE(patches.find(ids[2], 1));
  EXPECT_EQ(patches.store(rejected_patch(large + large), 0), "");
  patches.remove_applied(other_id);
  const auto applied = patches.find(other_id, 1);
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(applied.error().message,
            other_id + " was completed and applied. Send further changes as a new patch.");
}

TEST(RejectedPatches, MustHaveOnlyRejectsThatCanBeCorrected) {
  const auto can_be = [](Reject reject) { return can_be_continued({{.path = "f"}, std::move(reject)}); };
  EXPECT_FALSE(can_be_continued({}));
  EXPECT_TRUE(can_be({.path = "g", .reason = RejectReason::context_mismatch}));
  EXPECT_TRUE(can_be({.path = "g", .reason = RejectReason::missing}));
  EXPECT_FALSE(can_be({.path = "g", .reason = RejectReason::forbidden_path}));
  EXPECT_FALSE(can_be({.reason = RejectReason::malformed})) << "no file";
}

}  // namespace
}  // namespace snapgen::core
