#include "tools/engine/files/root.h"

#include <atomic>
#include <cstdio>
#include <thread>

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/engine/folder.h"
#include "tools/engine/files/path.h"

namespace snapgen::core {
namespace {

class RootTest : public testing::TestWithParam<Root::OpenMethod> {
 protected:
  void SetUp() override {
    folder_.write("repo/a.txt", "A");
    folder_.write("repo/sub/b.txt", "B");
    folder_.write("repo/.git/config", "[core]");
    folder_.write("repo/.snapback/store/x", "blob");
    folder_.write("outside/secret", "secret");
    root_.emplace(*Root::open(folder_ / "repo/", GetParam()));
  }

  std::string content(std::string_view path) {
    Result<OpenedPath> opened = root_->open_file(path);
    if (!opened) return std::string(text(opened.error().code));
    std::string bytes;
    Result<std::size_t> got = read_and_append(opened->fd.get(), bytes, 100);
    return got ? bytes : std::string("unreadable");
  }

  Folder folder_;
  std::optional<Root> root_;
};

INSTANTIATE_TEST_SUITE_P(Openings, RootTest,
                         testing::Values(Root::OpenMethod::openat2, Root::OpenMethod::walk),
                         [](const auto& tested) {
                           return tested.param == Root::OpenMethod::openat2 ? "kernel" : "walk";
                         });

TEST_P(RootTest, OpensFilesBelowTheRoot) {
  EXPECT_EQ(content("a.txt"), "A");
  EXPECT_EQ(content("sub/b.txt"), "B");
  EXPECT_EQ(content("none"), "NOT_FOUND");
  EXPECT_EQ(content("a.txt/x"), "NOT_FOUND");
  EXPECT_EQ(content("sub"), "INVALID_ARGUMENT");
  EXPECT_EQ(content(""), "INVALID_ARGUMENT");
  EXPECT_EQ(content(std::string(256, 'x')), "INVALID_ARGUMENT");
  EXPECT_EQ(content("none/" + std::string(256, 'x')), "NOT_FOUND");
}

TEST_P(RootTest, ATooLongNameIsReportedTruncated) {
  Result<OpenedPath> opened = root_->open_file("sub/" + std::string(5000, 'x'));
  ASSERT_FALSE(opened);
  EXPECT_TRUE(
      opened.error().message.ends_with(" is rejected: a name has at most 255 bytes. Choose a shorter one."));
  EXPECT_LT(opened.error().message.size(), 400U);
}

TEST_P(RootTest, FollowsSymlinksWithinTheRoot) {
  folder_.link("repo/link", "a.txt");
  folder_.link("repo/sub/up", "../a.txt");
  folder_.link("repo/dir", "sub");
  folder_.link("repo/twice", "dir/up");
  EXPECT_EQ(content("link"), "A");
  EXPECT_EQ(content("sub/up"), "A");
  EXPECT_EQ(content("dir/b.txt"), "B");
  Result<OpenedPath> opened = root_->open_file("twice");
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ(opened->path, "a.txt");
  EXPECT_EQ(opened->followed_symlinks, (std::vector<std::string>{"twice", "dir", "sub/up"}));
}

TEST_P(RootTest, RejectsSymlinksThatLeaveTheRoot) {
  folder_.link("repo/absolute", folder_ / "outside/secret");
  folder_.link("repo/relative", "../outside/secret");
  folder_.link("repo/out", "../outside");
  folder_.link("repo/sub/far", "../../outside/secret");
  folder_.link("repo/loop", "loop");
  folder_.link("repo/dangling", "nowhere");
  for (std::string_view path : {"absolute", "relative", "out/secret", "sub/far"}) {
    EXPECT_EQ(content(path), "PERMISSION_DENIED") << path;
  }
  EXPECT_EQ(content("loop"), "INVALID_ARGUMENT");
  EXPECT_EQ(content("dangling"), "NOT_FOUND");
}

TEST_P(RootTest, RejectsSymlinksAnywhereInAPathThatMayHaveNone) {
  folder_.link("repo/link", "a.txt");
  folder_.link("repo/dir", "sub");
  folder_.link("repo/sub/out", "../../outside");
  folder_.link("repo/dangling", "nowhere");
  for (const auto& [path, link] : std::vector<std::pair<std::string, std::string>>{
           {"link", "link"}, {"dir/b.txt", "dir"}, {"sub/out/secret", "sub/out"}, {"dangling", "dangling"}}) {
    const std::string sentence = link + " is a symlink; nothing is read or written through it.";
    EXPECT_EQ(root_->open_file(path, SymlinkPolicy::refused).error().message, sentence);
    EXPECT_EQ(root_->lstat(path, SymlinkPolicy::refused).error().message, sentence);
  }
  EXPECT_EQ(root_->open_folder("dir", SymlinkPolicy::refused).error().code, ErrorCode::permission_denied);
  EXPECT_EQ(root_->open_file("none", SymlinkPolicy::refused).error().code, ErrorCode::not_found);
  EXPECT_TRUE(root_->open_file("sub/b.txt", SymlinkPolicy::refused));
  EXPECT_TRUE(root_->open_folder("sub", SymlinkPolicy::refused));
  EXPECT_EQ(kind_of(*root_->lstat("sub", SymlinkPolicy::refused)), FileKind::folder);
}

TEST_P(RootTest, NeverReadsGitOrTheStoreEvenThroughASymlink) {
  folder_.link("repo/config", ".git/config");
  folder_.link("repo/g", ".git");
  folder_.link("repo/blob", ".snapback/store/x");
  for (std::string_view path :
       {".git/config", ".GIT/config", "config", "g/config", "blob", ".snapback/store/x"}) {
    EXPECT_EQ(content(path), "PERMISSION_DENIED") << path;
    EXPECT_EQ(
        root_->open_file(path).error().message,
        std::string(path) + " belongs to git or to the snapshot store, which tools never read or write.");
  }
}

TEST_P(RootTest, FifosSocketsAndDevicesNeverBlock) {
  ASSERT_EQ(::mkfifo((folder_ / "repo/fifo").c_str(), 0600), 0);
  int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::string name = folder_ / "repo/s";
  name.copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  folder_.link("repo/to_fifo", "fifo");
  for (std::string_view path : {"fifo", "s", "to_fifo"}) {
    EXPECT_EQ(content(path), "INVALID_ARGUMENT") << path;
    Result<FileStat> stat = root_->lstat(path);
    ASSERT_TRUE(stat);
    EXPECT_EQ(kind_of(*stat), path == "to_fifo" ? FileKind::symlink : FileKind::other);
  }
  ::close(socket);
}

TEST_P(RootTest, ReportsUnreadableFiles) {
  ::chmod((folder_ / "repo/a.txt").c_str(), 0);
  ::chmod(folder_.path().c_str(), 0755);
  Unprivileged unprivileged;
  EXPECT_EQ(content("a.txt"), "PERMISSION_DENIED");
  EXPECT_EQ(content("sub/b.txt"), "B");
}

TEST_P(RootTest, ReadsAndStatsLinksWithoutFollowing) {
  folder_.link("repo/out", "/etc/passwd");
  Result<std::string> target = root_->read_link("out");
  ASSERT_TRUE(target);
  EXPECT_EQ(*target, "/etc/passwd");
  Result<FileStat> stat = root_->lstat("out");
  ASSERT_TRUE(stat);
  EXPECT_EQ(kind_of(*stat), FileKind::symlink);
  EXPECT_FALSE(root_->read_link("a.txt"));
}

TEST_P(RootTest, FoldersAreReadInByteOrderWithoutGitAndTheStore) {
  folder_.write("repo/Z", "");
  folder_.write("repo/foo/x", "");
  folder_.write("repo/foo.c", "");
  folder_.write("repo/foo-bar", "");
  Result<std::vector<FolderEntry>> entries = root_->read_folder("");
  ASSERT_TRUE(entries);
  std::string names;
  for (const FolderEntry& entry : *entries) names += entry.name + " ";
  EXPECT_EQ(names, ".snapback Z a.txt foo foo-bar foo.c sub ");
  entries = root_->read_folder(".snapback");
  ASSERT_TRUE(entries);
  EXPECT_TRUE(entries->empty());
}

TEST_P(RootTest, WalksPathsLongerThanPathMax) {
  std::string path;
  Fd at(::open((folder_ / "repo").c_str(), O_PATH | O_DIRECTORY));
  for (int i = 0; i < 30; ++i) {
    std::string name(200, static_cast<char>('a' + i % 26));
    ASSERT_EQ(::mkdirat(at.get(), name.c_str(), 0700), 0);
    at = Fd(::openat(at.get(), name.c_str(), O_PATH | O_DIRECTORY));
    path = joined_path(path, name);
  }
  Fd file(::openat(at.get(), "deep", O_WRONLY | O_CREAT, 0600));
  ASSERT_EQ(::write(file.get(), "deep", 4), 4);
  EXPECT_EQ(content(joined_path(path, "deep")), "deep");
}

TEST_P(RootTest, DetectsAMovedRoot) {
  EXPECT_TRUE(root_->check_not_moved());
  std::filesystem::rename(folder_ / "repo", folder_ / "moved");
  EXPECT_FALSE(root_->check_not_moved());
  std::filesystem::create_directory(folder_ / "repo");
  EXPECT_FALSE(root_->check_not_moved());
  // A new folder may exist at the old path of the root.
  folder_.write("repo/new.txt", "N");
  const Result<OpenedPath> opened = root_->open_file("new.txt");
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::unavailable);
  EXPECT_NE(opened.error().message.find("was moved or replaced; restart the server"), std::string::npos);
  EXPECT_EQ(content("a.txt"), "A");
}

// A thread replaces a folder with a symlink that leads outside and back again, as fast as it can.
TEST_P(RootTest, AFolderSwappedForASymlinkNeverEscapesTheRoot) {
  folder_.write("repo/d/file", "inside");
  folder_.write("outside/file", "outside");
  folder_.link("repo/evil", "../outside");
  std::string d = folder_ / "repo/d";
  std::string evil = folder_ / "repo/evil";
  std::atomic<bool> done = false;
  std::atomic<long> swaps = 0;
  std::thread swapper([&] {
    while (!done) {
      ::syscall(SYS_renameat2, AT_FDCWD, d.c_str(), AT_FDCWD, evil.c_str(), RENAME_EXCHANGE);
      ++swaps;
    }
  });
  int inside = 0;
  int refused = 0;
  while (inside < 200 || refused < 200 || swaps < 2000) {
    std::string got = content("d/file");
    ASSERT_NE(got, "outside");
    ++(got == "inside" ? inside : refused);
  }
  done = true;
  swapper.join();
}

}  // namespace
}  // namespace snapgen::core
