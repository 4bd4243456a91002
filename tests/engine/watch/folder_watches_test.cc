#include "tools/engine/watch/folder_watches.h"

#include <algorithm>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/engine/git/scratch.h"

namespace snapgen::core {
namespace {

struct Folders {
  explicit Folders(std::size_t folders_max = 100) {
    scratch.run("mkdir -p a/b c; ln -s a l");
    Result<FolderWatches> opened = FolderWatches::open(scratch.repo(), folders_max);
    if (opened) watches = std::make_unique<FolderWatches>(*std::move(opened));
  }
  std::string drained() {
    std::string text;
    whole = watches->drain([&](const FolderEvent& event) {
      text += std::string(event.folder) + ":" + std::string(event.name) + (event.is_folder ? "/" : "") +
              (event.is_name_change ? "!" : "") + " ";
    });
    return text;
  }

  Scratch scratch;
  std::unique_ptr<FolderWatches> watches;
  bool whole = true;
};

TEST(FolderWatches, ReportEarlierEventsBeforeAnswering) {
  Folders folders;
  EXPECT_EQ(folders.watches->add("").result, AddResult::watched);
  EXPECT_EQ(folders.watches->add("a").result, AddResult::watched);
  EXPECT_EQ(folders.drained(), "");
  folders.scratch.run("touch a/f; mkdir a/n; chmod 600 a/f; rm a/f; mv c d");
  EXPECT_EQ(folders.drained(), "a:f! a:f a:f a:n/! a:f a:f! :c/! :d/! ");
  EXPECT_EQ(folders.drained(), "");
}

TEST(FolderWatches, FollowNoSymlinksAndRejectNonFolders) {
  Folders folders;
  EXPECT_EQ(folders.watches->add("l").result, AddResult::absent);
  EXPECT_EQ(folders.watches->add("gone").result, AddResult::absent);
  folders.scratch.run("touch file");
  EXPECT_EQ(folders.watches->add("file").result, AddResult::absent);
}

TEST(FolderWatches, RemoveAFolderWithItsSubfolders) {
  Folders folders;
  for (const char* path : {"", "a", "a/b", "c"})
    EXPECT_EQ(folders.watches->add(path).result, AddResult::watched);
  folders.watches->forget("a");
  EXPECT_EQ(folders.watches->size(), 2u);
  folders.scratch.run("touch a/f a/b/f c/f");
  EXPECT_EQ(folders.drained(), "c:f! c:f c:f ");
  EXPECT_EQ(folders.watches->add("a/b").result, AddResult::watched) << "the folder can be watched again";
  folders.scratch.run("touch a/b/g");
  EXPECT_EQ(folders.drained().substr(0, 7), "a/b:g! ");
}

// After a move, the path of a folder may belong to another folder, which needs a separate watch.
TEST(FolderWatches, ForgetMovedFoldersAfterTheirEvents) {
  Folders folders;
  for (const char* path : {"", "a", "a/b"}) EXPECT_EQ(folders.watches->add(path).result, AddResult::watched);
  folders.scratch.run("mv a moved; mkdir a");
  EXPECT_EQ(folders.watches->add("moved").result, AddResult::has_other_path);
  EXPECT_EQ(folders.drained(), ":a/! :moved/! :a/! ");
  EXPECT_EQ(folders.watches->folders(), std::vector<std::string>{""});
  for (const char* path : {"a", "moved"}) EXPECT_EQ(folders.watches->add(path).result, AddResult::watched);
  folders.scratch.run("touch a/f moved/f");
  EXPECT_EQ(folders.drained(), "a:f! a:f a:f moved:f! moved:f moved:f ");
}

TEST(FolderWatches, RejectTooManyFoldersWithAReason) {
  Folders folders(2);
  EXPECT_EQ(folders.watches->add("").result, AddResult::watched);
  EXPECT_EQ(folders.watches->add("a").result, AddResult::watched);
  EXPECT_EQ(folders.watches->add("a").result, AddResult::watched);
  const WatchAddition added = folders.watches->add("c");
  EXPECT_EQ(added.result, AddResult::limit_reached);
  EXPECT_EQ(added.refusal, "it has too many folders");
}

TEST(FolderWatches, FailWhenTheRootIsDeleted) {
  for (const char* script : {"rm -rf ../repo; mkdir ../repo", "mv ../repo ../other; mkdir ../repo"}) {
    Folders folders;
    folders.watches->add("");
    folders.scratch.run(script);
    folders.drained();
    EXPECT_FALSE(folders.whole) << script;
  }
}

TEST(FolderWatches, UseAtMostHalfOfTheSystemLimit) {
  std::ifstream file("/proc/sys/fs/inotify/max_user_watches");
  std::size_t limit = 0;
  ASSERT_TRUE(file >> limit);
  EXPECT_EQ(watched_folders_max(), std::min<std::size_t>(limit / 2, 100'000));
}

// Files in /proc change without events.
TEST(FolderWatches, RejectFileSystemsWithoutReliableEvents) {
  Result<FolderWatches> watches = FolderWatches::open("/proc", 10);
  ASSERT_TRUE(watches);
  const WatchAddition added = watches->add("");
  EXPECT_EQ(added.result, AddResult::refused);
  EXPECT_EQ(added.refusal, "it is on a file system that may change without notice");
  EXPECT_EQ(watches->size(), 0u);
}

}  // namespace
}  // namespace snapgen::core
