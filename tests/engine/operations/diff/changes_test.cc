// Lists of changed files, between two snapshots and between a snapshot and the work tree.
#include "tools/engine/operations/diff/changes.h"

#include <gtest/gtest.h>

#include "tests/engine/test_workspace.h"
#include "tools/engine/operations/apply_patch.h"

namespace snapgen::core {
namespace {

// Returns a line for each change: git's letter for its kind, the path it was renamed from, and the path.
std::string shown_changes(const ChangesAnswer& answer) {
  std::string out;
  for (const FileChange& change : answer.changes) {
    switch (change.status) {
      case ChangeStatus::added: out += "A "; break;
      case ChangeStatus::deleted: out += "D "; break;
      case ChangeStatus::modified: out += "M "; break;
      case ChangeStatus::mode_changed: out += "X "; break;
      case ChangeStatus::renamed: out += "R " + change.renamed_from + " > "; break;
      case ChangeStatus::type_changed: out += "T "; break;
    }
    out += change.path + "\n";
  }
  return out;
}

class ChangesTest : public testing::TestWithParam<bool> {
 protected:
  // Builds the repository and takes the first snapshot. Later changes are then found in the tested way.
  void make(std::string_view script, std::vector<std::string> paths = {""}) {
    workspace_.emplace(script);
    before_ = created(std::move(paths));
  }
  void edit(std::string_view script) { workspace_->scratch.run(script); }

  std::shared_ptr<const Snapshot> created(std::vector<std::string> paths) {
    Result<CreatedSnapshot> made = workspace_->create(std::move(paths));
    EXPECT_TRUE(made) << made.error().message;
    return workspace_->made(made);
  }
  Result<ChangesAnswer> changes(const ChangesQuery& query = {}) {
    if (GetParam()) return changes_between(*workspace_->opened, *before_, *created({""}), query, {});
    auto read = [&](LiveView& view) { return changes_since(*workspace_->opened, *before_, view, query); };
    WithLease<ChangesAnswer> answer = TRY(read_worktree(*workspace_->opened, lease_, {}, read));
    lease_ = answer.lease.lease_id;
    return answer.value;
  }
  // Calls without the earlier lease, which edits have made stale.
  std::string current_changes(const ChangesQuery& query = {}) {
    lease_.reset();
    Result<ChangesAnswer> answer = changes(query);
    return answer ? shown_changes(*answer) : answer.error().message;
  }

  std::optional<TestWorkspace> workspace_;
  std::shared_ptr<const Snapshot> before_;
  std::optional<std::string> lease_;
};

INSTANTIATE_TEST_SUITE_P(Ways, ChangesTest, testing::Bool(),
                         [](const auto& tested) { return tested.param ? "snapshots" : "worktree"; });

TEST_P(ChangesTest, WithoutChangesTheListIsEmpty) {
  make("new; put a 1; put d/b 2; ln -s a l; save");
  EXPECT_EQ(current_changes(), "");
  edit("touch a d/b");
  EXPECT_EQ(current_changes(), "") << "a newer modification time alone is not a change";
}

TEST_P(ChangesTest, ReportsEveryKindOfChange) {
  make("new; put a 1; put b 2; put c 3; put d 4; put e 5; put f 6; ln -s x l; ln -s y m; put z/z 7; save");
  edit(
      "put a 9; put b longer; chmod +x c; rm d; rm e; ln -s a e; chmod +x f; put f 66; rm l; put l x; ln -sf "
      "q m;"
      "put new/file 1; rm -r z; put z 7");
  EXPECT_EQ(current_changes(), "M a\nM b\nX c\nD d\nT e\nM f\nT l\nM m\nA new/file\nA z\nD z/z\n");
}

TEST_P(ChangesTest, FindsTheSameExactRenamesAsGit) {
  make(
      "new; put a/one same; put b/two same; put c/three same; put big 'other content'; put old x; put stays "
      "x;"
      "ln -s target link; printf '' > empty; save");
  edit(
      "mkdir n; mv a/one n/two; mv b/two n/x; mv c/three n/three; mv big n/big; chmod +x n/big; cp old copy;"
      "rm old; mv link n/link; mv empty n/void; put n/y same");
  ChangesQuery query{.paths = {}, .detect_renames = true};
  EXPECT_EQ(current_changes(query),
            "R old > copy\nR big > n/big\nR link > n/link\nR c/three > n/three\nR b/two > n/two\nR empty > "
            "n/void\nR a/one > n/x\nA n/y\n");
  Scratch::Answer git = workspace_->scratch.answer(
      "git add -A; git diff --cached --name-status --no-color -M100% HEAD | LC_ALL=C sed "
      "'s/^R100\\t\\(.*\\)\\t/R \\1 > "
      "/; s/^\\(.\\)\\t/\\1 /'");
  EXPECT_EQ(git.output, current_changes(query)) << "the changes equal those of git";
}

TEST_P(ChangesTest, PathsRestrictTheComparison) {
  make("new; put a 1; put d/b 2; put d-e/c 3; put d/f/g 4; save");
  edit("put a 2; put d/b 3; put d-e/c 4; rm -r d/f; put d/new 1");
  EXPECT_EQ(current_changes({.paths = {"d"}}), "M d/b\nD d/f/g\nA d/new\n");
  EXPECT_EQ(current_changes({.paths = {"d/f", "a", "d/f/g"}}), "M a\nD d/f/g\n");
  EXPECT_NE(current_changes({.paths = {"none"}}).find("none"), std::string::npos);
  EXPECT_EQ(changes({.paths = {"none"}}).error().code, ErrorCode::not_found);
}

TEST_P(ChangesTest, ATruncatedListReportsTheTotal) {
  make("new; put keep 1; save");
  edit("for i in 1 2 3 4 5 6 7; do put f$i 1; done");
  Result<ChangesAnswer> answer = changes({.paths = {}, .changes_max = 3});
  ASSERT_TRUE(answer);
  EXPECT_EQ(shown_changes(*answer), "A f1\nA f2\nA f3\n");
  EXPECT_EQ(answer->total, 7);
}

TEST_P(ChangesTest, NamesThatAreNotUtf8AreReturnedAsBytes) {
  make("new; put \"$(printf '\\377')\" 1; put \"$(printf 'a\\nb')\" 1; save");
  edit("put \"$(printf '\\377')\" 2; put 'q\"' 1");
  EXPECT_EQ(current_changes(), "A q\"\nM \xff\n");
}

class LiveChangesTest : public ChangesTest {};
INSTANTIATE_TEST_SUITE_P(Ways, LiveChangesTest, testing::Values(false));

TEST_P(LiveChangesTest, ComparesIgnoredFilesOnlyIfCaptured) {
  make("new; put .gitignore '*.log\nout/\n'; put a.log 1; put out/x 1; put out/y 1; save",
       {"", "a.log", "out"});
  EXPECT_EQ(current_changes(), "");
  edit("put a.log 2; put b.log 1; rm out/x; put out/z 1");
  EXPECT_EQ(current_changes(), "M a.log\nD out/x\n");
  edit("mkdir real; mv out/y real/; rm -r out; ln -s real out");
  EXPECT_EQ(current_changes(), "M a.log\nA out\nD out/x\nD out/y\nA real/y\n")
      << "a path below a symlink is not a file";
}

TEST_P(LiveChangesTest, TheLeaseCoversTheComparedFiles) {
  make("new; put dirty 1; put clean 1; save; put dirty 2");
  EXPECT_EQ(current_changes(), "");
  edit("put dirty 3");
  EXPECT_EQ(changes().error().code, ErrorCode::stale_lease)
      << "the lease is stale although git status prints the same";
  EXPECT_EQ(current_changes(), "M dirty\n");
}

TEST_P(LiveChangesTest, DoesNotReadKnownFilesAgain) {
  make("new; put a 1; put b 2; save");
  workspace_->wait_for_watch();
  EXPECT_EQ(current_changes(), "");
  // The cache gets a wrong content for b. An answer according to the cache shows that the file was not read.
  Workspace& opened = *workspace_->opened;
  Result<FileStat> stat = opened.root().lstat("b");
  ASSERT_TRUE(stat);
  FileRecord wrong{.path = "b", .stat = *stat, .seen_ns = now_ns(), .blob = blob_id_of("3")};
  opened.stat_cache().remember({wrong});
  EXPECT_EQ(current_changes(), "M b\n");
  edit("touch b");
  EXPECT_EQ(current_changes(), "") << "a file with another modification time is read";
}

TEST_P(LiveChangesTest, ADifferentSizeNeedsNoRead) {
  make("new; put a 1; save");
  edit("put a 22; chmod 000 a");
  Result<ChangesAnswer> answer = changes();
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(shown_changes(*answer), "M a\n");
  EXPECT_EQ(answer->skipped, SkippedCounts{});
}

TEST(Changes, BetweenPartialSnapshotsOnlyTheirCommonPathsAreCompared) {
  TestWorkspace workspace("new; put a 1; put d/b 2; put d/gone 3; save");
  Result<CreatedSnapshot> all = workspace.create(std::vector<std::string>{""});
  workspace.scratch.run("rm d/gone; put d/new 4; put e 5");
  Result<CreatedSnapshot> part = workspace.create(std::vector<std::string>{"d"});
  ASSERT_TRUE(all && part);
  const auto between = [&](const Result<CreatedSnapshot>& before, const Result<CreatedSnapshot>& after) {
    return *changes_between(*workspace.opened, *workspace.made(before), *workspace.made(after), {}, {});
  };
  const ChangesAnswer forward = between(all, part);
  EXPECT_EQ(shown_changes(forward), "D d/gone\nA d/new\n");
  EXPECT_EQ(forward.skipped, SkippedCounts{.not_captured = 1}) << "a";
  const ChangesAnswer backward = between(part, all);
  EXPECT_EQ(shown_changes(backward), "A d/gone\nD d/new\n");
  EXPECT_EQ(backward.skipped, SkippedCounts{.not_captured = 1});
}

TEST_P(LiveChangesTest, FilesOutsideOfAPartialSnapshotAreNotChanges) {
  make("new; put a 1; put d/b 2; put e/c 3; save", {"d", "a"});
  edit("put a 2; put d/new 1; rm e/c; put e/new 1; put f 1");
  EXPECT_EQ(current_changes(), "M a\nA d/new\n");
  lease_.reset();
  EXPECT_EQ(changes()->skipped, SkippedCounts{.not_captured = 2}) << "e/new and f";
}

TEST(Changes, APatchOfASnapshotIsItsOnlyChange) {
  TestWorkspace workspace("new; put a '1\n'; put d/b '2\n'; save");
  for (const char* captured : {"", "d"}) {
    const std::shared_ptr<const Snapshot> before =
        workspace.made(workspace.create(std::vector<std::string>{captured}));
    Result<PatchedSnapshot> patched =
        patch_snapshot(*workspace.opened, before,
                       {.patch = "--- a/d/b\n+++ /dev/null\n@@ -1 +0,0 @@\n-2\n"
                                 "--- /dev/null\n+++ b/d/c\n@@ -0,0 +1 @@\n+3\n"},
                       {});
    ASSERT_TRUE(patched && patched->snapshot);
    EXPECT_EQ(shown_changes(*changes_between(*workspace.opened, *before, *patched->snapshot, {}, {})),
              "D d/b\nA d/c\n");
  }
}

}  // namespace
}  // namespace snapgen::core
