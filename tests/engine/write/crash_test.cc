// A change of many files is killed, or fails, at every system call that writes. Afterwards the tree must be
// entirely in the state before or entirely in the state after the change.
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <memory>

#include <sys/stat.h>

#include "tests/engine/folder.h"
#include "tests/engine/patch/tree.h"
#include "tests/engine/write/calls.h"
#include "tests/engine/write/undo_folder.h"
#include "tests/soak/soak.h"
#include "tools/engine/patch/parse.h"
#include "tools/engine/write/inspected_worktree.h"
#include "tools/engine/write/writer.h"

namespace snapgen::core {
namespace {

namespace fs = std::filesystem;

const Tree before = {
    {"modified", {FileMode::plain, "old\n"}},
    {"script", {FileMode::plain, "run\n"}},
    {"deleted", {FileMode::plain, "gone\n"}},
    {"folder/last", {FileMode::plain, "last\n"}},
    {"one", {FileMode::plain, "1\n"}},
    {"two", {FileMode::executable, "2\n"}},
    {"link", {FileMode::symlink, "modified"}},
    {"becomes_folder", {FileMode::plain, "file\n"}},
    {"becomes_file/in", {FileMode::plain, "in\n"}},
    {"untouched", {FileMode::plain, "same\n"}},
};

const Tree after = {
    {"modified", {FileMode::plain, "new\n"}},
    {"script", {FileMode::executable, "run\n"}},
    {"two", {FileMode::plain, "1\n"}},
    {"one", {FileMode::executable, "2\n"}},
    {"link", {FileMode::symlink, "untouched"}},
    {"becomes_folder/in", {FileMode::plain, "in\n"}},
    {"becomes_file", {FileMode::plain, "file\n"}},
    {"new/deep/file", {FileMode::plain, "new\n"}},
    {"untouched", {FileMode::plain, "same\n"}},
};

const char* const crash_patch = R"(diff --git a/modified b/modified
--- a/modified
+++ b/modified
@@ -1 +1 @@
-old
+new
diff --git a/script b/script
old mode 100644
new mode 100755
diff --git a/deleted b/deleted
deleted file mode 100644
--- a/deleted
+++ /dev/null
@@ -1 +0,0 @@
-gone
diff --git a/folder/last b/folder/last
deleted file mode 100644
--- a/folder/last
+++ /dev/null
@@ -1 +0,0 @@
-last
diff --git a/one b/two
rename from one
rename to two
diff --git a/two b/one
rename from two
rename to one
diff --git a/link b/link
index 1234567..2345678 120000
--- a/link
+++ b/link
@@ -1 +1 @@
-modified
\ No newline at end of file
+untouched
\ No newline at end of file
diff --git a/becomes_file/in b/becomes_folder/in
rename from becomes_file/in
rename to becomes_folder/in
diff --git a/becomes_folder b/becomes_file
rename from becomes_folder
rename to becomes_file
diff --git a/new/deep/file b/new/deep/file
new file mode 100644
--- /dev/null
+++ b/new/deep/file
@@ -0,0 +1 @@
+new
)";

// Where the staging folder is, and what the file system supports.
struct FileSystemCase {
  const char* name;
  bool elsewhere = false;
  bool plain_renames = false;
};

class Crash : public testing::TestWithParam<FileSystemCase> {
 protected:
  // Returns a folder on a file system in memory, if there is one, because syncing costs nothing there.
  static std::string folder_in_memory() {
    std::string name = "/dev/shm/snapgen-test-XXXXXX";
    return ::mkdtemp(name.data()) == nullptr ? std::string() : name;
  }

  void SetUp() override {
    memory_ = folder_in_memory();
    struct stat here, there;
    bool two = ::stat(folder_.path().c_str(), &here) == 0 && ::stat(memory_.c_str(), &there) == 0 &&
               here.st_dev != there.st_dev;
    if (GetParam().elsewhere && !two) GTEST_SKIP() << "this system has no second file system";
    plant();
    ChildRun run = write_in_child({.plain_renames = GetParam().plain_renames});
    ASSERT_EQ(run.exit_code, 0);
    expect_recovered(after);
    writes_ = run.writes;
    ASSERT_GT(writes_, 20);
  }
  void TearDown() override { fs::remove_all(memory_); }

  std::string tree() const { return (memory_.empty() ? folder_.path() : memory_) + "/tree"; }
  std::string staging() const {
    return (memory_.empty() || GetParam().elsewhere ? folder_.path() : memory_) + "/staging";
  }

  std::string snapshots() const { return staging() + "-snapshots"; }

  void plant() {
    fs::remove_all(tree());
    fs::remove_all(staging());
    write_tree(tree(), before);
    ASSERT_EQ(::stat((tree() + "/untouched").c_str(), &untouched_), 0);
  }

  // Returns 0: done; 1: failed and unchanged; 2: failed, and the change may have been made.
  int apply() const {
    Result<Root> root = Root::open(tree());
    UndoFolder undos(snapshots());
    Writer writer(*root, staging(), undos);
    InspectedWorktree view(*root, {});
    Result<PatchPlan> planned = plan_patch(parse_patch(crash_patch), view);
    if (!planned || !planned->rejects.empty()) return 3;
    Result<std::vector<FileRecord>> done =
        writer.write(view.writes_of(std::move(planned->changes)), {.prune_empty_folders = true}, nullptr, {});
    if (done) return done->size() == 8 ? 0 : 4;
    bool unsure = done.error().code == ErrorCode::internal ||
                  done.error().message.starts_with("Everything was written");
    return done.error().message.empty() ? 5 : unsure ? 2 : 1;
  }

  int recover() const {
    Result<Root> root = Root::open(tree());
    UndoFolder undos(snapshots());
    return Writer(*root, staging(), undos).recover({}) ? 0 : 1;
  }

  ChildRun write_in_child(const Interference& interference) {
    return run_in_child([this] { return apply(); }, interference);
  }

  // Expects that the tree equals `wanted` and that no temporary file of the change remains.
  void expect_recovered(const Tree& wanted) {
    Tree found = read_tree(tree());
    EXPECT_EQ(found, wanted) << "found:\n" << described(found) << "wanted:\n" << described(wanted);
    EXPECT_EQ(fs::exists(tree() + "/folder"), wanted == before);
    EXPECT_EQ(fs::exists(tree() + "/new"), wanted == after);
    std::error_code none;
    for (auto& entry : fs::directory_iterator(staging(), none)) EXPECT_EQ(entry.path().filename(), "lock");
    struct stat st;
    ASSERT_EQ(::stat((tree() + "/untouched").c_str(), &st), 0);
    EXPECT_EQ(st.st_ino, untouched_.st_ino);
    EXPECT_EQ(st.st_mtim.tv_nsec, untouched_.st_mtim.tv_nsec);
  }

  void expect_recovered_either_way() { expect_recovered(read_tree(tree()) == after ? after : before); }

  Folder folder_;
  std::string memory_;
  struct stat untouched_ = {};
  int writes_ = 0;
};

TEST_P(Crash, AtAnySystemCallIsRecoveredOnTheNextStart) {
  bool plain = GetParam().plain_renames;
  for (int at = 1; at <= writes_ && !HasFailure(); ++at) {
    SCOPED_TRACE("killed at call " + std::to_string(at));
    plant();
    ASSERT_TRUE(write_in_child({.at = at, .plain_renames = plain}).killed);
    EXPECT_EQ(run_in_child([this] { return recover(); }, {.plain_renames = plain}).exit_code, 0);
    expect_recovered_either_way();
  }
}

TEST_P(Crash, DuringRecoveryIsRecoveredToo) {
  bool plain = GetParam().plain_renames;
  for (int at = writes_ / 3; at <= writes_ && !HasFailure(); at += 5) {
    for (int then = 1; then < writes_ && !HasFailure(); then += is_soak() ? 2 : 6) {
      SCOPED_TRACE("killed at call " + std::to_string(at) + ", then at " + std::to_string(then));
      plant();
      ASSERT_TRUE(write_in_child({.at = at, .plain_renames = plain}).killed);
      ChildRun second = run_in_child([this] { return recover(); }, {.at = then, .plain_renames = plain});
      EXPECT_EQ(run_in_child([this] { return recover(); }, {.plain_renames = plain}).exit_code, 0);
      expect_recovered_either_way();
      if (!second.killed) break;
    }
  }
}

TEST_P(Crash, AnEditByAnotherProcessAfterTheCrashIsNotLost) {
  bool plain = GetParam().plain_renames;
  for (int at = 1; at <= writes_ && !HasFailure(); ++at) {
    SCOPED_TRACE("killed at call " + std::to_string(at));
    plant();
    ASSERT_TRUE(write_in_child({.at = at, .plain_renames = plain}).killed);
    std::ofstream(tree() + "/modified") << "edited\n";
    EXPECT_EQ(run_in_child([this] { return recover(); }, {.plain_renames = plain}).exit_code, 0);
    Tree found = read_tree(tree());
    EXPECT_EQ(found["modified"].bytes, "edited\n");
    EXPECT_EQ(found.contains("becomes_folder"), found.contains("deleted"));
    EXPECT_EQ(found.contains("new/deep/file"), !found.contains("deleted"));
  }
}

TEST_P(Crash, AFailedSystemCallIsReportedAndLeavesTheTreeUnchanged) {
  bool plain = GetParam().plain_renames;
  int refused = 0;
  for (int error : {ENOSPC, EIO}) {
    for (int at = 1; at <= writes_ && !HasFailure(); ++at) {
      SCOPED_TRACE("error " + std::to_string(error) + " at call " + std::to_string(at));
      plant();
      ChildRun run = write_in_child({.at = at, .error = error, .plain_renames = plain});
      ASSERT_GE(run.exit_code, 0);
      ASSERT_LE(run.exit_code, 2);
      Tree found = read_tree(tree());
      if (run.exit_code == 0) {  // If cleaning up failed, staged files may exist until the next start.
        std::erase_if(found, [](const auto& file) { return file.first.starts_with(".snapgen-"); });
        EXPECT_EQ(found, after);
      }
      if (run.exit_code == 1) {
        EXPECT_EQ(found, before) << described(found);
        ++refused;
      }
      EXPECT_EQ(recover(), 0);
      expect_recovered_either_way();
    }
  }
  EXPECT_GT(refused, writes_ / 2);
}

INSTANTIATE_TEST_SUITE_P(With, Crash,
                         testing::Values(FileSystemCase{.name = "StagingOnTheSameFileSystem"},
                                         FileSystemCase{.name = "StagingElsewhere", .elsewhere = true},
                                         FileSystemCase{.name = "PlainRenamesAlone", .plain_renames = true}),
                         [](const auto& file_system) { return std::string(file_system.param.name); });

}  // namespace
}  // namespace snapgen::core
