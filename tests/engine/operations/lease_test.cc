#include "tools/engine/store/leases/lease.h"

#include <cstring>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/text.h"
#include "runtime/json/details.h"
#include "tests/engine/folder.h"
#include "tests/engine/test_workspace.h"
#include "tools/engine/read/observe.h"
#include "tools/engine/store/snapshots/manifest.h"

namespace snapgen::core {
namespace {

constexpr std::string_view three_files =
    "new; put a.txt a; put b.txt b; put sub/c.txt c; put .gitignore '*.log'; save";

// Returns "stale" and the paths that the error names, joined by spaces; else the error's code, or "valid".
template <class T>
std::string state_of(const Result<T>& result) {
  if (result) return "valid";
  if (result.error().code != ErrorCode::stale_lease) return std::string(text(result.error().code));
  const std::string details = json::object_text(result.error().details);
  std::size_t begin = details.find('[') + 1;
  return "stale " + details.substr(begin, details.find(']') - begin);
}

TEST(Lease, AReadIssuesALeaseThatRemainsValidWhileTheTreeIsUnchanged) {
  TestWorkspace workspace(three_files);
  Result<WithLease<FileAnswer>> first = workspace.file("a.txt");
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_TRUE(first->lease.lease_id.starts_with("lease_"));
  EXPECT_EQ(first->lease.lease_id.size(), 22u);
  Result<WithLease<FileAnswer>> second = workspace.file("b.txt", first->lease.lease_id);
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(second->lease.lease_id, first->lease.lease_id);
  EXPECT_EQ(second->lease.fingerprint, first->lease.fingerprint);
  Result<WithLease<FileAnswer>> other = workspace.file("b.txt");
  EXPECT_NE(other->lease.lease_id, first->lease.lease_id);
}

TEST(Lease, AnEditMakesItStaleAndReportsChangedFiles) {
  TestWorkspace workspace(three_files);
  std::string lease = workspace.file("a.txt")->lease.lease_id;
  workspace.scratch.run("put b.txt edited");
  Result<WithLease<FileAnswer>> read = workspace.file("a.txt", lease);
  EXPECT_EQ(state_of(read), "stale \"b.txt\"");
  Result<GitStatus> status = workspace.opened->status({});
  const ErrorDetails& details = read.error().details;
  EXPECT_EQ(details.json("changed_paths"), "[\"b.txt\"]");
  EXPECT_EQ(details.json("fingerprint"), canonical_json(status->fingerprint));
  EXPECT_EQ(state_of(workspace.file("a.txt", lease)), "stale \"b.txt\"")
      << "a stale lease does not become valid by itself";
  EXPECT_EQ(state_of(workspace.list({.path = ""}, lease)), "stale \"b.txt\"");
  EXPECT_EQ(state_of(workspace.search({.pattern = "x"}, lease)), "stale \"b.txt\"");
  EXPECT_EQ(state_of(workspace.create(std::nullopt, lease)), "stale \"b.txt\"");
}

TEST(Lease, AStaleOneReportsHowTheFilesThatWereReadHaveChanged) {
  TestWorkspace workspace(three_files);
  const std::string lease = workspace.file("a.txt")->lease.lease_id;
  workspace.scratch.run("put a.txt edited; put b.txt edited");
  const Error stale = workspace.file("a.txt", lease).error();
  EXPECT_EQ(stale.details.json("changed_paths"), "[\"a.txt\",\"b.txt\"]");
  EXPECT_EQ(stale.details.json("read_paths"), "[\"a.txt\"]");
  const std::string_view diff = stale.details.text("diff");
  EXPECT_TRUE(diff.starts_with("--- a/a.txt\n+++ b/a.txt\n@@ ")) << diff;
  EXPECT_NE(diff.find("\n+edited"), std::string_view::npos) << diff;
  EXPECT_EQ(diff.find("b.txt"), std::string_view::npos) << "it was not read";
  workspace.scratch.run("rm a.txt");
  EXPECT_NE(workspace.file("b.txt", lease).error().details.text("diff").find("+++ /dev/null"),
            std::string_view::npos);
}

TEST(Lease, TheLeaseOfAStaleOneIsValidUntilTheNextChange) {
  for (const char* change : {"put a.txt edited", "put b.txt edited", "rm a.txt", "put new.txt new",
                             "git add -A; git commit -qm x --allow-empty", "mkdir d; put d/new new"}) {
    TestWorkspace workspace(three_files);
    const std::string lease = workspace.file("a.txt")->lease.lease_id;
    workspace.scratch.run(change);
    const std::string renewed(workspace.file("b.txt", lease).error().details.text("lease_id"));
    EXPECT_EQ(state_of(workspace.file("sub/c.txt", renewed)), "valid") << change;
    workspace.scratch.run("put sub/c.txt again");
    EXPECT_EQ(state_of(workspace.file("b.txt", renewed)), "stale \"sub/c.txt\"") << change;
    EXPECT_TRUE(state_of(workspace.file("b.txt", lease)).starts_with("stale")) << "the old one remains stale";
  }
}

TEST(Lease, AStaleOneReportsThatNoFileThatWasReadHasChanged) {
  TestWorkspace workspace(three_files);
  for (const char* change : {"put new.txt new", "git add -A", "git commit -qm new"}) {
    const std::string lease = workspace.file("a.txt")->lease.lease_id;
    workspace.scratch.run(change);
    const Error stale = workspace.file("a.txt", lease).error();
    EXPECT_NE(stale.message.find("but no file whose content you have read"), std::string::npos)
        << stale.message;
    EXPECT_EQ(stale.details.find("read_paths"), nullptr) << change;
    EXPECT_EQ(stale.details.find("diff"), nullptr) << change;
  }
}

TEST(Lease, CommitsAndStagingMakeItStale) {
  TestWorkspace workspace(three_files);
  for (std::string_view change :
       {"put a.txt edited; git add a.txt", "git commit -qm staged", "git checkout -q HEAD~1"}) {
    std::string lease = workspace.file("b.txt")->lease.lease_id;
    EXPECT_EQ(state_of(workspace.file("b.txt", lease)), "valid");
    workspace.scratch.run(change);
    EXPECT_TRUE(state_of(workspace.file("b.txt", lease)).starts_with("stale")) << change;
  }
}

TEST(Lease, ASecondEditOfADirtyFileMakesItStale) {
  TestWorkspace workspace(three_files);
  workspace.scratch.run("put a.txt once");
  std::string lease = workspace.file("a.txt")->lease.lease_id;
  std::string before = workspace.scratch.truth().status;
  workspace.scratch.run("put a.txt twic");
  EXPECT_EQ(workspace.scratch.truth().status, before) << "git status does not change";
  EXPECT_EQ(state_of(workspace.file("b.txt", lease)), "stale \"a.txt\"");
}

TEST(Lease, ASecondEditOfAFileThatWasOnlyListedOrSearchedMakesItStale) {
  TestWorkspace workspace(three_files);
  workspace.scratch.run("put a.txt once; put new.txt untracked");
  for (bool listed : {true, false}) {
    std::string lease = listed ? workspace.list({.path = ""})->lease.lease_id
                               : workspace.search({.pattern = "nothing"})->lease.lease_id;
    EXPECT_EQ(state_of(workspace.file("b.txt", lease)), "valid");
    workspace.scratch.run(listed ? "put a.txt twice" : "put new.txt again");
    EXPECT_EQ(state_of(workspace.file("b.txt", lease)), listed ? "stale \"a.txt\"" : "stale \"new.txt\"");
  }
}

TEST(Lease, TracksIgnoredFilesThatWereRead) {
  TestWorkspace workspace(three_files);
  workspace.scratch.run("put run.log one; put other.log one");
  std::string lease = workspace.file("run.log")->lease.lease_id;
  workspace.scratch.run("put other.log two");
  EXPECT_EQ(state_of(workspace.file("b.txt", lease)), "valid")
      << "the lease does not cover an ignored file that was not read";
  workspace.scratch.run("put run.log two");
  EXPECT_EQ(state_of(workspace.file("b.txt", lease)), "stale \"run.log\"");
}

TEST(Lease, TracksIgnoredFilesThatWereMissing) {
  TestWorkspace workspace(three_files);
  workspace.scratch.run("mkdir logs; ln -s nowhere.log link.log; ln -s logs way");
  std::string lease = workspace.file("b.txt")->lease.lease_id;
  for (const char* path : {"run.log", "logs/deep/run.log", "way/run.log", "link.log"})
    EXPECT_EQ(state_of(workspace.file(path, lease)), "NOT_FOUND") << path;
  EXPECT_EQ(state_of(workspace.file("b.txt", lease)), "valid");
  workspace.scratch.run("put other.log one; mkdir logs/deep");
  EXPECT_EQ(state_of(workspace.file("b.txt", lease)), "valid")
      << "the lease does not cover a missing path that no call named";
  workspace.scratch.run("put logs/deep/run.log one");
  EXPECT_EQ(state_of(workspace.file("b.txt", lease)), "stale \"logs/deep/run.log\"");
  workspace.scratch.run("rm logs/deep/run.log; put run.log one; put logs/run.log one");
  EXPECT_EQ(state_of(workspace.file("b.txt", lease)), "stale \"logs/run.log\",\"run.log\"");
  // The missing path is stored with the lease.
  workspace.scratch.run("rm run.log logs/run.log");
  workspace.reopen();
  EXPECT_EQ(state_of(workspace.file("b.txt", lease)), "valid");
  for (const char* made :
       {"put run.log one", "mkdir run.log", "put nowhere.log one", "ln -sfn a.txt link.log"}) {
    workspace.scratch.run(made);
    EXPECT_TRUE(state_of(workspace.file("b.txt", lease)).starts_with("stale")) << made;
    workspace.scratch.run("rm -rf run.log nowhere.log");
  }
}

TEST(Lease, ANewFileInACollapsedUntrackedFolderMakesAListingStale) {
  TestWorkspace workspace(three_files);
  workspace.scratch.run("put fresh/one 1");
  std::string listed = workspace.list({.path = "", .recursive = true})->lease.lease_id;
  std::string read = workspace.file("a.txt")->lease.lease_id;
  std::string before = workspace.scratch.truth().status;
  workspace.scratch.run("put fresh/two 2");
  EXPECT_EQ(workspace.scratch.truth().status, before);
  EXPECT_EQ(state_of(workspace.file("b.txt", listed)), "stale \"fresh\"");
  EXPECT_EQ(state_of(workspace.file("b.txt", read)), "valid") << "this lease has not listed the folder";
}

// A file that appears where git does not report it makes a lease with a listing stale, but no lease without a
// listing.
void expect_names_to_count(TestWorkspace& workspace, std::string_view appear, std::string_view changed) {
  for (const bool watched : {false, true}) {
    if (watched) {
      workspace.opened->allow_watching({.log_line = {}, .pause_ns = 0});
      ASSERT_TRUE(workspace.list({.path = ""}));
      ASSERT_TRUE(workspace.opened->live_tree().wait_for_watch());
    }
    std::string listed = workspace.list({.path = "", .recursive = true})->lease.lease_id;
    std::string searched = workspace.search({.pattern = "nothing"})->lease.lease_id;
    std::string read = workspace.file("x")->lease.lease_id;
    for (const std::string& lease : {listed, searched, read})
      EXPECT_EQ(state_of(workspace.file("x", lease)), "valid");
    std::string before = workspace.scratch.truth().status;
    workspace.scratch.run(appear);
    EXPECT_EQ(workspace.scratch.truth().status, before);
    EXPECT_EQ(state_of(workspace.file("x", listed)), "stale \"" + std::string(changed) + "\"") << watched;
    EXPECT_EQ(state_of(workspace.file("x", searched)), "stale \"" + std::string(changed) + "\"") << watched;
    EXPECT_EQ(state_of(workspace.file("x", read)), "valid") << watched;
  }
}

constexpr std::string_view one_more = "put sub/$(ls sub 2>/dev/null | wc -l) new";

TEST(Lease, ANewFileInAWorkspaceInAnUntrackedFolderMakesAListingStale) {
  for (const char* folder : {"pkg/new", "pkg"}) {
    TestWorkspace workspace("new; put a a; save");
    workspace.scratch.run("put pkg/a 1; put " + std::string(folder) + "/x x");
    Result<std::unique_ptr<Workspace>> inner =
        Workspace::open(workspace.scratch.repo() + "/" + folder, workspace.scratch.environment());
    ASSERT_TRUE(inner) << inner.error().message;
    workspace.opened = *std::move(inner);
    expect_names_to_count(workspace, "cd " + std::string(folder) + "; " + std::string(one_more), ".");
  }
}

TEST(Lease, AnEditOutsideOfTheWorkspaceIsReportedAsSuch) {
  TestWorkspace workspace("new; put a a; put pkg/x x; save");
  Result<std::unique_ptr<Workspace>> inner =
      Workspace::open(workspace.scratch.repo() + "/pkg", workspace.scratch.environment());
  ASSERT_TRUE(inner) << inner.error().message;
  workspace.opened = *std::move(inner);
  const std::string lease = workspace.file("x")->lease.lease_id;
  const auto message = [&] { return workspace.file("x", lease).error().message; };
  workspace.scratch.run("put a edited");
  EXPECT_NE(message().find(": a file of the repository outside of this workspace changed, but no file whose"),
            std::string::npos)
      << message();
  workspace.scratch.run("git add a");
  EXPECT_NE(message().find(": the index changed, but no file whose"), std::string::npos) << message();
}

TEST(Lease, ANewUntrackedFileThatGitHidesMakesAListingStale) {
  TestWorkspace workspace("new; put x x; save; git config status.showUntrackedFiles no");
  expect_names_to_count(workspace, one_more, ".");
  workspace.scratch.run("git config core.ignoreCase true");
  workspace.reopen();
  std::string lease = workspace.list({.path = "", .recursive = true})->lease.lease_id;
  EXPECT_EQ(state_of(workspace.file("x", lease)), "valid");
  workspace.scratch.run(one_more);
  EXPECT_EQ(state_of(workspace.file("x", lease)), "stale \".\"") << "the status of git names the folder";
}

TEST(Lease, ANewFileInAFolderThatReplacedAFileMakesAListingStale) {
  TestWorkspace workspace("new; put x x; put sub file; save; rm sub");
  expect_names_to_count(workspace, one_more, "sub");
  TestWorkspace conflict(
      "new; put x x; put sub 1; save; git checkout -qb side; put sub 2; save; git checkout -q main; "
      "put sub 3; save; git merge -q side >/dev/null || true; rm sub");
  expect_names_to_count(conflict, one_more, "sub");
}

TEST(Lease, ADeletedFileDoesNotAffectAConcurrentRead) {
  TestWorkspace workspace("new; put x x; put gone 1; save; rm gone; age");
  workspace.wait_for_watch();
  std::string lease = workspace.list({.path = "", .recursive = true})->lease.lease_id;
  std::vector<FileRecord> touched = (*workspace.opened->leases().use(lease))->touched();
  SiblingOpener siblings(workspace.opened->root());
  ASSERT_EQ(touched.size(), 2u);
  EXPECT_EQ(touched[0].path, "gone");
  EXPECT_TRUE(is_still_absent(touched[0], siblings));
  EXPECT_FALSE(is_still_absent(touched[1], siblings));
  workspace.scratch.run("mkdir gone");
  EXPECT_FALSE(is_still_absent(touched[0], siblings));
  EXPECT_EQ(state_of(workspace.file("x", lease)), "valid") << "an empty folder has no names to list";
}

// A second write to a page that is already dirty changes no stat.
TEST(Lease, AWriteThroughAMappingMakesItStale) {
  TestWorkspace workspace("new; put a.txt one; put b.txt b; save; age");
  const int fd = ::open((workspace.scratch.repo() + "/a.txt").c_str(), O_RDWR | O_CLOEXEC);
  void* const memory = ::mmap(nullptr, 3, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  ASSERT_NE(memory, MAP_FAILED);
  auto store = [&](std::string_view bytes) { std::memcpy(memory, bytes.data(), bytes.size()); };
  store("two");
  workspace.wait_for_watch();
  Result<WithLease<FileAnswer>> first = workspace.file("a.txt");
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(first->value.content, "two");
  ASSERT_TRUE(workspace.search({.pattern = "t"})) << "the content is cached from now on";
  store("thr");
  Result<WithLease<FileAnswer>> second = workspace.file("a.txt");
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(second->value.content, "thr");
  EXPECT_EQ(second->value.blob, blob_id_of("thr"));
  EXPECT_EQ(state_of(workspace.file("a.txt", first->lease.lease_id)), "stale \"a.txt\"");
  EXPECT_EQ(state_of(workspace.file("a.txt", second->lease.lease_id)), "valid");
  ::munmap(memory, 3);
  ::close(fd);
}

TEST(Lease, RewritingTheSameContentKeepsIt) {
  TestWorkspace workspace(three_files);
  std::string lease = workspace.file("a.txt")->lease.lease_id;
  workspace.scratch.run("touch a.txt; rm a.txt; put a.txt a");
  EXPECT_EQ(state_of(workspace.file("b.txt", lease)), "valid");
  workspace.scratch.run("rm a.txt; ln -s b.txt a.txt");
  EXPECT_TRUE(state_of(workspace.file("b.txt", lease)).starts_with("stale"));
}

TEST(Lease, TracksFollowedSymlinks) {
  TestWorkspace workspace("new; put one 1; put two 2; put .gitignore link; save; ln -s one link");
  Result<WithLease<FileAnswer>> read = workspace.file("link");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->value.content, "1");
  EXPECT_EQ(state_of(workspace.file("two", read->lease.lease_id)), "valid");
  workspace.scratch.run("ln -sf two link");
  EXPECT_EQ(state_of(workspace.file("two", read->lease.lease_id)), "stale \"link\"");
}

TEST(Lease, SurvivesARestart) {
  TestWorkspace workspace(three_files);
  workspace.scratch.run("put a.txt dirty");
  std::string lease = workspace.file("a.txt")->lease.lease_id;
  ASSERT_TRUE(workspace.file("b.txt", lease));
  workspace.reopen();
  EXPECT_EQ(state_of(workspace.file("sub/c.txt", lease)), "valid");
  Result<CreatedSnapshot> created = workspace.create(std::nullopt, lease);
  ASSERT_TRUE(created) << created.error().message;
  EXPECT_EQ(paths_of(created->rows), "a.txt\nb.txt\nsub/c.txt\n");
  workspace.reopen();
  workspace.scratch.run("put a.txt dirt2");
  EXPECT_EQ(state_of(workspace.file("b.txt", lease)), "stale \"a.txt\"");
}

TEST(Lease, ExpiresADayAfterItsLastUse) {
  constexpr std::int64_t hour = 3600LL * 1'000'000'000;
  TestWorkspace workspace(three_files);
  std::string lease = workspace.file("a.txt")->lease.lease_id;
  workspace.clock_offset_ns = 23 * hour;
  EXPECT_EQ(workspace.file("a.txt", lease)->lease.lease_id, lease);
  workspace.clock_offset_ns = 46 * hour;
  EXPECT_EQ(workspace.file("a.txt", lease)->lease.lease_id, lease);
  workspace.clock_offset_ns = 71 * hour;
  EXPECT_EQ(state_of(workspace.create(std::nullopt, lease)), "NOT_FOUND");
  Result<WithLease<FileAnswer>> read = workspace.file("a.txt", lease);
  ASSERT_TRUE(read);
  EXPECT_NE(read->lease.lease_id, lease);
}

TEST(Lease, UnusedLeasesAreDeleted) {
  TestWorkspace workspace(three_files);
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(workspace.file("b.txt", workspace.file("a.txt")->lease.lease_id));
  auto count = [&] {
    int files = 0;
    for (auto& entry : std::filesystem::recursive_directory_iterator(workspace.opened->store_folder())) {
      files += entry.path().filename().string().starts_with("lease_");
    }
    return files;
  };
  EXPECT_EQ(count(), 5);
  workspace.clock_offset_ns = 25LL * 3600 * 1'000'000'000;
  ASSERT_TRUE(workspace.file("b.txt", workspace.file("a.txt")->lease.lease_id));
  EXPECT_EQ(count(), 1);
}

TEST(Lease, AReadWithAnUnknownLeaseIssuesANewOne) {
  TestWorkspace workspace(three_files);
  for (std::string id :
       {"lease_aaaaaaaaaaaaaaaa", "", "../../config", "lease_../../../../x", "lease_AAAAAAAAAAAAAAAA"}) {
    Result<WithLease<FileAnswer>> read = workspace.file("a.txt", id);
    ASSERT_TRUE(read) << id;
    EXPECT_NE(read->lease.lease_id, id);
    EXPECT_EQ(state_of(workspace.create(std::nullopt, id)), "NOT_FOUND");
  }
}

TEST(Lease, ATruncatedOrCorruptFileIsAnUnknownLease) {
  TestWorkspace workspace(three_files);
  std::string lease = workspace.file("a.txt")->lease.lease_id;
  ASSERT_TRUE(workspace.file("b.txt", lease));
  std::string path;
  for (auto& entry : std::filesystem::recursive_directory_iterator(workspace.opened->store_folder())) {
    if (entry.path().filename() == lease) path = entry.path().string();
  }
  std::uintmax_t size = std::filesystem::file_size(path);
  for (std::uintmax_t length : {std::uintmax_t{0}, std::uintmax_t{10}, size - 1}) {
    workspace.reopen();
    std::filesystem::resize_file(path, length);
    EXPECT_EQ(state_of(workspace.create(std::nullopt, lease)), "NOT_FOUND") << length;
  }
}

TEST(Lease, AFileThatChangedSizeIsAnUnknownLease) {
  TestWorkspace workspace(three_files);
  for (const std::uintmax_t length : {std::uintmax_t{0}, std::uintmax_t{10}, std::uintmax_t{1} << 40}) {
    const std::string lease = workspace.file("a.txt")->lease.lease_id;
    const std::string other = workspace.file("b.txt")->lease.lease_id;
    for (const std::string& each : {lease, other}) ASSERT_TRUE(workspace.file("a.txt", each));
    std::string path;
    for (auto& entry : std::filesystem::recursive_directory_iterator(workspace.opened->store_folder()))
      if (entry.path().filename() == lease) path = entry.path().string();
    std::filesystem::resize_file(path, length);
    EXPECT_EQ(state_of(workspace.create(std::nullopt, lease)), "NOT_FOUND") << length;
    Result<WithLease<FileAnswer>> read = workspace.file("a.txt", lease);
    ASSERT_TRUE(read) << length;
    EXPECT_NE(read->lease.lease_id, lease) << length;
    // The next sweep deletes this file and no other.
    workspace.clock_offset_ns += 120LL * 1'000'000'000;
    EXPECT_EQ(workspace.file("b.txt", other)->lease.lease_id, other) << length;
    ASSERT_TRUE(workspace.file("a.txt"));
    EXPECT_EQ(std::filesystem::exists(path), length < 100) << length;
    EXPECT_EQ(workspace.file("b.txt", other)->lease.lease_id, other) << length;
  }
}

TEST(Lease, IsNotWrittenBeforeItIsUsed) {
  TestWorkspace workspace(three_files);
  const std::string lease = workspace.file("a.txt")->lease.lease_id;
  EXPECT_FALSE(std::filesystem::exists(workspace.opened->tree_folder() + "/leases"));
  workspace.crash();
  EXPECT_EQ(state_of(workspace.create(std::nullopt, lease)), "NOT_FOUND");
  const Result<WithLease<FileAnswer>> read = workspace.file("a.txt", lease);
  ASSERT_TRUE(read);
  EXPECT_NE(read->lease.lease_id, lease) << "a read under an unknown lease issues a new one";
}

TEST(Lease, AUsedLeaseSurvivesACrash) {
  TestWorkspace workspace(three_files);
  const std::string lease = workspace.file("a.txt")->lease.lease_id;
  ASSERT_TRUE(workspace.file("b.txt", lease));
  workspace.crash();
  EXPECT_EQ(state_of(workspace.file("sub/c.txt", lease)), "valid");
  workspace.crash();
  workspace.scratch.run("put .gitignore '*.log\n*.txt'; put sub/c.txt other");
  EXPECT_TRUE(state_of(workspace.file("b.txt", lease)).starts_with("stale"));
}

TEST(Lease, TwoProcessesCanUseOneLease) {
  TestWorkspace one(three_files);
  std::string lease = one.file("a.txt")->lease.lease_id;
  ASSERT_TRUE(one.opened->leases().save());
  std::unique_ptr<Workspace> first = std::move(one.opened);
  one.reopen();
  ASSERT_TRUE(one.file("b.txt", lease));
  std::swap(first, one.opened);
  ASSERT_TRUE(one.file("sub/c.txt", lease));
  Result<CreatedSnapshot> created = one.create(std::nullopt, lease);
  ASSERT_TRUE(created);
  EXPECT_EQ(paths_of(created->rows), "a.txt\nb.txt\nsub/c.txt\n");
}

TEST(Lease, LinkedWorkTreesShareSnapshotsButNotLeases) {
  TestWorkspace workspace("new; put a.txt a; save; git worktree add -q ../other");
  std::string lease = workspace.file("a.txt")->lease.lease_id;
  Result<std::unique_ptr<Workspace>> other =
      Workspace::open(workspace.scratch.outside("other"), workspace.scratch.environment());
  ASSERT_TRUE(other) << other.error().message;
  EXPECT_FALSE((*other)->leases().use(lease));
  Result<CreatedSnapshot> created =
      create_snapshot(**other, {.lease_id = {}, .paths = std::vector<std::string>{""}, .message = {}}, {});
  ASSERT_TRUE(created);
  EXPECT_TRUE(workspace.opened->snapshots().load(created->id()));
  EXPECT_EQ(workspace.scratch.truth().status, "");
}

TEST(Lease, ReadingWritesOnlyIntoTheStoreFolder) {
  TestWorkspace workspace(three_files);
  workspace.scratch.run("put a.txt changed; touch b.txt");
  auto others = [&] {
    std::string lines;
    std::string listing = workspace.scratch.git_dir_listing();
    for (std::size_t at = 0; at < listing.size();) {
      std::size_t end = listing.find('\n', at);
      std::string line = listing.substr(at, end - at);
      // Creating the store folder changes its parent folder once.
      if (line.find("/.git/snapgen") == std::string::npos) lines += line + "\n";
      at = end + 1;
    }
    return lines;
  };
  std::string before = others();
  ASSERT_TRUE(workspace.file("a.txt"));
  ASSERT_TRUE(workspace.list({.path = "", .recursive = true}));
  ASSERT_TRUE(workspace.search({.pattern = "a"}));
  ASSERT_TRUE(workspace.create(std::vector<std::string>{""}));
  EXPECT_EQ(others(), before);
}

TEST(Lease, ReportsAMovedWorkspace) {
  TestWorkspace workspace(three_files);
  std::filesystem::rename(workspace.scratch.repo(), workspace.scratch.outside("moved"));
  std::filesystem::create_directory(workspace.scratch.repo());
  EXPECT_EQ(state_of(workspace.file("a.txt")), "UNAVAILABLE");
}

TEST(Lease, ASubfolderOfARepositoryCanBeTheWorkspace) {
  TestWorkspace outer(
      "new; put package.json '{}'; put apps/one/package.json '{}'; put apps/one/x 1; put apps/two/y 2; save");
  Result<std::unique_ptr<Workspace>> opened =
      Workspace::open(outer.scratch.repo() + "/apps/one", outer.scratch.environment());
  ASSERT_TRUE(opened) << opened.error().message;
  outer.opened = *std::move(opened);
  Result<WithLease<ListAnswer>> listed = outer.list({.path = "", .recursive = true});
  ASSERT_TRUE(listed) << listed.error().message;
  std::string paths;
  for (const ListEntry& entry : listed->value.entries) paths += entry.path + " ";
  EXPECT_EQ(paths, "package.json x ");
  outer.scratch.run("put apps/one/x edited");
  EXPECT_EQ(state_of(outer.file("x", listed->lease.lease_id)), "stale \"x\"");
  EXPECT_EQ(state_of(outer.file("../two/y")), "PERMISSION_DENIED");
}

TEST(Lease, RejectsARepositoryWithFilesElsewhere) {
  TestWorkspace outer;
  outer.scratch.run("put a.txt outer; put s/a.txt inner; git config core.worktree \"$PWD/s\"");
  Result<std::unique_ptr<Workspace>> opened =
      Workspace::open(outer.scratch.repo() + "/s", outer.scratch.environment());
  ASSERT_TRUE(opened) << opened.error().message;
  for (const char* folder : {"", "/t"}) {
    outer.scratch.run("mkdir -p t");
    opened = Workspace::open(outer.scratch.repo() + folder, outer.scratch.environment());
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::invalid_argument);
    EXPECT_EQ(opened.error().message, "The repository at " + outer.scratch.repo() + folder +
                                          " has its files elsewhere: core.worktree names " +
                                          outer.scratch.repo() +
                                          "/s; use that folder, or one in it, as the workspace.");
  }
}

// The final state of a call detects changes since the read; for very many files, in the same walk.
TEST(FinalState, DetectsChangesSinceTheRead) {
  for (const std::size_t many : {std::size_t{1}, std::size_t{100'000}}) {
    for (const char* change :
         {"", "put b.txt bb", "put d.log dd", "rm sub/c.txt", "rm -r sub; put sub c", "ln -sf b.txt a.txt"}) {
      TestWorkspace workspace(three_files);
      workspace.scratch.run("put d.log d");
      std::vector<FileRecord> records;
      for (const char* path : {"a.txt", "b.txt", "d.log", "sub/c.txt"}) {
        Result<FileRecord> record = observe_file(workspace.opened->root(), path, {});
        ASSERT_TRUE(record) << record.error().message;
        records.push_back(*std::move(record));
      }
      workspace.scratch.run(change);
      const Result<FinalState> final_state = read_final_state(*workspace.opened, many, {});
      ASSERT_TRUE(final_state) << final_state.error().message;
      EXPECT_EQ(final_state->files != nullptr, many > 1);
      EXPECT_EQ(final_state->status.fingerprint, workspace.opened->status({})->fingerprint);
      EXPECT_EQ(final_state->records_are_unchanged(workspace.opened->root(), records), *change == '\0')
          << change;
    }
  }
}

}  // namespace
}  // namespace snapgen::core
