// The position of git: a rewind reports what moved, and moves it back. The git program is the judge.
#include <gtest/gtest.h>

#include "tests/engine/history/history_workspace.h"
#include "tools/engine/operations/gc/gc.h"

namespace snapgen::core {
namespace {

// Returns what git says about the position, in all work trees.
std::string position_in(const Scratch& scratch) {
  return scratch
      .answer(
          "git symbolic-ref -q HEAD || echo detached; git rev-parse -q --verify HEAD || echo unborn; "
          "git for-each-ref refs/heads; git ls-files --stage; git ls-files -v; git status --porcelain")
      .output;
}

class PositionWorkspace {
 public:
  PositionWorkspace()
      : work(
            "new; put a 1; put b/c 2; save; git branch topic; put a 2; git commit -qam second; git branch "
            "same; put a 3; put staged 1; git add staged a; put a 4") {
    work.take();
  }

  Result<WithLease<RewindAnswer>> rewind(const std::string& target, bool dry_run = false) {
    work.wait_for_watch();
    return core::rewind(*work.opened, *work.taker,
                        {.target = target, .paths = {}, .dry_run = dry_run, .git = true}, {});
  }
  std::string error_of(const std::string& target) {
    const Result<WithLease<RewindAnswer>> done = rewind(target);
    return done ? std::string() : done.error().message;
  }
  std::string position() const { return position_in(work.scratch); }

  // Runs a script, moves the position back and then forward again.
  void expect_round_trip(const std::string& script) {
    work.take();
    const std::string before = position();
    const std::string files = work.files();
    const std::string name = work.change(script);
    ASSERT_EQ(name.substr(0, 1), "m") << script;
    const std::string after = position();
    const Result<WithLease<RewindAnswer>> done = rewind(name);
    ASSERT_TRUE(done) << script << ": " << done.error().message;
    ASSERT_TRUE(done->value.git) << script;
    EXPECT_TRUE(done->value.git->is_moved_back) << script << ": " << done->value.git->failure;
    EXPECT_EQ(position(), before) << script;
    EXPECT_EQ(work.files(), files) << script;
    ASSERT_TRUE(done->value.undo_with) << script;
    const Result<WithLease<RewindAnswer>> undone = rewind("m" + std::to_string(*done->value.undo_with));
    ASSERT_TRUE(undone) << script << ": " << undone.error().message;
    EXPECT_EQ(position(), after) << script;
    EXPECT_EQ(work.scratch.answer("git fsck 2>&1").output.find("error"), std::string::npos) << script;
  }

  HistoryWorkspace work;
};

class GitPositionTest : public testing::Test, protected PositionWorkspace {};

TEST(GitPosition, MovesBackWhatACommandMoved) {
  for (const char* script :
       {"git reset -q --hard HEAD~1", "git checkout -qf topic", "git commit -q --amend -m other",
        "git branch -D -q topic", "git branch -m topic topic/below", "git branch -m renamed", "git add -A",
        "git checkout -q --detach", "git rm -q --cached b/c", "git branch new HEAD~1; git pack-refs --all",
        "git checkout -q --orphan none", "git stash -q", "git update-index --skip-worktree b/c",
        "put later 1; git add -N later", "printf x > 'ü\nb'; git add .", "rm .git/index",
        "git checkout -q topic -- a"})
    PositionWorkspace().expect_round_trip(script);
}

TEST_F(GitPositionTest, MovesBackFromADetachedAndAnUnbornHead) {
  work.scratch.run("git checkout -q --detach HEAD~1 -f");
  expect_round_trip("git checkout -qf same");
  work.scratch.run("git checkout -q --orphan none; git rm -qrf .");
  expect_round_trip("put first 1; save");
}

TEST_F(GitPositionTest, LeavesSymbolicReferencesAlone) {
  work.scratch.run("git symbolic-ref refs/heads/alias refs/heads/same");
  expect_round_trip("git branch -qf same topic");
  EXPECT_EQ(work.scratch.answer("git symbolic-ref refs/heads/alias").output, "refs/heads/same\n");
}

TEST_F(GitPositionTest, ReportsWhatMovedWithoutMovingIt) {
  work.change("git reset -q --hard topic; git branch -D same; git branch later");
  const std::string before = position();
  const Result<WithLease<RewindAnswer>> dry = rewind("m1", true);
  ASSERT_TRUE(dry);
  ASSERT_TRUE(dry->value.git);
  EXPECT_FALSE(dry->value.git->is_moved_back);
  EXPECT_EQ(position(), before);
  const std::string first = work.scratch.answer("git rev-parse --short=7 topic").output.substr(0, 7);
  const std::vector<std::string>& moved = dry->value.git->moved;
  ASSERT_EQ(moved.size(), 4U);
  EXPECT_TRUE(moved[0].starts_with("HEAD moved from ")) << moved[0];
  EXPECT_TRUE(moved[0].ends_with(" (main) to " + first + " (main)")) << moved[0];
  EXPECT_EQ(moved[1], "branch later was created at " + first);
  EXPECT_TRUE(moved[2].starts_with("branch same was deleted at ")) << moved[2];
  EXPECT_EQ(moved[3], "the index changed in 2 files");
  const Result<WithLease<RewindAnswer>> files = work.rewind("m1");
  ASSERT_TRUE(files);
  EXPECT_EQ(files->value.git->moved.size(), 4U);
  EXPECT_FALSE(files->value.git->is_moved_back);
}

TEST_F(GitPositionTest, SavesThePresentPosition) {
  work.change("git checkout -qf topic; put a 5; git commit -qam lost; git branch newer");
  const std::string lost = work.scratch.answer("git rev-parse topic").output;
  ASSERT_TRUE(rewind("m1"));
  EXPECT_EQ(work.scratch
                .answer("git for-each-ref --format='%(objectname) %(refname)' refs/snapgen/undo | "
                        "sed 's/refs.*heads/heads/; s/refs.*HEAD/HEAD/'")
                .output,
            lost.substr(0, 40) + " HEAD\n" + lost.substr(0, 40) + " heads/newer\n" + lost.substr(0, 40) +
                " heads/topic\n");
}

TEST_F(GitPositionTest, AlwaysNamesTheMomentThatReturns) {
  work.change("git checkout -qf topic; put a 5; git commit -qam lost");
  const Result<WithLease<RewindAnswer>> done = rewind("m1");
  ASSERT_TRUE(done);
  EXPECT_EQ(done->value.undo_with, std::optional<std::uint64_t>(2));
}

TEST_F(GitPositionTest, RetainsTheLogOfABranchThatItDeletes) {
  work.change("git checkout -qb newer; put a 5; git commit -qam first; git commit -q --amend -m second");
  const std::string amended = work.scratch.answer("git rev-parse newer@{1}").output;
  ASSERT_TRUE(rewind("m1"));
  work.scratch.run("git reflog expire --expire=now HEAD; git prune --expire=now");
  EXPECT_EQ(work.scratch.answer("git branch --list newer; git log -1 --format=%s " + amended).output,
            "first\n");
}

TEST_F(GitPositionTest, RefusesInTheMiddleOfAnOperation) {
  work.scratch.run("git reset -q --hard; git checkout -q topic; put a other; git commit -qam other");
  work.take();
  const std::string name = work.change("git merge main >/dev/null 2>&1 || true");
  ASSERT_EQ(name.substr(0, 1), "m");
  const std::string before = position() + work.files();
  EXPECT_EQ(
      error_of(name),
      "git is in the middle of a merge, so its position cannot move. Finish or abort the merge, or rewind "
      "the files alone.");
  EXPECT_EQ(position() + work.files(), before);
  work.scratch.run("git merge --abort; git rebase main >/dev/null 2>&1 || true");
  EXPECT_NE(error_of(name).find("in the middle of a rebase"), std::string::npos);
  work.scratch.run("git rebase --abort; : > .git/index.lock");
  EXPECT_NE(error_of("m1").find("index.lock exists"), std::string::npos);
}

TEST_F(GitPositionTest, NamesAPrunedObject) {
  work.change("git reset -q --hard topic; git branch -D same");
  const std::string before = position() + work.files();
  work.scratch.run("git reflog expire --expire=now --all; git gc -q --prune=now");
  const std::string error = error_of("m1");
  EXPECT_TRUE(error.starts_with("git has pruned the object ")) << error;
  EXPECT_EQ(position() + work.files(), before);
  EXPECT_TRUE(work.rewind("m1"));
}

TEST_F(GitPositionTest, RejectsPaths) {
  work.change("put a 5");
  const Result<WithLease<RewindAnswer>> done = core::rewind(
      *work.opened, *work.taker, {.target = "m1", .paths = std::vector<std::string>{"a"}, .git = true}, {});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::invalid_argument);
}

TEST_F(GitPositionTest, OutlivesAGarbageCollectionAndARestart) {
  const std::string before = position();
  work.change("git checkout -qf topic; git branch -D same");
  const CollectQuery query{
      .retention = {.keep_days = 0, .keep_count = 1, .undo_days = 1, .history = HistoryLimits{}}};
  ASSERT_TRUE(collect_garbage(*work.opened, query, {}));
  work.restart();
  EXPECT_EQ(error_of("m1"), "");
  EXPECT_EQ(position(), before);
}

TEST_F(GitPositionTest, SurvivesThinning) {
  work.change("put a 5; git commit -qam third");
  const std::string before = position();
  work.change("git checkout -qf topic");
  work.change("git branch -D same");
  work.clock_offset_ns += std::int64_t{25} * 3600 * 1'000'000'000;
  const Result<bool> thinned = thin_history(work.taker->log(), work.opened->blobs(), {.dense_ms = 0},
                                            work.opened->now() / 1'000'000, {});
  ASSERT_TRUE(thinned && *thinned);
  EXPECT_LT(work.timeline().moments.size(), 3U);
  work.restart();
  EXPECT_EQ(error_of("m2"), "");
  EXPECT_NE(position(), before);
}

TEST_F(GitPositionTest, StoresLittleForAChangeOfALargeIndex) {
  const auto stored = [&] {
    return std::stol(work.scratch.answer("du -sb .git/snapgen/blobs | cut -f1").output);
  };
  work.change(
      "blob=$(git rev-parse HEAD:a); seq 1 30000 | sed \"s|.*|100644 $blob 0	d/&|\" > ../lines; "
      "git update-index --index-info < ../lines");
  const std::int64_t before = stored();
  EXPECT_EQ(work.take(), "");
  EXPECT_EQ(stored(), before);
  EXPECT_EQ(work.change("git update-index --cacheinfo 100644,$(git rev-parse HEAD~1:a),d/777").substr(0, 1),
            "m");
  EXPECT_LT(stored() - before, 24 << 10);
}

class LinkedTreeTest : public testing::Test {
 protected:
  LinkedTreeTest()
      : main_(
            "new; put a 1; save; git branch topic; put a 2; git commit -qam second; git branch free; "
            "git worktree add -q ../linked topic") {
    Result<std::unique_ptr<Workspace>> opened =
        Workspace::open(main_.scratch.outside("linked"), main_.scratch.environment());
    if (opened) linked_ = *std::move(opened);
    EXPECT_NE(linked_, nullptr);
    taker_ = std::make_unique<MomentTaker>(*linked_, HistoryOptions());
  }
  std::string take() {
    main_.wait_for_watch();
    const Result<TakenMoment> taken = taker_->take(MomentCause::quiet, MomentPace::normal, {});
    return taken ? "m" + std::to_string(taken->number) : taken.error().message;
  }
  std::string in_linked(const std::string& script) const {
    return main_.scratch.answer("cd ../linked; " + script).output;
  }
  Result<WithLease<RewindAnswer>> rewind(const std::string& target) {
    main_.wait_for_watch();
    return core::rewind(*linked_, *taker_, {.target = target, .git = true}, {});
  }

  HistoryWorkspace main_;
  std::unique_ptr<Workspace> linked_;
  std::unique_ptr<MomentTaker> taker_;
};

TEST_F(LinkedTreeTest, HasItsOwnHeadAndIndex) {
  take();
  const std::string before =
      in_linked("git rev-parse HEAD free; git symbolic-ref HEAD; git ls-files --stage");
  const std::string main_before = position_in(main_.scratch);
  in_linked("git checkout -q -b other; echo x > b; git add b; git commit -qm other; git branch -f free");
  const Result<WithLease<RewindAnswer>> done = rewind(take());
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(in_linked("git rev-parse HEAD free; git symbolic-ref HEAD; git ls-files --stage"), before);
  EXPECT_EQ(in_linked("git status --porcelain"), "");
  EXPECT_EQ(position_in(main_.scratch), main_before);
}

TEST_F(LinkedTreeTest, DoesNotMoveTheBranchOfAnotherWorkTree) {
  take();
  main_.scratch.run("put a 3; git commit -qam third");
  in_linked("echo x > b");
  const std::string third = main_.scratch.answer("git rev-parse main").output;
  const std::string name = take();
  in_linked("git branch -D free");
  take();
  const Result<WithLease<RewindAnswer>> done = rewind(name);
  ASSERT_TRUE(done) << done.error().message;
  ASSERT_TRUE(done->value.git);
  EXPECT_EQ(done->value.git->unmoved,
            std::vector<std::string>{"branch main is checked out in another work tree"});
  EXPECT_EQ(main_.scratch.answer("git rev-parse main").output, third);
}

TEST_F(LinkedTreeTest, RefusesABranchThatAnotherWorkTreeHasCheckedOut) {
  take();
  in_linked("git checkout -q --detach free");
  const std::string name = take();
  main_.scratch.run("git checkout -q topic");
  const Result<WithLease<RewindAnswer>> done = rewind(name);
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().message.find("Another work tree has checked out topic"), std::string::npos);
}

}  // namespace
}  // namespace snapgen::core
