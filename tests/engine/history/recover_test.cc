// The copy of the store outlives the workspace, and its files can be recovered from it.
#include "tools/engine/operations/history/recover.h"

#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/engine/history/history_workspace.h"
#include "tools/engine/operations/gc/gc.h"
#include "tools/engine/operations/history/store_copy.h"

namespace snapgen::core {
namespace {

namespace fs = std::filesystem;

// A folder that is deleted with this object.
class CopiesFolder {
 public:
  explicit CopiesFolder(const std::string& above) : path_(above + "/snapgen-copies-XXXXXX") {
    EXPECT_NE(::mkdtemp(path_.data()), nullptr);
  }
  CopiesFolder(const CopiesFolder&) = delete;
  ~CopiesFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

class RecoverTest : public testing::Test {
 protected:
  explicit RecoverTest(const std::string& above = fs::temp_directory_path().string())
      : copies_(above),
        work_(
            "new; put a 1; put b/c 2; put run '#!'; chmod 755 run; ln -s a link; put .gitignore .env; put "
            ".env "
            "K; chmod 600 .env; save",
            {.copies_folder = copies_.path()}) {
    work_.take();
  }

  StoredCopy copy() const {
    const std::vector<StoredCopy> found = stored_copies(copies_.path());
    EXPECT_FALSE(found.empty());
    return found.empty() ? StoredCopy() : found.front();
  }
  Result<RecoveredFiles> recover(std::optional<std::string> target = {}) const {
    return recover_files(
        {.copy_folder = copy().folder, .destination = work_.scratch.repo(), .target = std::move(target)},
        work_.opened->now() / 1'000'000, {});
  }
  // Deletes the workspace with its store.
  void destroy() const { fs::remove_all(work_.scratch.repo()); }
  // The number of copies after those that are not needed so many days from now are removed.
  std::size_t count_after_days(std::int64_t days, std::int64_t bytes_max = HistoryLimits().bytes_max) {
    const std::int64_t now_ms = work_.opened->now() / 1'000'000 + days * 24 * 3600 * 1000;
    remove_unneeded_copies(copies_.path(), bytes_max, now_ms);
    return stored_copies(copies_.path()).size();
  }
  // Lets a minute pass, so that the next moment updates the copy.
  void wait_a_minute() { work_.clock_offset_ns += std::int64_t{61} * 1'000'000'000; }

  CopiesFolder copies_;
  HistoryWorkspace work_;
};

TEST_F(RecoverTest, RestoresADeletedWorkspace) {
  work_.change("put a 11; put new/file 3; head -c 3000000 /dev/urandom > large");
  const std::string before = work_.files();
  destroy();
  EXPECT_NE(work_.take().find("was moved or replaced"), std::string::npos);
  EXPECT_FALSE(fs::exists(work_.scratch.repo())) << "the server made the store again";
  const StoredCopy found = copy();
  EXPECT_EQ(found.workspace, work_.scratch.repo());
  EXPECT_FALSE(found.has_workspace);
  const Result<RecoveredFiles> done = recover();
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done->state_number, 1U);
  EXPECT_EQ(done->file_count, 8);
  EXPECT_TRUE(done->lost.empty());
  EXPECT_EQ(done->position.branch, "refs/heads/main");
  EXPECT_EQ(work_.files(), before);
  EXPECT_NE(recover().error().message.find("is not empty"), std::string::npos);
}

TEST_F(RecoverTest, IgnoresMomentsInTheMiddleOfTheDeletion) {
  work_.change("put a 11");
  const std::string before = work_.files();
  work_.change("rm -r b");
  work_.clock_offset_ns += std::int64_t{50} * 1'000'000'000;
  work_.change("rm run");
  work_.clock_offset_ns += std::int64_t{50} * 1'000'000'000;
  work_.change("rm -r a link .env .gitignore");
  wait_a_minute();
  work_.change("rm .git/index");
  destroy();
  ASSERT_TRUE(recover());
  EXPECT_EQ(work_.files(), before);
}

// Reading all copies takes seconds if there are thousands, so not each command of the user may do it.
TEST_F(RecoverTest, LooksForUnneededCopiesOnceAnHour) {
  HistoryWorkspace deleted("new; put a 1; save", {.copies_folder = copies_.path()});
  deleted.take();
  const std::string folder = deleted.scratch.repo();
  fs::remove_all(folder);
  const auto is_noted = [&] {
    return std::ranges::any_of(stored_copies(copies_.path()), [&](const StoredCopy& each) {
      return each.workspace == folder && fs::exists(each.folder + "/gone");
    });
  };
  wait_a_minute();
  work_.change("put a 12");
  EXPECT_FALSE(is_noted());
  work_.clock_offset_ns += std::int64_t{3600} * 1'000'000'000;
  work_.change("put a 13");
  EXPECT_TRUE(is_noted());
}

TEST_F(RecoverTest, RestoresTheStateThatIsNamed) {
  const std::string before = work_.files();
  work_.change("put a 11");
  work_.change("put a 111; rm link");
  destroy();
  const Result<RecoveredFiles> done = recover("m1");
  ASSERT_TRUE(done);
  EXPECT_EQ(done->state_number, 0U);
  EXPECT_EQ(work_.files(), before);
  EXPECT_FALSE(recover("m9"));
}

TEST_F(RecoverTest, RemovesNoLinkWhenTheStoreIsDeletedInPart) {
  const std::string before = work_.files();
  work_.scratch.run("rm -rf .git/snapgen/trees; rm .git/snapgen/blobs/*.seg");
  wait_a_minute();
  work_.change("rm a");
  wait_a_minute();
  work_.change("rm b/c");
  destroy();
  const std::vector<StoredCopy> found = stored_copies(copies_.path());
  ASSERT_EQ(found.size(), 2U);
  ASSERT_TRUE(
      recover_files({.copy_folder = found.back().folder, .destination = work_.scratch.repo(), .target = {}},
                    work_.opened->now() / 1'000'000, {}));
  EXPECT_EQ(work_.files(), before);
}

TEST_F(RecoverTest, FollowsCollectionsAndThinning) {
  const auto names = [&](const std::string& folder) {
    return work_.scratch.answer("ls '" + folder + "'").output;
  };
  for (int i = 0; i < 5; ++i) work_.change("head -c 100000 /dev/urandom > big");
  const Result<bool> thinned = thin_history(work_.taker->log(), work_.opened->blobs(), {.bytes_max = 200'000},
                                            work_.opened->now() / 1'000'000, {});
  ASSERT_TRUE(thinned && *thinned);
  const CollectQuery query{
      .retention = {.keep_days = 0, .keep_count = 1, .undo_days = 1, .history = HistoryLimits{}}};
  ASSERT_TRUE(collect_garbage(*work_.opened, query, {}));
  wait_a_minute();
  work_.change("put a 2");
  const std::string blobs = copy().folder + "/blobs";
  EXPECT_EQ(names(blobs), names(".git/snapgen/blobs"));
  const std::string before = work_.files();
  destroy();
  ASSERT_TRUE(recover());
  EXPECT_EQ(work_.files(), before);
}

TEST_F(RecoverTest, UpdatesTheCopyWhenTheServerEnds) {
  work_.scratch.run("rm -r '" + copies_.path() + "'");
  work_.change("put a 2");
  EXPECT_TRUE(stored_copies(copies_.path()).empty());
  work_.restart();
  EXPECT_EQ(stored_copies(copies_.path()).size(), 1U);
}

TEST_F(RecoverTest, RemovesCopiesOfWorkspacesThatAreLongGone) {
  EXPECT_EQ(count_after_days(365), 1U) << "the workspace exists";
  destroy();
  EXPECT_EQ(count_after_days(366), 1U) << "it was deleted now";
  EXPECT_EQ(count_after_days(425), 1U);
  EXPECT_EQ(count_after_days(427), 1U) << "the clock may be wrong";
  EXPECT_EQ(count_after_days(400), 1U);  // It was.
  EXPECT_EQ(count_after_days(435), 1U);
  EXPECT_EQ(count_after_days(443), 0U);
}

TEST_F(RecoverTest, RemovesTheOldestCopiesAboveTheLimit) {
  work_.change("head -c 300000 /dev/urandom > big");
  EXPECT_EQ(count_after_days(0, 1), 1U) << "links to a store that exists take no space";
  destroy();
  EXPECT_EQ(count_after_days(1, 1), 1U) << "the latest deletion is not older than a week";
  HistoryWorkspace other("new; put a 1; save", {.copies_folder = copies_.path()});
  other.take();
  EXPECT_EQ(count_after_days(1, 1'000'000), 2U);
  fs::remove_all(other.scratch.repo());
  EXPECT_EQ(count_after_days(1, 200'000), 1U);
  EXPECT_EQ(copy().workspace, other.scratch.repo());
  EXPECT_EQ(count_after_days(9, 1), 0U);
}

TEST_F(RecoverTest, RemovesCopiesOfPrunedWorkTrees) {
  work_.scratch.run("git worktree add -q ../linked");
  const std::string linked = fs::path(work_.scratch.repo()).parent_path() / "linked";
  const auto opened = Workspace::open(linked);
  ASSERT_TRUE(opened);
  std::optional<MomentTaker> taker(std::in_place, **opened, HistoryOptions{.copies_folder = copies_.path()});
  ASSERT_TRUE(taker->take(MomentCause::begin, MomentPace::normal, {}));
  taker.reset();
  EXPECT_EQ(count_after_days(100), 2U);
  work_.scratch.run("git worktree remove --force ../linked");
  EXPECT_EQ(count_after_days(101), 2U);
  EXPECT_EQ(count_after_days(109), 1U);
  EXPECT_EQ(copy().workspace, work_.scratch.repo());
}

TEST_F(RecoverTest, SeparatesTheCopyOfALaterWorkspaceAtTheSamePath) {
  const std::string before = work_.files();
  work_.taker.reset();
  const std::string path = work_.scratch.repo();
  destroy();
  fs::create_directory(path);
  work_.scratch.run("git init -q; put other 1; save");
  EXPECT_FALSE(copy().has_workspace) << "a new clone without a server";
  work_.restart();
  work_.take();
  wait_a_minute();
  work_.change("put other 2");
  const std::vector<StoredCopy> found = stored_copies(copies_.path());
  ASSERT_EQ(found.size(), 2U);
  const auto old = std::ranges::find(found, false, &StoredCopy::has_workspace);
  ASSERT_NE(old, found.end());
  fs::remove_all(path);
  ASSERT_TRUE(recover_files({.copy_folder = old->folder, .destination = path, .target = {}},
                            work_.opened->now() / 1'000'000, {}));
  EXPECT_EQ(work_.files(), before);
}

TEST_F(RecoverTest, LeavesTheCopyToAnotherProcess) {
  const Result<Fd> copying = work_.taker->log().lock_copy();
  ASSERT_TRUE(copying);
  wait_a_minute();
  EXPECT_EQ(work_.change("put a 2"), "m1");
}

TEST_F(RecoverTest, IsForTheUserOnly) {
  struct stat st;
  ASSERT_EQ(::stat(copy().folder.c_str(), &st), 0);
  EXPECT_EQ(st.st_mode & 0777U, 0700U);
}

class RecoverFromAnotherFileSystem : public RecoverTest {
 protected:
  RecoverFromAnotherFileSystem() : RecoverTest("/dev/shm") {}
};

TEST_F(RecoverFromAnotherFileSystem, RestoresFromCopies) {
  struct stat here;
  struct stat there;
  ASSERT_EQ(::stat(work_.scratch.repo().c_str(), &here), 0);
  ASSERT_EQ(::stat(copies_.path().c_str(), &there), 0);
  if (here.st_dev == there.st_dev) GTEST_SKIP() << "/dev/shm is not another file system";
  for (int i = 0; i < 3; ++i) {
    wait_a_minute();
    work_.change("head -c 100000 /dev/urandom > big");
  }
  const std::string before = work_.files();
  destroy();
  ASSERT_TRUE(recover());
  EXPECT_EQ(work_.files(), before);
}

}  // namespace
}  // namespace snapgen::core
