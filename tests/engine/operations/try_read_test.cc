// Small reads that the fast path answers, and reads that it leaves to read_worktree().
#include <chrono>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/engine/test_workspace.h"
#include "tools/engine/workspace/coherent.h"

namespace snapgen::core {
namespace {

// A watched workspace, and a lease under which a.txt was read.
class Quick : public TestWorkspace {
 public:
  explicit Quick(std::string_view script = "new; put a.txt one; put b.txt two; put d/c.txt three; save; age")
      : TestWorkspace(script) {
    wait_for_watch();
    opened->allow_watching({.log_line = {}, .pause_ns = 0});
    EXPECT_TRUE(opened->status({}));
    EXPECT_TRUE(opened->live_tree().wait_for_watch());
    lease = renewed();
  }

  // Returns a new lease under which a.txt was read.
  std::string renewed() {
    wait_for_watch();
    Result<WithLease<FileAnswer>> first = file("a.txt");
    EXPECT_TRUE(first) << first.error().message;
    return first ? first->lease.lease_id : std::string();
  }
  std::optional<WithLease<FileAnswer>> now(std::string path) {
    FileQuery query{.path = std::move(path), .start_line = {}, .end_line = {}};
    return try_read(*opened, lease, [&](FileView& view) { return read_file(view, query); });
  }
  // Retries until the last write is old enough that the watch must have reported it.
  std::optional<WithLease<FileAnswer>> soon(const std::string& path) {
    for (int tries = 0; tries < 1000; ++tries) {
      if (std::optional<WithLease<FileAnswer>> answer = now(path)) return answer;
      if (!file(path, lease)) return std::nullopt;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return std::nullopt;
  }
  // Answers as a server does: on the fast path if possible.
  std::string answered(const std::string& path) {
    if (std::optional<WithLease<FileAnswer>> found = now(path)) return found->value.content;
    Result<WithLease<FileAnswer>> answer = file(path, lease);
    return answer ? answer->value.content : "error: " + std::string(answer.error().message);
  }
  bool is_stale() {
    return answered("b.txt").find("has changed since it was read under") != std::string::npos;
  }

  std::string lease;
};

TEST(TryRead, MatchesAnOrdinaryRead) {
  Quick quick;
  const std::optional<WithLease<FileAnswer>> now = quick.soon("b.txt");
  ASSERT_TRUE(now);
  const Result<WithLease<FileAnswer>> later = quick.file("b.txt", quick.lease);
  ASSERT_TRUE(later);
  EXPECT_EQ(now->value.content, "two");
  EXPECT_EQ(now->value.blob, later->value.blob);
  EXPECT_EQ(now->lease.lease_id, later->lease.lease_id);
  EXPECT_EQ(now->lease.fingerprint, later->lease.fingerprint);
  // The lease covers the read.
  ASSERT_TRUE(quick.soon("d/c.txt"));
  quick.scratch.run("put d/c.txt four");
  EXPECT_TRUE(quick.is_stale());
}

TEST(TryRead, DefersReadsThatMustWait) {
  Quick quick("new; put a.txt one; put big x; ln -s a.txt link; save; head -c 100000 /dev/zero > big; age");
  ASSERT_TRUE(quick.soon("a.txt"));
  EXPECT_FALSE(quick.now("big"));
  EXPECT_FALSE(quick.now("link"));
  EXPECT_FALSE(quick.now("missing"));
  EXPECT_FALSE(quick.now(".git/config"));
  EXPECT_FALSE(quick.now("../outside"));
  quick.lease = "lease_aaaaaaaaaaaaaaaa";
  EXPECT_FALSE(quick.now("a.txt"));
}

TEST(TryRead, IsUnavailableWithoutAWatch) {
  TestWorkspace workspace("new; put a.txt one; save; age");
  const Result<WithLease<FileAnswer>> first = workspace.file("a.txt");
  ASSERT_TRUE(first);
  FileQuery query{.path = "a.txt", .start_line = {}, .end_line = {}};
  EXPECT_FALSE(try_read(*workspace.opened, first->lease.lease_id,
                        [&](FileView& view) { return read_file(view, query); }));
}

// A search covers every candidate. The watch reports changes of candidates that the answer does not show.
TEST(TryRead, AnswersAfterASearchOfManyFiles) {
  Quick quick(
      "new; put a.txt one; put b.txt two; mkdir many; for i in $(seq 300); do put many/$i.txt line$i; done; "
      "save; age");
  const Result<WithLease<GrepAnswer>> found =
      quick.search({.pattern = "line250", .fixed = true}, quick.lease);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->value.matches.size(), 1u);
  ASSERT_EQ(found->value.files_searched, 302);
  ASSERT_TRUE(quick.soon("b.txt"));
  quick.scratch.run("put many/7.txt changed");
  EXPECT_TRUE(quick.is_stale());
  quick.lease = quick.renewed();
  ASSERT_TRUE(quick.search({.pattern = "line250", .fixed = true}, quick.lease));
  ASSERT_TRUE(quick.soon("b.txt"));
  quick.scratch.run(
      "touch -r many/250.txt ../stamp; put many/250.txt 052enil; touch -r ../stamp many/250.txt");
  EXPECT_TRUE(quick.is_stale());
}

// Each edit is made after a fast answer and before the next one.
TEST(TryRead, SeesEveryEdit) {
  static constexpr const char* edits[] = {
      "put a.txt edited",
      "put a.txt eno",  // has the same size
      "touch -r a.txt ../stamp; put a.txt eno; touch -r ../stamp a.txt",
      "put new.txt x",
      "rm d/c.txt",
      "chmod +x a.txt",
      "mv a.txt other; put a.txt one; rm other; put d/c.txt x",
      "git commit -q --allow-empty -m two",
      "put new.txt x; git add new.txt",
      "put .gitignore '*.txt'; put b.txt x",
      "git checkout -q -b branch; git commit -q --allow-empty -m two",
  };
  Quick quick;
  for (const char* const edit : edits) {
    SCOPED_TRACE(edit);
    EXPECT_EQ(quick.answered("a.txt"), "one");
    EXPECT_TRUE(quick.soon("a.txt"));
    quick.scratch.run(edit);
    EXPECT_TRUE(quick.is_stale());
    quick.scratch.run(
        "git checkout -q main; git reset -q --hard HEAD; git clean -qfd; put a.txt one; put b.txt two; "
        "put d/c.txt three; age");
    quick.lease = quick.renewed();
  }
}

TEST(TryRead, SeesASecondEditOfADirtyFile) {
  Quick quick;
  quick.scratch.run("put a.txt first; age");
  quick.lease = quick.renewed();
  EXPECT_EQ(quick.answered("b.txt"), "two");
  EXPECT_TRUE(quick.soon("a.txt"));
  quick.scratch.run("put a.txt again");
  EXPECT_TRUE(quick.is_stale());
}

TEST(TryRead, SeesAWriteThroughAMapping) {
  Quick quick;
  ASSERT_TRUE(quick.soon("b.txt"));
  const int fd = ::open((quick.scratch.repo() + "/a.txt").c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(fd, 0);
  void* const mapped = ::mmap(nullptr, 3, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  ASSERT_NE(mapped, MAP_FAILED);
  EXPECT_EQ(quick.answered("b.txt"), "two");
  static_cast<char*>(mapped)[0] = 'O';
  EXPECT_TRUE(quick.is_stale());
  ::munmap(mapped, 3);
  ::close(fd);
}

// Ignore rules and settings outside the work tree: those of the repository and of the user.
TEST(TryRead, ChecksFilesOutsideTheTree) {
  Quick quick("new; put a.txt one; put b.txt two; put junk.o x; save; git rm -q --cached junk.o; age");
  static constexpr const char* changes[] = {
      "echo '*.o' >> .git/info/exclude",
      "mkdir -p ../home/.config/git; echo '*.o' > ../home/.config/git/ignore",
      "git config --global core.excludesFile \"$PWD/../ignored\"; echo '*.o' > ../ignored",
      "git config status.showUntrackedFiles no",
      "mv .git/info .git/old; mkdir .git/info; echo '*.o' > .git/info/exclude",
  };
  for (const char* const change : changes) {
    SCOPED_TRACE(change);
    EXPECT_EQ(quick.answered("a.txt"), "one");
    EXPECT_TRUE(quick.soon("a.txt"));
    quick.scratch.run(change);
    EXPECT_TRUE(quick.is_stale());
    quick.scratch.run(
        "rm -rf ../home/.config ../ignored; rm -rf .git/old; : > .git/info/exclude; "
        "git config --global --unset core.excludesFile || true; "
        "git config --unset status.showUntrackedFiles || true; age");
    quick.lease = quick.renewed();
  }
}

// A configuration behind a symlink, as many users have it, changes without an event.
TEST(TryRead, ChecksAConfigurationBehindASymlink) {
  Quick quick(
      "new; put a.txt one; put b.txt two; put junk.o x; save; git rm -q --cached junk.o; "
      "mkdir ../dotfiles; touch ../dotfiles/config; ln -sf ../dotfiles/config ../home/.gitconfig; age");
  EXPECT_EQ(quick.answered("a.txt"), "one");
  EXPECT_TRUE(quick.soon("a.txt"));
  quick.scratch.run("git config -f ../dotfiles/config status.showUntrackedFiles no");
  EXPECT_TRUE(quick.is_stale());
}

}  // namespace
}  // namespace snapgen::core
