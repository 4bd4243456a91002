#include "tools/engine/watch/outside_files.h"

#include <fstream>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/engine/git/scratch.h"

namespace snapgen::core {
namespace {

using Paths = std::vector<std::string>;

struct Relying {
  explicit Relying(const Paths& names) {
    // The target of a symlink is relative to the folder that contains it.
    scratch.run(
        "mkdir -p a/b kept elsewhere; echo 1 > a/b/file; echo 1 > a/b/other; echo 1 > elsewhere/target; "
        "ln -s ../../elsewhere/target a/b/link; ln -s elsewhere folder; echo 1 > one; ln one two; "
        "find . -exec touch -h -d 2020-01-01 {} +");
    for (const std::string& name : names) paths.push_back(scratch.repo() + "/" + name);
    wait_until_old();
    look();
  }
  // Checks the files as the live tree does, until they are known to be unchanged.
  void look() {
    for (int i = 0; i < 1000 && !files.are_unchanged(); ++i) files.mark_read(paths);
    EXPECT_TRUE(files.are_unchanged());
  }
  // Runs the command and returns whether the change is detected. The files are then checked again.
  bool notices(const std::string& command) {
    scratch.run(command);
    const bool noticed = !files.are_unchanged();
    EXPECT_EQ(files.are_unchanged(), !noticed) << "changed files are not unchanged until they are checked";
    wait_until_old();
    look();
    return noticed;
  }
  // A file that is only checked by its stat must not be recent.
  void wait_until_old() const {
    scratch.run(
        "touch ../mark; while [ $(($(date +%s%N) - $(stat -c %.9Y ../mark | tr -d .))) -lt 100000000 ]; "
        "do sleep 0.02; done");
  }

  Scratch scratch;
  Paths paths;
  OutsideFiles files;
};

TEST(OutsideFiles, RemainValidUntilChanged) {
  Relying r({"a/b/file", "kept", "missing/far/away"});
  EXPECT_FALSE(r.notices("true"));
  EXPECT_FALSE(r.notices("cat a/b/file; echo 2 > a/b/other; echo 2 > a/new; mkdir c; touch missed"));
  EXPECT_TRUE(r.notices("echo 2 > a/b/file"));
  EXPECT_TRUE(r.notices("echo 3 > a/b/new; mv a/b/new a/b/file"));
  EXPECT_TRUE(r.notices("echo 4 > a/b/file"));
  EXPECT_TRUE(r.notices("rm a/b/file"));
  EXPECT_TRUE(r.notices("echo 5 > a/b/file; touch -d 2020-01-01 a/b/file"));
  EXPECT_TRUE(r.notices("touch kept/name"));
  EXPECT_TRUE(r.notices("rmdir c; rm -r kept"));
  EXPECT_TRUE(r.notices("mkdir kept"));
  EXPECT_TRUE(r.notices("touch kept/again"));
}

TEST(OutsideFiles, ToleratePathFoldersThatAppearAndDisappear) {
  Relying r({"a/b/file", "missing/far/away"});
  EXPECT_TRUE(r.notices("mv a gone; mkdir -p a/b; echo 1 > a/b/file"));
  EXPECT_FALSE(r.notices("echo 2 > gone/b/file")) << "the path now names another file";
  EXPECT_TRUE(r.notices("echo 2 > a/b/file"));
  EXPECT_TRUE(r.notices("mv a/b a/c"));
  EXPECT_TRUE(r.notices("mv a/c a/b"));
  EXPECT_TRUE(r.notices("mkdir missing"));
  EXPECT_FALSE(r.notices("touch missing/other"));
  EXPECT_TRUE(r.notices("mkdir missing/far"));
  EXPECT_TRUE(r.notices("echo 1 > missing/far/away"));
  EXPECT_TRUE(r.notices("echo 2 > missing/far/away"));
  EXPECT_TRUE(r.notices("rm -r missing"));
}

TEST(OutsideFiles, AreCheckedByStatBehindLinksAndHardLinks) {
  Relying r({"a/b/link", "folder/target", "one", "folder/missing"});
  EXPECT_FALSE(r.notices("true"));
  EXPECT_TRUE(r.notices("echo 2 > elsewhere/target"));
  EXPECT_TRUE(r.notices("echo 2 > two"));
  EXPECT_TRUE(r.notices("touch elsewhere/missing"));
  EXPECT_TRUE(r.notices("rm a/b/link; echo 1 > a/b/link"));
  EXPECT_TRUE(r.notices("echo 2 > a/b/link"));
  EXPECT_TRUE(r.notices("ln -sf ../../elsewhere/target a/b/link"));
  EXPECT_TRUE(r.notices("echo 3 > elsewhere/target"));
}

TEST(OutsideFiles, CheckUnknownFilesFirst) {
  Relying r({"a/b/file"});
  EXPECT_TRUE(r.files.are_unchanged());
  r.paths.push_back(r.scratch.repo() + "/a/b/other");
  r.files.mark_read(r.paths);
  EXPECT_FALSE(r.files.are_unchanged()) << "the file may have changed between the check and the watch";
  r.files.mark_read(r.paths);
  EXPECT_TRUE(r.files.are_unchanged());
  EXPECT_TRUE(r.notices("echo 2 > a/b/other"));
}

TEST(OutsideFiles, AreInvalidAfterLostEvents) {
  Relying r({"a/b/file"});
  std::ifstream limit("/proc/sys/fs/inotify/max_queued_events");
  long events = 0;
  ASSERT_TRUE(limit >> events);
  // Writes alternate between two files, because the kernel merges equal consecutive events.
  r.scratch.run("touch a/b/third");
  const std::string places[2] = {r.scratch.repo() + "/a/b/other", r.scratch.repo() + "/a/b/third"};
  for (long i = 0; i <= events; ++i) ASSERT_EQ(::utimensat(AT_FDCWD, places[i % 2].c_str(), nullptr, 0), 0);
  EXPECT_TRUE(r.notices("true"));
  EXPECT_FALSE(r.notices("true"));
  EXPECT_TRUE(r.notices("echo 2 > a/b/file"));
}

}  // namespace
}  // namespace snapgen::core
