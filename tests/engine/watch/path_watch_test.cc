#include "tools/engine/watch/path_watch.h"

#include <fstream>
#include <optional>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/engine/git/scratch.h"

namespace snapgen::core {
namespace {

using Paths = std::vector<std::string>;

struct Watching {
  explicit Watching(const Paths& paths) {
    scratch.run("mkdir -p a/b kept; echo 1 > a/b/file; echo 1 > a/b/other");
    Paths whole;
    for (const std::string& path : paths) whole.push_back(scratch.repo() + "/" + path);
    Result<PathWatch> opened = PathWatch::open({scratch.repo()}, std::move(whole));
    EXPECT_TRUE(opened);
    if (opened) watch.emplace(*std::move(opened));
  }
  // Returns the paths, below the root, that the command changes.
  Paths after(const std::string& command) {
    scratch.run(command);
    Paths out;
    for (const std::string& path : watch->take_changed_paths())
      out.push_back(path.substr(scratch.repo().size() + 1));
    return out;
  }

  Scratch scratch;
  std::optional<PathWatch> watch;
};

TEST(PathWatch, ReportsOnlyItsFiles) {
  Watching w({"a/b/file", "kept"});
  EXPECT_EQ(w.after("true"), Paths());
  EXPECT_EQ(w.after("echo 2 > a/b/file"), Paths{"a/b/file"});
  EXPECT_EQ(w.after("echo 2 > a/b/other; echo x > a/new; mkdir c"), Paths());
  EXPECT_EQ(w.after("echo 3 > a/b/new; mv a/b/new a/b/file"), Paths{"a/b/file"});
  EXPECT_EQ(w.after("rm a/b/file"), Paths{"a/b/file"});
  EXPECT_EQ(w.after("echo 4 > a/b/file; touch kept/x"), (Paths{"a/b/file", "kept"}));
  EXPECT_EQ(w.after("echo 4 >> kept/x"), Paths{"kept"});
}

TEST(PathWatch, FollowsFoldersThatAppearAndDisappear) {
  Watching w({"a/b/file", "x/y/z", "x/y"});
  EXPECT_EQ(w.after("mv a old; mkdir -p a/b"), Paths{"a/b/file"});
  EXPECT_EQ(w.after("echo 2 > old/b/file"), Paths()) << "the path no longer leads to the watched file";
  EXPECT_EQ(w.after("echo 2 > a/b/file"), Paths{"a/b/file"});
  EXPECT_EQ(w.after("rm -r a"), Paths{"a/b/file"});
  EXPECT_EQ(w.after("mkdir a"), Paths{"a/b/file"});
  EXPECT_EQ(w.after("mkdir a/b; echo 3 > a/b/file"), Paths{"a/b/file"});
  EXPECT_EQ(w.after("mkdir -p x/y"), (Paths{"x/y/z", "x/y"}));
  EXPECT_EQ(w.after("touch x/y/z"), (Paths{"x/y/z", "x/y"}));
  EXPECT_EQ(w.after("touch x/y/other"), Paths{"x/y"});
  EXPECT_EQ(w.after("touch x/other"), Paths());
}

TEST(PathWatch, PathsOutsideTheRootsAreNotWatched) {
  Watching w({});
  Result<PathWatch> watch = PathWatch::open({w.scratch.repo()}, {w.scratch.outside("elsewhere")});
  ASSERT_TRUE(watch);
  w.scratch.write("../elsewhere", "x");
  EXPECT_EQ(watch->take_changed_paths(), Paths());
}

TEST(PathWatch, ReportsEverythingAsChangedAfterLostEvents) {
  Watching w({"a/b/file", "kept"});
  std::ifstream limit("/proc/sys/fs/inotify/max_queued_events");
  long events = 0;
  ASSERT_TRUE(limit >> events);
  // Events alternate between two files, because the kernel merges equal consecutive events.
  const std::string places[2] = {w.scratch.repo() + "/a/b/other", w.scratch.repo() + "/a/b"};
  for (long i = 0; i <= events; ++i) ASSERT_EQ(::utimensat(AT_FDCWD, places[i % 2].c_str(), nullptr, 0), 0);
  EXPECT_EQ(w.after("true"), (Paths{"a/b/file", "kept"}));
  EXPECT_EQ(w.after("echo 2 > a/b/file"), Paths{"a/b/file"});
}

}  // namespace
}  // namespace snapgen::core
