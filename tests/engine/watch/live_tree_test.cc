// Changes that the watch must detect, and states in which the watch must not be relied on. All answers are
// compared with those of git.
#include "tools/engine/watch/live_tree.h"

#include <semaphore>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/engine/no_threads.h"
#include "tests/engine/watch/watched.h"

namespace snapgen::core {
namespace {

constexpr std::string_view small_tree =
    "new; put a.txt a; put src/b.txt b; put src/deep/c.txt c; put .gitignore '*.o'; save";

TEST(LiveTree, SeesEditsOfEveryKind) {
  Watched watched(small_tree);
  ASSERT_TRUE(watched.arm());
  watched.expect_git("put a.txt edited");
  watched.expect_git("put a.txt a");
  watched.expect_git("chmod +x src/b.txt");
  watched.expect_git("rm src/deep/c.txt");
  watched.expect_git("put src/new.txt n; put src/made.o o");
  watched.expect_git("mkfifo pipe; ln -s nowhere link; mkdir empty");
  watched.expect_git("put empty/full x");
  watched.expect_git("rm -r empty link; put 'odd \n name' x");
}

TEST(LiveTree, IsNotWatchedWithoutAThread) {
  Watched watched(small_tree);
  const std::optional<bool> answered =
      without_threads([&] { return !watched.arm() && watched.status().empty() && !watched.arm(); });
  if (!answered) GTEST_SKIP() << "this system does not allow a seccomp filter";
  EXPECT_TRUE(*answered);
}

TEST(LiveTree, ReportsEventsWithoutARead) {
  Watched watched(small_tree);
  ASSERT_TRUE(watched.arm());
  std::counting_semaphore<> notified(0);
  watched.tree->set_listener([&notified] { notified.release(); });
  watched.scratch.run("put a.txt edited");
  notified.acquire();
  // Either the call or the watch has processed the event, whichever was first.
  watched.expect_git("put src/b.txt edited");
  notified.acquire();
  watched.tree->set_listener({});
  while (notified.try_acquire()) {
  }
  watched.expect_git("put a.txt again");
  EXPECT_FALSE(notified.try_acquire());
}

TEST(LiveTree, SeesAnEditWithOldTimesAndSize) {
  Watched watched(small_tree);
  watched.scratch.run("age; git update-index -q --refresh; touch -d 2021-01-01 .git/index");
  ASSERT_TRUE(watched.arm());
  watched.expect_git("touch -r a.txt ../stamp; put a.txt longer; touch -r ../stamp a.txt");
  // Now the size is unchanged, too, so git can detect the change only by the nanoseconds of the time.
  watched.scratch.run("put a.txt b; touch -r ../stamp a.txt");
  EXPECT_EQ(watched.status(), shown(watched.scratch.truth().status));
}

TEST(LiveTree, WatchesTheRootIfGitHidesUntrackedFiles) {
  for (const std::string_view change : {"put a.txt edited", "mv src moved", "rm a.txt"}) {
    Watched watched(small_tree);
    watched.scratch.run("git config status.showUntrackedFiles no");
    ASSERT_TRUE(watched.arm());
    watched.scratch.run(change);
    EXPECT_EQ(watched.status(), shown(watched.scratch.truth().status)) << change;
    EXPECT_TRUE(watched.is_watched());
    watched.expect_git("put .gitignore ''; put src/b.txt edited");
  }
}

TEST(LiveTree, FollowsMovedFolders) {
  Watched watched(small_tree);
  ASSERT_TRUE(watched.arm());
  watched.expect_git("mv src moved");
  watched.expect_git("put moved/b.txt edited; put moved/deep/new x");
  watched.expect_git("mv moved src");
  watched.expect_git("put src/deep/c.txt edited");
  watched.expect_git("mv src/deep deep; put deep/c.txt again");
  watched.expect_git("rm -rf src; mv deep src; put src/later x");
  watched.expect_git("mkdir -p x/y/z; mv x src/x; put src/x/y/z/file f");
}

TEST(LiveTree, RescansASwappedFolder) {
  Watched watched(small_tree);
  ASSERT_TRUE(watched.arm());
  watched.expect_git("cp -r src other; put other/b.txt other; mv src old; mv other src");
  watched.expect_git("put src/deep/c.txt x");
  watched.expect_git("put old/deep/c.txt y; rm -r src; ln -s old src");
  watched.expect_git("put old/b.txt z");
}

TEST(LiveTree, WatchesNewFoldersRecursively) {
  Watched watched(small_tree);
  ASSERT_TRUE(watched.arm());
  watched.expect_git("mkdir -p n/e/w; put n/e/w/file 1; git add n; put n/e/w/file 2");
  watched.expect_git("put n/e/w/file 1");
  watched.expect_git("put n/e/x.o o; put n/e/y y");
}

TEST(LiveTree, ReloadsChangedRulesAndAttributes) {
  Watched watched(small_tree);
  ASSERT_TRUE(watched.arm());
  watched.expect_git("put x.o 1; put src/y.tmp 2");
  watched.expect_git("put .gitignore '*.tmp'");
  watched.expect_git("put src/.gitignore '!*.tmp'");
  watched.expect_git("put .git/info/exclude 'x*'");
  watched.expect_git("put ../home/.config/git/ignore '*.tmp'");
  watched.expect_git("git config core.excludesFile ../mine; put ../mine 'src'");
  watched.expect_git("put ../mine ''");
  watched.expect_git("git config status.showUntrackedFiles no");
  watched.expect_git("git config --unset status.showUntrackedFiles");
  watched.expect_git("printf 'a\\r\\n' > a.txt; put .gitattributes '*.txt text'");
  watched.expect_git("rm .gitattributes");
}

TEST(LiveTree, SeesChangesByGit) {
  Watched watched(small_tree);
  ASSERT_TRUE(watched.arm());
  watched.expect_git("put a.txt edited; git add a.txt");
  watched.expect_git("git commit -qm edited");
  watched.expect_git("git checkout -q -b side HEAD~1; put src/b.txt side; git commit -qam side");
  watched.expect_git("put src/deep/c.txt stashed; put untracked u; git stash -q -u");
  watched.expect_git("git stash pop -q");
  watched.expect_git("git commit -qam more; git rebase -q main");
  watched.expect_git("git reset -q --soft HEAD~1");
  watched.expect_git("git gc -q; git pack-refs --all");
  watched.expect_git("git checkout -q main -- . ; git status");
  watched.expect_git("git update-ref refs/heads/side main; git symbolic-ref HEAD refs/heads/side");
}

TEST(LiveTree, SeesNestedRepositoriesAppearAndDisappear) {
  Watched watched(small_tree);
  ASSERT_TRUE(watched.arm());
  watched.expect_git("mkdir nest; put nest/file x");
  watched.expect_git("(cd nest && new)");
  watched.expect_git("(cd nest && save)");
  watched.expect_git("mv nest/.git/HEAD nest/.git/head");
  watched.expect_git("mv nest/.git/head nest/.git/HEAD; rm nest/file");
  watched.expect_git("rm -rf nest/.git; put nest/again x");
  watched.expect_git("git worktree add -q tree; put tree/a.txt edited");
  watched.expect_git("rm -r .git/worktrees/tree");
}

TEST(LiveTree, ReportsASymlinkToAFolderAsOneEntry) {
  Watched watched(small_tree);
  watched.scratch.run("mkdir ../elsewhere; put ../elsewhere/file x; ln -s ../elsewhere out; git add out");
  ASSERT_TRUE(watched.arm());
  watched.expect_git("put ../elsewhere/file y; put ../elsewhere/new z");
  watched.expect_git("rm out; ln -s src out");
  watched.expect_git("put src/b.txt edited");
}

TEST(LiveTree, ReportsAFileWithTwoNamesUnderBoth) {
  Watched watched(small_tree);
  ASSERT_TRUE(watched.arm());
  watched.expect_git("ln a.txt twin; git add twin");
  watched.expect_git("put twin changed");
  watched.expect_git("rm twin; put a.txt a");
}

TEST(LiveTree, SeesWritesThroughAKnownOutsideLink) {
  Watched watched(small_tree);
  watched.scratch.run("ln a.txt ../outside");
  ASSERT_TRUE(watched.arm());
  watched.expect_git("put ../outside changed");
  watched.expect_git("put ../outside a");
}

TEST(LiveTree, SeesAMappedWriteWhenTheMappingEnds) {
  Watched watched(small_tree);
  ASSERT_TRUE(watched.arm());
  const int fd = ::open((watched.scratch.repo() + "/a.txt").c_str(), O_RDWR | O_CLOEXEC);
  void* const memory = ::mmap(nullptr, 1, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  ASSERT_NE(memory, MAP_FAILED);
  ::close(fd);
  watched.expect_git("true");
  *static_cast<char*>(memory) = 'm';
  ::munmap(memory, 1);
  watched.expect_git("true");
  EXPECT_EQ(watched.status(), " M a.txt\\0\n");
}

TEST(LiveTree, ChecksSuspectedPathsAgain) {
  Watched watched(small_tree);
  ASSERT_TRUE(watched.arm());
  const int fd = ::open((watched.scratch.repo() + "/a.txt").c_str(), O_RDWR | O_CLOEXEC);
  void* const memory = ::mmap(nullptr, 1, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  ASSERT_NE(memory, MAP_FAILED);
  *static_cast<char*>(memory) = 'm';
  watched.tree->suspect({"a.txt"});
  watched.expect_git("true");
  // Without msync the page remains dirty, and a second write does not change the file's times.
  ASSERT_EQ(::msync(memory, 1, MS_SYNC), 0);
  *static_cast<char*>(memory) = 'a';
  watched.tree->suspect_all();
  watched.expect_git("true");
  ::munmap(memory, 1);
  ::close(fd);
}

TEST(LiveTree, WatchesARecreatedRoot) {
  Watched watched(small_tree);
  ASSERT_TRUE(watched.arm());
  watched.scratch.run("cp -a . ../copy; rm -rf ../repo; mv ../copy ../repo; cd ../repo; put a.txt fresh");
  EXPECT_EQ(watched.status(), shown(watched.scratch.truth().status));
  EXPECT_TRUE(watched.tree->wait_for_watch());
  watched.expect_git("put src/b.txt fresh");
}

// The index is freed only if it was read some time after it was written.
void rest(Watched& watched) {
  while (watched.is_watched() && !watched.tree->release_memory()) std::this_thread::yield();
}

TEST(LiveTree, RetainsItsStateWhileIdle) {
  Watched watched(small_tree);
  watched.scratch.run("put new.txt n; age; git update-index -q --refresh");
  ASSERT_TRUE(watched.arm());
  const std::string before = watched.status();
  const std::string files = watched.files();
  rest(watched);
  EXPECT_TRUE(watched.tree->release_memory());
  EXPECT_EQ(watched.status(), before);
  EXPECT_EQ(watched.files(), files);
  EXPECT_TRUE(watched.is_watched());
  // Each change is the first that requires the index, which must be read again or was rewritten.
  for (const std::string_view change :
       {"put a.txt edited", "rm src/b.txt", "put src/deep/new.txt n", "rm -r src/deep",
        "put .gitignore '*.txt'", "git add -A", "git commit -qm next",
        "git config core.untrackedCache true; put b.txt b", "mkdir -p x/y; put x/y/z z", "mv x w",
        "git rm -q --cached a.txt", "git reset -q --hard",
        "cp .git/index copy; put w/y/p p; git add w/y/p; mv copy .git/index"}) {
    rest(watched);
    watched.expect_git(change);
  }
  // A read of the status detects the change. A read of the files after the index was freed must include it.
  watched.scratch.run("put w/y/r r; rm w/y/p");
  EXPECT_EQ(watched.status(), shown(watched.scratch.truth().status));
  rest(watched);
  EXPECT_EQ(watched.files(), watched.files_by_walk());
  EXPECT_TRUE(watched.is_watched());
}

TEST(LiveTree, StartsNoWatchWhileSuspended) {
  Watched watched(small_tree);
  {
    const LiveTree::WatchDelay hold(*watched.tree);
    const LiveTree::WatchDelay another(*watched.tree);
    // This is much longer than a watch takes to start.
    for (int i = 0; i < 300; ++i) {
      ASSERT_EQ(watched.status(), "");
      ASSERT_FALSE(watched.is_watched());
    }
  }
  EXPECT_TRUE(watched.tree->wait_for_watch());
  watched.expect_git("put a.txt edited");
}

TEST(LiveTree, FallsBackToAWalkAndReportsItOnce) {
  Watched watched(small_tree, 2);
  EXPECT_FALSE(watched.arm());
  EXPECT_FALSE(watched.arm());
  ASSERT_EQ(watched.reports.size(), 1u);
  EXPECT_EQ(watched.reports[0], "the work tree is not watched: it has too many folders");
  watched.scratch.run("put a.txt edited");
  EXPECT_EQ(watched.status(), " M a.txt\\0\n");
}

TEST(LiveTree, DoesNotCacheStatesThatOnlyGitCanCompute) {
  Watched watched(small_tree);
  watched.scratch.run("git config core.ignoreCase true");
  EXPECT_FALSE(watched.arm());
  ASSERT_EQ(watched.reports.size(), 1u);
  EXPECT_TRUE(watched.reports[0].ends_with("only git can determine its state: core.ignoreCase is on"))
      << watched.reports[0];
  watched.scratch.run("git config core.ignoreCase false");
  EXPECT_TRUE(watched.arm());
  watched.expect_git("put a.txt edited");
}

TEST(LiveTree, SurvivesAnEventQueueOverflow) {
  Watched watched(small_tree);
  ASSERT_TRUE(watched.arm());
  for (int round = 0; round < 3; ++round) {
    // Writes alternate between two files, because the kernel merges equal consecutive events.
    const std::string byte = std::to_string(round);
    watched.scratch.run("i=0; while [ $i -lt 6000 ]; do echo >> x" + byte + "; echo >> y" + byte +
                        "; i=$((i+1)); done; put a.txt " + byte);
    EXPECT_EQ(watched.status(), shown(watched.scratch.truth().status));
    watched.tree->wait_for_watch();
  }
  watched.expect_git("put src/b.txt edited");
}

TEST(LiveTree, WatchesAFolderWithoutGit) {
  Watched watched("put a a; mkdir d");
  ASSERT_TRUE(watched.arm());
  EXPECT_EQ(watched.status(), "?? a\\0\n");
  watched.scratch.run("put d/e x; rm a");
  EXPECT_EQ(watched.status(), "?? d/\\0\n");
  EXPECT_TRUE(watched.is_watched());
}

}  // namespace
}  // namespace snapgen::core
