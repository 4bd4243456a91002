// A tree that cannot watch its folders uses the watch of another process. All answers are compared with those
// of git.
#include <chrono>
#include <csignal>
#include <memory>
#include <random>
#include <semaphore>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/engine/git/random_walk.h"
#include "tests/engine/watch/watched.h"
#include "tools/engine/watch/watch_socket.h"

namespace snapgen::core {
namespace {

constexpr std::string_view shared_tree =
    "mkdir ../offers; new; put a.txt a; put src/b.txt b; put src/deep/c.txt c; put .gitignore '*.o'; save";
// the maximum number of folders of a tree that needs the watch of another process
constexpr std::size_t too_few = 1;
constexpr std::string_view through_other = "watching 3 folders through another process";

// A mount anywhere ends each watch. As root, other tests mount file systems at the same time, but as root
// this program can also have a separate mount namespace.
class OwnMounts : public testing::Environment {
  void SetUp() override {
    if (::unshare(CLONE_NEWNS) == 0) ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
  }
};
const testing::Environment* const own_mounts = testing::AddGlobalTestEnvironment(new OwnMounts);

// The names of the sockets in the folder of the offers.
std::string offers(const Scratch& scratch) { return scratch.answer("ls ../offers").output; }

// A process that only watches the tree of a Scratch from the call of arm() on. Create it before any thread
// starts. The destructor kills it.
class WatchingProcess {
 public:
  explicit WatchingProcess(const Scratch& scratch) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
    socket_ = Fd(ends[0]);
    const Fd other_end(ends[1]);
    pid_ = ::fork();
    if (pid_ != 0) return;
    socket_.reset();
    char byte = 0;
    if (::read(other_end.get(), &byte, 1) != 1) ::_exit(1);
    WatchingTree watching(scratch);
    byte = watching.arm() ? 'y' : 'n';
    if (::write(other_end.get(), &byte, 1) == 1) ::pause();
    ::_exit(1);
  }
  WatchingProcess(WatchingProcess&&) = delete;
  ~WatchingProcess() { kill(); }

  void kill() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }
  void stop() const {
    ::kill(pid_, SIGSTOP);
    ::waitpid(pid_, nullptr, WUNTRACED);
  }
  void resume() const { ::kill(pid_, SIGCONT); }
  bool arm() const {
    char byte = 'a';
    return ::write(socket_.get(), &byte, 1) == 1 && ::read(socket_.get(), &byte, 1) == 1 && byte == 'y';
  }

 private:
  Fd socket_;
  pid_t pid_ = -1;
};

TEST(SharedWatch, SeesEditsOfEveryKind) {
  Watched own(shared_tree);
  ASSERT_TRUE(own.arm());
  WatchingTree other(own.scratch, too_few);
  ASSERT_TRUE(other.arm());
  EXPECT_EQ(other.reports.back(), through_other);
  for (const char* const script :
       {"put a.txt edited", "chmod +x src/b.txt", "rm src/deep/c.txt", "put src/new.txt n; put src/made.o o",
        "mkdir empty; ln -s nowhere link", "put empty/full x", "mv src moved", "put moved/deep/new x",
        "mv moved src; put src/deep/new y", "rm -rf src; mv empty src; put src/later x",
        "mkdir -p x/y/z; mv x src/x; put src/x/y/z/file f", "git add -A; git commit -qm next",
        "put .gitignore '*.txt'"}) {
    other.expect_git(script);
    own.expect_git("true");
  }
  for (const char* const script :
       {"mkdir -p n/e/w; put n/e/w/file 1", "mv n m; mkdir n; put n/file 2", "put m/e/w/file 3; put n/file 4",
        "rm -r m; mv n m; put m/file 5", "git stash -q -u; git stash pop -q"}) {
    own.expect_git(script);
    other.expect_git("true");
  }
}

// The owner receives no calls, so it watches the new folders only for the other tree.
TEST(SharedWatch, FollowsMovedFolders) {
  Watched own(shared_tree);
  ASSERT_TRUE(own.arm());
  WatchingTree other(own.scratch, too_few);
  ASSERT_TRUE(other.arm());
  for (const char* const script :
       {"mv src moved; cp -r moved src", "put src/b.txt 1; put src/deep/c.txt 1", "put moved/deep/c.txt 2",
        "rm -r src; mv moved src", "put src/deep/c.txt 3",
        "mv src/deep deep; mkdir src/deep; put src/deep/n 4", "put src/deep/n 5; put deep/c.txt 5",
        "cp -r src new; mv src old; mv new src", "put src/deep/n 6",
        "rm -r src; ln -s old src; put old/b.txt 7", "rm src; mkdir src; put src/b.txt 8", "put src/b.txt 9"})
    other.expect_git(script);
}

TEST(SharedWatch, ReportsEventsWithoutARead) {
  Watched own(shared_tree);
  ASSERT_TRUE(own.arm());
  WatchingTree other(own.scratch, too_few);
  ASSERT_TRUE(other.arm());
  std::counting_semaphore<> of_own(0);
  std::counting_semaphore<> of_other(0);
  own.tree->set_listener([&of_own] { of_own.release(); });
  other.tree->set_listener([&of_other] { of_other.release(); });
  for (const char* const script : {"put a.txt edited", "put src/b.txt edited", "put src/deep/c.txt edited"}) {
    own.scratch.run(script);
    of_own.acquire();
    of_other.acquire();
    other.expect_git("true");
  }
  own.tree->set_listener({});
  other.tree->set_listener({});
}

TEST(SharedWatch, ReportsEventsThatAnotherProcessReadToTheOwner) {
  Watched own(shared_tree);
  ASSERT_TRUE(own.arm());
  WatchingTree other(own.scratch, too_few);
  ASSERT_TRUE(other.arm());
  for (int round = 0; round < 5; ++round) {
    std::counting_semaphore<> notified(0);
    own.tree->set_listener([&notified] { notified.release(); });
    other.expect_git("put a.txt " + std::to_string(round));
    notified.acquire();
    own.tree->set_listener({});
  }
}

// The first tree does not list files, so it does not watch folders inside of untracked ones.
TEST(SharedWatch, WatchesFoldersThatOnlyTheOtherTreeNeeds) {
  Watched own(std::string(shared_tree) + "; put new/deep/f f; put new/deep/er/g g");
  ASSERT_TRUE(own.arm());
  WatchingTree other(own.scratch, too_few);
  ASSERT_TRUE(other.arm());
  for (const char* const script : {"put new/deep/er/g edited", "put new/deep/er/st/h h", "rm -r new/deep/er",
                                   "mv new/deep deep", "put deep/er/i i"})
    other.expect_git(script);
  own.expect_git("put deep/er/i edited");
}

TEST(SharedWatch, FallsBackIfTheOwnerMayNotWatchMoreFolders) {
  Watched own(shared_tree, 3);
  ASSERT_TRUE(own.arm());
  WatchingTree other(own.scratch, too_few);
  ASSERT_TRUE(other.arm());
  own.scratch.run("put fourth/d.txt d");
  EXPECT_EQ(other.status(), shown(own.scratch.truth().status));
  EXPECT_FALSE(other.is_watched());
  EXPECT_TRUE(own.is_watched()) << "the request of another tree does not end the watch";
}

// Together they may watch no more folders than one of them.
TEST(SharedWatch, TreesThatBeginTogetherDoNotUseUpTheLimit) {
  for (int round = 0; round < 5; ++round) {
    Watched first(shared_tree, 8);
    std::vector<std::unique_ptr<WatchingTree>> others;
    for (int i = 0; i < 5; ++i) others.push_back(std::make_unique<WatchingTree>(first.scratch, 8));
    EXPECT_TRUE(first.tree->status({}));
    for (const auto& other : others) EXPECT_TRUE(other->tree->status({}));
    EXPECT_TRUE(first.tree->wait_for_watch());
    for (const auto& other : others) {
      EXPECT_TRUE(other->tree->wait_for_watch());
      other->expect_git("true");
    }
    EXPECT_EQ(first.scratch.answer("ls ../offers | wc -l").output, "2\n");
  }
}

TEST(SharedWatch, EndsWithTheOwnersWatch) {
  auto own = std::make_unique<Watched>(shared_tree);
  WatchingTree first(own->scratch);
  ASSERT_TRUE(first.arm());
  WatchingTree other(own->scratch, too_few);
  ASSERT_TRUE(other.arm());
  ASSERT_TRUE(own->arm());
  first.tree.reset();
  own->scratch.run("put a.txt edited");
  EXPECT_EQ(other.status(), shown(own->scratch.truth().status));
  EXPECT_TRUE(other.tree->wait_for_watch()) << "the other tree uses the remaining watch";
  EXPECT_EQ(other.reports.back(), through_other);
  other.expect_git("put a.txt again");
}

TEST(SharedWatch, LeavesNoSocketBehind) {
  Watched scratch_only(shared_tree);
  const Scratch& scratch = scratch_only.scratch;
  EXPECT_EQ(offers(scratch), "");
  {
    WatchingTree own(scratch);
    EXPECT_EQ(offers(scratch), "") << "no watch is offered before it is complete";
    ASSERT_TRUE(own.arm());
    EXPECT_EQ(scratch.answer("stat -c '%a %F' ../offers/*").output, "600 socket\n");
  }
  EXPECT_EQ(offers(scratch), "");
  WatchingTree other(scratch, too_few);
  EXPECT_FALSE(other.arm());
  EXPECT_EQ(other.reports.back(), "the work tree is not watched: it has too many folders");
  EXPECT_EQ(offers(scratch), "");
}

TEST(SharedWatch, OffersOnceTheFolderExists) {
  Watched own("new; put a.txt a; put src/b.txt b; put src/deep/c.txt c; save");
  ASSERT_TRUE(own.arm());
  WatchingTree other(own.scratch, too_few);
  EXPECT_FALSE(other.arm());
  own.scratch.run("mkdir ../offers");
  own.tree->offer_watch();
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!other.arm() && std::chrono::steady_clock::now() < deadline) {
  }
  EXPECT_EQ(other.reports.back(), through_other);
}

TEST(SharedWatch, OffersWhileOthersRemoveSocketsThatDoNotListen) {
  const Scratch scratch;
  scratch.run("mkdir ../offers");
  const std::string offers_folder = scratch.outside("offers");
  const std::jthread searcher([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      OfferedWatches offered(offers_folder);
      while (offered.connect_next()) {
      }
    }
  });
  for (int i = 0; i < 500; ++i) ASSERT_TRUE(OfferSocket::open(offers_folder)) << i;
}

TEST(SharedWatch, SurvivesAKilledOwner) {
  Watched other(shared_tree, too_few);
  WatchingProcess process(other.scratch);
  WatchingProcess next(other.scratch);
  WatchingProcess last(other.scratch);
  ASSERT_TRUE(process.arm());
  ASSERT_TRUE(other.arm());
  EXPECT_EQ(other.reports.back(), through_other);
  other.expect_git("put a.txt edited");
  process.kill();
  EXPECT_NE(offers(other.scratch), "");
  other.scratch.run("put a.txt again");
  EXPECT_EQ(other.status(), shown(other.scratch.truth().status));
  EXPECT_FALSE(other.arm());
  EXPECT_EQ(offers(other.scratch), "") << "the socket of the killed process is removed";
  ASSERT_TRUE(next.arm());
  next.kill();
  ASSERT_TRUE(last.arm());
  EXPECT_EQ(other.scratch.answer("ls ../offers | wc -l").output, "1\n")
      << "a new owner also removes the socket of a killed process";
  EXPECT_TRUE(other.arm());
  other.expect_git("put a.txt 'once more'");
}

TEST(SharedWatch, DoesNotWaitForAStoppedOwner) {
  Watched other(shared_tree, too_few);
  WatchingProcess process(other.scratch);
  ASSERT_TRUE(process.arm());
  ASSERT_TRUE(other.arm());
  process.stop();
  other.scratch.run("put a.txt edited");
  EXPECT_EQ(other.status(), shown(other.scratch.truth().status));
  EXPECT_FALSE(other.is_watched());
  EXPECT_FALSE(other.tree->wait_for_watch()) << "the watch of a process that does not respond is not used";
  process.resume();
  EXPECT_TRUE(other.arm());
  other.expect_git("put a.txt again");
}

TEST(SharedWatch, LosesAnOverflow) {
  Watched own(shared_tree);
  ASSERT_TRUE(own.arm());
  WatchingTree other(own.scratch, too_few);
  ASSERT_TRUE(other.arm());
  own.scratch.run("i=0; while [ $i -lt 6000 ]; do echo >> x; echo >> y; i=$((i+1)); done; put a.txt edited");
  EXPECT_EQ(other.status(), shown(own.scratch.truth().status));
  EXPECT_EQ(own.status(), shown(own.scratch.truth().status));
  EXPECT_TRUE(own.tree->wait_for_watch());
  EXPECT_EQ(other.status(), shown(own.scratch.truth().status));
  EXPECT_TRUE(other.arm());
  other.expect_git("put src/b.txt edited");
}

TEST(SharedWatch, IsLostIfTheRootMoves) {
  Watched own(shared_tree);
  ASSERT_TRUE(own.arm());
  WatchingTree other(own.scratch, too_few);
  ASSERT_TRUE(other.arm());
  own.scratch.run("cp -a . ../copy; rm -rf ../repo; mv ../copy ../repo; cd ../repo; put a.txt fresh");
  EXPECT_EQ(other.status(), shown(own.scratch.truth().status));
  own.scratch.run("put src/b.txt fresh");
  EXPECT_EQ(other.status(), shown(own.scratch.truth().status));
}

class SharedWalk : public testing::TestWithParam<unsigned> {};

TEST_P(SharedWalk, AgreesWithGitAfterEveryStep) {
  Watched own("mkdir ../offers; new; put a 1; put d/x 2; put d/e/z 3; put b 4; save");
  WatchingTree other(own.scratch, too_few);
  RandomWalk walk(GetParam());
  std::mt19937 chance(GetParam());
  std::string history;
  int through_own = 0;
  own.arm();
  for (int i = 0; i < walk_steps(); ++i) {
    const std::string step = walk.step();
    history += step + "\n";
    own.scratch.run("{ " + step + "; } >/dev/null 2>&1 || true");
    SCOPED_TRACE("seed " + std::to_string(GetParam()) + ", after\n" + history);
    // Sometimes the owner first processes the step, sometimes the other does.
    if (chance() % 2 == 0) (void)own.tree->status({});
    if (chance() % 4 == 0) (void)own.tree->files({});
    const Result<std::shared_ptr<const GitStatus>> status = other.tree->status({});
    through_own += other.is_watched() ? 1 : 0;
    const Scratch::Truth truth = own.scratch.truth();
    if (truth.failed) {
      ASSERT_FALSE(status);
      continue;
    }
    ASSERT_TRUE(status) << status.error().message;
    ASSERT_EQ(shown((*status)->porcelain_output), shown(truth.status))
        << (other.is_watched() ? "watched" : "walked");
    ASSERT_EQ(other.files(), other.files_by_walk()) << (other.is_watched() ? "watched" : "walked");
    ASSERT_EQ(own.status(), shown(truth.status));
    own.tree->wait_for_watch();
    other.tree->wait_for_watch();
  }
  EXPECT_GT(through_own, 0) << history;
}

std::string shared_walk_name(const testing::TestParamInfo<unsigned>& walk) {
  return std::to_string(walk.param);
}

INSTANTIATE_TEST_SUITE_P(Seeds, SharedWalk, testing::ValuesIn(walk_seeds()), shared_walk_name);

}  // namespace
}  // namespace snapgen::core
