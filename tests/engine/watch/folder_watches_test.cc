#include "tools/engine/watch/folder_watches.h"

#include <algorithm>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/engine/git/scratch.h"

namespace snapgen::core {
namespace {

using AddResult = FolderWatches::AddResult;

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
  EXPECT_EQ(folders.watches->add(""), AddResult::watched);
  EXPECT_EQ(folders.watches->add("a"), AddResult::watched);
  EXPECT_EQ(folders.drained(), "");
  folders.scratch.run("touch a/f; mkdir a/n; chmod 600 a/f; rm a/f; mv c d");
  EXPECT_EQ(folders.drained(), "a:f! a:f a:f a:n/! a:f a:f! :c/! :d/! ");
  EXPECT_EQ(folders.drained(), "");
}

TEST(FolderWatches, FollowNoSymlinksAndRejectNonFolders) {
  Folders folders;
  EXPECT_EQ(folders.watches->add("l"), AddResult::absent);
  EXPECT_EQ(folders.watches->add("gone"), AddResult::absent);
  folders.scratch.run("touch file");
  EXPECT_EQ(folders.watches->add("file"), AddResult::absent);
}

TEST(FolderWatches, RemoveAFolderWithItsSubfolders) {
  Folders folders;
  for (const char* path : {"", "a", "a/b", "c"}) EXPECT_EQ(folders.watches->add(path), AddResult::watched);
  folders.watches->forget("a");
  EXPECT_EQ(folders.watches->size(), 2u);
  folders.scratch.run("touch a/f a/b/f c/f");
  EXPECT_EQ(folders.drained(), "c:f! c:f c:f ");
  EXPECT_EQ(folders.watches->add("a/b"), AddResult::watched) << "it can be watched again";
  folders.scratch.run("touch a/b/g");
  EXPECT_EQ(folders.drained().substr(0, 7), "a/b:g! ");
}

TEST(FolderWatches, RejectTooManyFoldersWithAReason) {
  Folders folders(2);
  EXPECT_EQ(folders.watches->add(""), AddResult::watched);
  EXPECT_EQ(folders.watches->add("a"), AddResult::watched);
  EXPECT_EQ(folders.watches->add("a"), AddResult::watched);
  EXPECT_EQ(folders.watches->add("c"), AddResult::refused);
  EXPECT_EQ(folders.watches->refusal(), "it has too many folders");
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
  EXPECT_EQ(watches->add(""), AddResult::refused);
  EXPECT_EQ(watches->refusal(), "it is on a file system that may change without notice");
}

}  // namespace
}  // namespace snapgen::core
