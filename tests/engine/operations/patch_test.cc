// Random patches through the function that the tool calls, on the work tree and on a snapshot. Both results
// must equal that of `git apply`.
#include <cstdlib>

#include <gtest/gtest.h>

#include "tests/engine/patch/gardener.h"
#include "tests/engine/test_workspace.h"
#include "tools/engine/operations/apply_patch.h"

namespace snapgen::core {
namespace {

Tree tree_of(const Snapshot& snapshot, BlobStore& blobs) {
  Tree tree;
  for (const ManifestEntry& entry : snapshot.entries) tree[entry.path] = {entry.mode, *blobs.get(entry.blob)};
  return tree;
}

TEST(ApplyPatch, RandomPatchesMatchGitApply) {
  const char* wanted = std::getenv("SNAPGEN_SEED");
  std::uint32_t first = wanted != nullptr ? static_cast<std::uint32_t>(std::atoll(wanted)) : 7000;
  std::uint32_t count = wanted != nullptr ? 1 : 20;
  for (std::uint32_t seed = first; seed < first + count && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("SNAPGEN_SEED=" + std::to_string(seed));
    Gardener gardener(seed);
    Tree before = gardener.planted();
    Tree after = gardener.edited(before);
    if (before == after) continue;
    Scratch scratch;
    write_tree(scratch.outside("after"), after);
    write_tree(scratch.outside("applied"), before);
    write_tree(scratch.repo(), before);
    scratch.run("new; save; mkdir -p ../after ../applied");
    PatchQuery query{
        .patch =
            scratch
                .answer("cd ../after; export GIT_DIR=../repo/.git GIT_WORK_TREE=. GIT_INDEX_FILE=../index\n"
                        "git add -A .; git diff --cached --binary -M -C HEAD")
                .output};
    scratch.write("../patch", query.patch);
    bool git_applies =
        scratch.answer("cd ../applied && git apply --whitespace=nowarn ../patch").exit_code == 0;
    Result<std::unique_ptr<Workspace>> workspace = Workspace::open(scratch.repo(), scratch.environment());
    ASSERT_TRUE(workspace);
    Result<CreatedSnapshot> created =
        create_snapshot(**workspace, {.lease_id = {}, .paths = {{""}}, .message = {}}, {});
    ASSERT_TRUE(created);
    const std::shared_ptr<const Snapshot> kept = *(*workspace)->snapshots().load(created->id());
    Result<PatchedSnapshot> in_snapshot = patch_snapshot(**workspace, kept, query, {});
    ASSERT_TRUE(in_snapshot) << in_snapshot.error().message;
    ASSERT_TRUE(in_snapshot->answer.is_applied) << query.patch;
    EXPECT_EQ(read_tree(scratch.repo()), before);
    Result<ChangeResult<PatchAnswer>> live = apply_patch(**workspace, {}, query, {});
    ASSERT_TRUE(live) << live.error().message;
    ASSERT_TRUE(live->value.is_applied) << query.patch;
    EXPECT_EQ(read_tree(scratch.repo()), after) << query.patch;
    EXPECT_EQ(tree_of(*in_snapshot->snapshot, (*workspace)->blobs()), after) << query.patch;
    EXPECT_EQ(in_snapshot->snapshot->fingerprint, created->fingerprint);
    if (git_applies) {
      EXPECT_EQ(read_tree(scratch.outside("applied")), after);
    }
    // The same patch no longer applies, and neither the patch nor a dry run changes anything.
    Result<ChangeResult<PatchAnswer>> again = apply_patch(**workspace, live->lease.lease_id, query, {});
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(read_tree(scratch.repo()), again->value.is_applied ? read_tree(scratch.repo()) : after);
  }
}

TEST(ApplyPatch, AMovedOrCopiedFileKeepsItsPermissions) {
  TestWorkspace workspace("new; echo one > key; echo two > run; chmod 600 key; chmod 750 run; save");
  const PatchQuery query{
      .patch =
          "diff --git a/key b/key2\nrename from key\nrename to key2\n--- a/key\n+++ b/key2\n"
          "@@ -1 +1 @@\n-one\n+ONE\n"
          "diff --git a/run b/run2\ncopy from run\ncopy to run2\n--- a/run\n+++ b/run2\n"
          "@@ -1 +1 @@\n-two\n+TWO\n"};
  const Result<ChangeResult<PatchAnswer>> patched = apply_patch(*workspace.opened, {}, query, {});
  ASSERT_TRUE(patched && patched->value.is_applied);
  EXPECT_EQ(workspace.scratch.answer("stat -c %a key2 run2").output, "600\n750\n");
}

TEST(ApplyPatch, ARejectedPatchIsContinued) {
  TestWorkspace workspace("new; echo a > a.txt; echo b > b.txt; save");
  PatchQuery query{.patch = "--- a/A.txt\n+++ b/A.txt\n@@\n-a\n+A\n--- a/b.txt\n+++ b/b.txt\n@@\n-b\n+B\n"};
  const Result<ChangeResult<PatchAnswer>> rejected = apply_patch(*workspace.opened, {}, query, {});
  ASSERT_TRUE(rejected) << rejected.error().message;
  ASSERT_EQ(rejected->value.rejects.size(), 1U);
  EXPECT_EQ(rejected->value.rejects.front().message, "there is no A.txt; did you mean a.txt?");
  query = {.patch = "*** Begin Patch\n*** Update File: a.txt\n-a\n+A\n",
           .continued_id = rejected->value.patch_id};
  const Result<ChangeResult<PatchAnswer>> applied = apply_patch(*workspace.opened, {}, query, {});
  ASSERT_TRUE(applied) << applied.error().message;
  EXPECT_TRUE(applied->value.is_applied);
  EXPECT_EQ(applied->value.files.size(), 2U);
  const Result<ChangeResult<PatchAnswer>> again = apply_patch(*workspace.opened, {}, query, {});
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::invalid_argument) << "it was applied";
}

TEST(ApplyPatch, AnEmptyContinuationLeavesOutWhatWasRejected) {
  TestWorkspace workspace("new; echo a > a.txt; echo b > b.txt; save");
  const std::string wrong = "--- a/a.txt\n+++ b/a.txt\n@@\n-x\n+A\n";
  const auto rejected =
      apply_patch(*workspace.opened, {}, {.patch = wrong + "--- a/b.txt\n+++ b/b.txt\n@@\n-b\n+B\n"}, {});
  ASSERT_TRUE(rejected) << rejected.error().message;
  const auto applied =
      apply_patch(*workspace.opened, {}, {.patch = "\n", .continued_id = rejected->value.patch_id}, {});
  ASSERT_TRUE(applied) << applied.error().message;
  EXPECT_TRUE(applied->value.is_applied);
  EXPECT_EQ(workspace.scratch.answer("cat a.txt b.txt").output, "a\nB\n");
  const auto all = apply_patch(*workspace.opened, {}, {.patch = wrong}, {});
  ASSERT_TRUE(all) << all.error().message;
  const auto nothing =
      apply_patch(*workspace.opened, {}, {.patch = "", .continued_id = all->value.patch_id}, {});
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().code, ErrorCode::invalid_argument);
}

TEST(ApplyPatch, AfterACorrectionThatIsNoPatchTheRejectedOneCanStillBeContinued) {
  TestWorkspace workspace("new; echo a > a.txt; save");
  const auto rejected =
      apply_patch(*workspace.opened, {}, {.patch = "--- a/a.txt\n+++ b/a.txt\n@@\n-x\n+A\n"}, {});
  ASSERT_TRUE(rejected) << rejected.error().message;
  const std::string& id = rejected->value.patch_id;
  const auto invalid = apply_patch(*workspace.opened, {}, {.patch = "no patch", .continued_id = id}, {});
  ASSERT_TRUE(invalid) << invalid.error().message;
  EXPECT_EQ(invalid->value.patch_id, id);
  const auto applied = apply_patch(*workspace.opened, {}, {.patch = "@@\n-a\n+A\n", .continued_id = id}, {});
  ASSERT_TRUE(applied) << applied.error().message;
  EXPECT_TRUE(applied->value.is_applied);
}

TEST(ApplyPatch, TheContinuationOfADryRunWritesOnlyIfItSaysSo) {
  TestWorkspace workspace("new; echo a > a.txt; save");
  PatchQuery query{.patch = "--- a/a.txt\n+++ b/a.txt\n@@\n-b\n+B\n", .dry_run = true};
  const Result<ChangeResult<PatchAnswer>> rejected = apply_patch(*workspace.opened, {}, query, {});
  ASSERT_TRUE(rejected) << rejected.error().message;
  query = {.patch = "@@\n-a\n+A\n", .continued_id = rejected->value.patch_id};
  const Result<ChangeResult<PatchAnswer>> dry = apply_patch(*workspace.opened, {}, query, {});
  ASSERT_TRUE(dry) << dry.error().message;
  EXPECT_TRUE(dry->value.rejects.empty());
  EXPECT_FALSE(dry->value.is_applied);
  EXPECT_EQ(workspace.scratch.answer("cat a.txt").output, "a\n");
  query.dry_run = false;
  const Result<ChangeResult<PatchAnswer>> applied = apply_patch(*workspace.opened, {}, query, {});
  ASSERT_TRUE(applied) << applied.error().message;
  EXPECT_EQ(workspace.scratch.answer("cat a.txt").output, "A\n");
}

}  // namespace
}  // namespace snapgen::core
