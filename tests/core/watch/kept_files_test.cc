// Reading through a listing that is kept while the tree is watched: the same answers as through a walk's.
#include <cstring>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/core/watch/watched.h"
#include "tests/core/workspace.h"
#include "tools/core/path/path.h"

namespace snapgen::core {
namespace {

constexpr std::string_view tree =
    "new; put a.txt 'one needle'; put src/b.txt two; put src/deep/c.txt 'a needle too'; "
    "put .gitignore '*.o'; save; put loose/x/y 'a needle'; put src/made.o needle";

// Lets the workspace be watched. Whether it is.
bool arm(Workspace& workspace) {
  workspace.substrate->watch({.report = {}, .pause_ns = 0});
  EXPECT_TRUE(workspace.list({.path = "", .cursor = {}}));
  return workspace.substrate->tree().wait_until_settled();
}

std::string shown_matches(const GrepAnswer& answer) {
  std::string out = std::to_string(answer.files_searched) + " files\n";
  for (const GrepMatch& match : answer.matches)
    out += match.path + ":" + std::to_string(match.line) + ":" + match.text + "\n";
  return out;
}

std::string needles(Workspace& workspace, const Workspace::Lease& lease = {}) {
  Result<Coherent<GrepAnswer>> found = workspace.search({.pattern = "needle", .fixed = true}, lease);
  return found ? shown_matches(found->value) : "error: " + found.error().message;
}

// The same, asked of a substrate that knows nothing yet.
std::string needles_by_walk(const Workspace& workspace) {
  Result<std::unique_ptr<Substrate>> fresh =
      Substrate::open(workspace.scratch.repo(), workspace.scratch.environment());
  if (!fresh) return "error: " + fresh.error().message;
  GrepQuery query{.pattern = "needle", .fixed = true};
  Result<Coherent<GrepAnswer>> found =
      read_worktree(**fresh, {}, {}, [&](View& view) { return grep(view, query); });
  return found ? shown_matches(found->value) : "error: " + found.error().message;
}

TEST(KeptFiles, AreSearchedAsFreshOnesAre) {
  Workspace workspace(tree);
  ASSERT_TRUE(arm(workspace));
  EXPECT_EQ(needles(workspace), needles_by_walk(workspace));
  for (const char* script :
       {"put src/b.txt 'needle at last'", "rm a.txt", "mv src moved",
        "put loose/x/z/deep 'needle'; rm loose/x/y", "put .gitignore '*.txt'",
        "git add -A -f; git commit -qm all", "put .gitignore ''", "mkdir -p src; mv moved/deep src/",
        "printf 'needle\\0' > a.txt; ln -s a.txt link"}) {
    workspace.scratch.run(script);
    EXPECT_EQ(needles(workspace), needles_by_walk(workspace)) << script;
  }
  EXPECT_TRUE(workspace.substrate->tree().known_since_ns().has_value());
}

TEST(KeptFiles, AFileThatIsReplacedBetweenListingAndReadingIsReadAsItIs) {
  Workspace workspace(tree);
  ASSERT_TRUE(arm(workspace));
  int times = 0;
  Result<Coherent<GrepAnswer>> found = read_worktree(*workspace.substrate, {}, {}, [&](View& view) {
    Result<const Listing*> listing = view.listing();
    EXPECT_TRUE(listing);
    if (++times == 1) workspace.scratch.run("put new 'two needles'; mv new src/b.txt");
    return grep(view, {.pattern = "needle", .fixed = true});
  });
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_GT(times, 1);
  EXPECT_EQ(shown_matches(found->value), needles_by_walk(workspace));
  EXPECT_NE(shown_matches(found->value).find("src/b.txt:1:two needles"), std::string::npos);
}

TEST(KeptFiles, WhatIsWrittenUnderAnotherNameIsSeen) {
  Workspace workspace(tree);
  workspace.scratch.run("ln loose/x/y ../elsewhere; ln src/b.txt ../other");
  ASSERT_TRUE(arm(workspace));
  Result<Coherent<GrepAnswer>> before = workspace.search({.pattern = "needle", .fixed = true});
  ASSERT_TRUE(before);
  workspace.scratch.run("put ../elsewhere 'gone'; put ../other 'a needle'");
  EXPECT_EQ(needles(workspace), needles_by_walk(workspace));
  Result<Coherent<GrepAnswer>> after =
      workspace.search({.pattern = "needle", .fixed = true}, before->lease.lease_id);
  ASSERT_FALSE(after);
  EXPECT_EQ(after.error().code, ErrorCode::stale_lease);
}

// What a process writes through a mapping raises no event until it is done.
TEST(KeptFiles, AWriteThroughAMappingMakesTheLeaseStaleAndIsRead) {
  Workspace workspace(tree);
  workspace.scratch.run("put mapped 'nothing here'; age; sleep 0.1");
  const int fd = ::open((workspace.scratch.repo() + "/mapped").c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(fd, 0);
  void* const bytes = ::mmap(nullptr, 12, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  ASSERT_NE(bytes, MAP_FAILED);
  ASSERT_TRUE(arm(workspace));
  Result<Coherent<GrepAnswer>> before = workspace.search({.pattern = "needle", .fixed = true});
  ASSERT_TRUE(before);
  std::memcpy(bytes, "needle here!", 12);
  EXPECT_NE(needles(workspace).find("mapped:1:needle here!"), std::string::npos);
  Result<Coherent<GrepAnswer>> after =
      workspace.search({.pattern = "needle", .fixed = true}, before->lease.lease_id);
  ASSERT_FALSE(after);
  EXPECT_EQ(after.error().code, ErrorCode::stale_lease);
  ::munmap(bytes, 12);
  ::close(fd);
}

TEST(KeptFiles, OfAFolderOfTheRepositoryAreItsOwn) {
  const ListScope scope{.prefix = "src/", .is_left_out = &is_reserved};
  Watched watched(tree, 1000, scope);
  ASSERT_TRUE(watched.arm());
  const auto expect_same = [&](std::string_view script) {
    watched.scratch.run(script);
    EXPECT_EQ(watched.files(), watched.files_by_walk(scope)) << script;
  };
  expect_same("true");
  expect_same("put src/b.txt edited; put a.txt edited");
  expect_same("put src/new n; rm -r src/deep");
  expect_same("mv src away");
  expect_same("mv away src; put src/other/one 1");
  expect_same("rm -r src; put src 'a file'");
}

TEST(KeptFiles, MoreFoldersThanMayBeWatchedLeaveTheStatusWatched) {
  Watched watched(
      "new; put a/b 1; save; git config status.showUntrackedFiles no; mkdir -p loose/1 loose/2 loose/3 "
      "loose/4; put loose/0 x; put loose/4/x x",
      3);
  ASSERT_TRUE(watched.arm());
  const Result<LiveFiles> files = watched.tree->files({});
  ASSERT_TRUE(files) << files.error().message;
  EXPECT_FALSE(files->moment);
  EXPECT_EQ(listed(*files->files), watched.files_by_walk());
}

}  // namespace
}  // namespace snapgen::core
