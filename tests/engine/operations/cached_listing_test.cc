// A cached listing of a watched tree must give the same answers as a new walk.
#include <algorithm>
#include <cstring>
#include <set>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/engine/test_workspace.h"
#include "tests/engine/watch/watched.h"
#include "tools/engine/files/path.h"
#include "tools/engine/operations/capture.h"
#include "tools/engine/operations/diff/changes.h"
#include "tools/engine/operations/gc/gc.h"
#include "tools/engine/operations/restore.h"
#include "tools/engine/operations/work_summary.h"

namespace snapgen::core {
namespace {

constexpr std::string_view tree =
    "new; put a.txt 'one needle'; put src/b.txt two; put src/deep/c.txt 'a needle too'; "
    "put .gitignore '*.o'; save; put loose/x/y 'a needle'; put src/made.o needle";

// Starts the watch. Returns whether the tree is now watched.
bool arm(TestWorkspace& workspace) {
  workspace.opened->allow_watching({.log_line = {}, .pause_ns = 0});
  EXPECT_TRUE(workspace.list({.path = "", .cursor = {}}));
  return workspace.opened->live_tree().wait_for_watch();
}

std::string shown_matches(const GrepAnswer& answer) {
  std::string out = std::to_string(answer.files_searched) + " files\n";
  for (const GrepMatch& match : answer.matches)
    out += match.path + ":" + std::to_string(match.line) + ":" + match.text + "\n";
  return out;
}

std::string needles(TestWorkspace& workspace, const TestWorkspace::Lease& lease = {}) {
  Result<WithLease<GrepAnswer>> found = workspace.search({.pattern = "needle", .fixed = true}, lease);
  return found ? shown_matches(found->value) : "error: " + found.error().message;
}

// The same search in a newly opened workspace, whose caches are empty.
std::string needles_by_walk(const TestWorkspace& workspace) {
  Result<std::unique_ptr<Workspace>> fresh =
      Workspace::open(workspace.scratch.repo(), workspace.scratch.environment());
  if (!fresh) return "error: " + fresh.error().message;
  GrepQuery query{.pattern = "needle", .fixed = true};
  Result<WithLease<GrepAnswer>> found =
      read_worktree(**fresh, {}, {}, [&](FileView& view) { return grep(view, query); });
  return found ? shown_matches(found->value) : "error: " + found.error().message;
}

TEST(CachedListing, AreSearchedLikeFreshFiles) {
  TestWorkspace workspace(tree);
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
  EXPECT_TRUE(workspace.opened->live_tree().verified_ns().has_value());
}

TEST(CachedListing, AFileReplacedAfterTheListingIsReadWithItsNewContent) {
  TestWorkspace workspace(tree);
  ASSERT_TRUE(arm(workspace));
  int times = 0;
  Result<WithLease<GrepAnswer>> found = read_worktree(*workspace.opened, {}, {}, [&](FileView& view) {
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

TEST(CachedListing, AWriteThroughAnotherNameIsSeen) {
  TestWorkspace workspace(tree);
  workspace.scratch.run("ln loose/x/y ../elsewhere; ln src/b.txt ../other");
  ASSERT_TRUE(arm(workspace));
  Result<WithLease<GrepAnswer>> before = workspace.search({.pattern = "needle", .fixed = true});
  ASSERT_TRUE(before);
  workspace.scratch.run("put ../elsewhere 'gone'; put ../other 'a needle'");
  EXPECT_EQ(needles(workspace), needles_by_walk(workspace));
  Result<WithLease<GrepAnswer>> after =
      workspace.search({.pattern = "needle", .fixed = true}, before->lease.lease_id);
  ASSERT_FALSE(after);
  EXPECT_EQ(after.error().code, ErrorCode::stale_lease);
}

// Captures the whole work tree through a newly opened workspace, whose caches are empty.
std::string captured_by_walk(const TestWorkspace& workspace) {
  Result<std::unique_ptr<Workspace>> fresh =
      Workspace::open(workspace.scratch.repo(), workspace.scratch.environment());
  if (!fresh) return "error: " + fresh.error().message;
  Result<CreatedSnapshot> created =
      create_snapshot(**fresh, {.lease_id = {}, .paths = {{""}}, .message = {}}, {});
  return created ? created->hex : "error: " + created.error().message;
}

std::string captured(TestWorkspace& workspace) {
  Result<CreatedSnapshot> created = workspace.create(std::vector<std::string>{""});
  if (!created) return "error: " + created.error().message;
  // The reported size and entries must match the id.
  std::int64_t bytes = 0;
  for (const ManifestRow& row : created->rows)
    bytes += static_cast<std::int64_t>(*workspace.opened->blobs().size_of(row.blob));
  EXPECT_EQ(created->stats.bytes, bytes);
  EXPECT_EQ(
      snapshot_id_hex(created->fingerprint, (*workspace.opened->snapshots().load(created->id()))->entries),
      created->hex);
  return created->hex;
}

// Returns the names of files that changed since the task's snapshot. Both ways to read them must agree.
std::string changed_since(TestWorkspace& workspace, const std::string& hex) {
  const std::shared_ptr<const Snapshot> before = *workspace.opened->snapshots().load("sha256:" + hex);
  Result<WorkSummary> work = work_summary_since(*workspace.opened, *before, {});
  if (!work) return "error: " + work.error().message;
  std::string names;
  for (const std::string& path : work->files) names += path + "\n";
  const auto read = [&](LiveView& view) {
    return changes_since(*workspace.opened, *before, view, {.paths = {}});
  };
  Result<WithLease<ChangesAnswer>> leased = read_worktree(*workspace.opened, {}, {}, read);
  if (!leased) return "error: " + leased.error().message;
  std::string leased_names;
  for (const FileChange& change : leased->value.changes) leased_names += change.path + "\n";
  EXPECT_EQ(names, leased_names);
  return names;
}

TEST(CachedListing, AreCapturedAndComparedLikeFreshFiles) {
  TestWorkspace workspace(tree);
  ASSERT_TRUE(arm(workspace));
  std::string before = captured(workspace);
  EXPECT_EQ(before, captured_by_walk(workspace));
  struct Step {
    const char* script;
    const char* changed;
  };
  for (const Step& step : {Step{"true", ""}, Step{"put src/b.txt 'three'", "src/b.txt\n"},
                           Step{"rm a.txt; chmod +x src/b.txt", "a.txt\nsrc/b.txt\n"},
                           Step{"mv src moved", "moved/b.txt\nmoved/deep/c.txt\nsrc/b.txt\nsrc/deep/c.txt\n"},
                           Step{"put loose/x/z/deep new; rm loose/x/y", "loose/x/y\nloose/x/z/deep\n"},
                           Step{"touch moved/b.txt; printf three > moved/deep/c.txt", "moved/deep/c.txt\n"},
                           Step{"rm moved/b.txt; ln -s deep/c.txt moved/b.txt", "moved/b.txt\n"},
                           Step{"put 0 first; put zz last; put moved/deep/aa 1", "0\nmoved/deep/aa\nzz\n"},
                           Step{"git add -A; git commit -qm all", ""}}) {
    workspace.scratch.run(step.script);
    EXPECT_EQ(changed_since(workspace, before), step.changed) << step.script;
    before = captured(workspace);
    EXPECT_EQ(before, captured_by_walk(workspace)) << step.script;
  }
  EXPECT_TRUE(workspace.opened->live_tree().verified_ns().has_value());
}

// The manifest of so many files is hashed while its rows are created.
TEST(CachedListing, ManyFilesAreCapturedLikeFreshFiles) {
  TestWorkspace workspace(
      "new; put zz end; save; mkdir many; cd many; seq 1500 | split -l 1 -a 4 -d; cd ..; age");
  ASSERT_TRUE(arm(workspace));
  std::vector<std::string> states;
  for (const char* script :
       {"true", "put many/x0000 changed; put many/x1499 changed", "put zz changed", "rm many/x0750",
        "put many/new 1", "chmod +x many/x0007", "git add zz; git commit -qm all"}) {
    workspace.scratch.run(script);
    states.push_back(captured(workspace));
    EXPECT_EQ(states.back(), captured_by_walk(workspace)) << script;
  }
  EXPECT_EQ(std::set(states.begin(), states.end()).size(), states.size());
  const Result<CreatedSnapshot> twice = workspace.create(std::vector<std::string>{"many/x0042", "", "zz"});
  ASSERT_TRUE(twice) << twice.error().message;
  EXPECT_EQ(twice->hex, states.back());
  EXPECT_EQ(twice->rows.size(), 1501u);
}

// A file that is mapped into memory before the watch begins.
class Mapped {
 public:
  explicit Mapped(TestWorkspace& workspace) {
    workspace.scratch.run("put mapped 'nothing here'; age; sleep 0.1");
    fd_ = ::open((workspace.scratch.repo() + "/mapped").c_str(), O_RDWR | O_CLOEXEC);
    bytes_ = ::mmap(nullptr, 12, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
    EXPECT_NE(bytes_, MAP_FAILED);
  }
  Mapped(Mapped&&) = delete;
  ~Mapped() { end(); }
  void write() { std::memcpy(bytes_, "needle here!", 12); }
  void end() {
    if (bytes_ == nullptr) return;
    ::munmap(std::exchange(bytes_, nullptr), 12);
    ::close(fd_);
  }

 private:
  int fd_ = -1;
  void* bytes_ = nullptr;
};

std::optional<BlobId> blob_in(TestWorkspace& workspace, const std::string& id, std::string_view path) {
  Result<std::shared_ptr<const Snapshot>> snapshot = workspace.opened->snapshots().load(id);
  if (!snapshot) return std::nullopt;
  for (const ManifestEntry& entry : (*snapshot)->entries)
    if (entry.path == path) return entry.blob;
  return std::nullopt;
}

// A write through a mapping causes no event until the mapping ends.
TEST(CachedListing, AWriteThroughAMappingMakesTheLeaseStaleAndIsRead) {
  TestWorkspace workspace(tree);
  Mapped mapped(workspace);
  ASSERT_TRUE(arm(workspace));
  Result<WithLease<GrepAnswer>> before = workspace.search({.pattern = "needle", .fixed = true});
  ASSERT_TRUE(before);
  mapped.write();
  EXPECT_NE(needles(workspace).find("mapped:1:needle here!"), std::string::npos);
  Result<WithLease<GrepAnswer>> after =
      workspace.search({.pattern = "needle", .fixed = true}, before->lease.lease_id);
  ASSERT_FALSE(after);
  EXPECT_EQ(after.error().code, ErrorCode::stale_lease);
}

TEST(CachedListing, ASnapshotContainsWritesThroughAMappingThatHasEnded) {
  TestWorkspace workspace(tree);
  Mapped mapped(workspace);
  ASSERT_TRUE(arm(workspace));
  const std::string before = captured(workspace);
  mapped.write();
  mapped.end();
  const std::string after = captured(workspace);
  EXPECT_NE(after, before);
  EXPECT_EQ(blob_in(workspace, "sha256:" + after, "mapped"), blob_id_of("needle here!"));
}

TEST(CachedListing, ASnapshotOfANamedFileContainsWritesThroughAnOpenMapping) {
  TestWorkspace workspace(tree);
  Mapped mapped(workspace);
  ASSERT_TRUE(arm(workspace));
  captured(workspace);
  mapped.write();
  Result<CreatedSnapshot> created = workspace.create(std::vector<std::string>{"mapped"});
  ASSERT_TRUE(created) << created.error().message;
  EXPECT_EQ(blob_in(workspace, created->id(), "mapped"), blob_id_of("needle here!"));
}

// The kernel reports a write under the name that was opened, which is outside the watched folders.
TEST(CachedListing, ASnapshotContainsWritesThroughAHardLinkOutside) {
  TestWorkspace workspace(tree);
  workspace.scratch.run("put linked before; ln linked ../outside; age; sleep 0.1");
  ASSERT_TRUE(arm(workspace));
  const std::string before = captured(workspace);
  workspace.scratch.run("printf changed >> ../outside");
  const std::string after = captured(workspace);
  EXPECT_EQ(blob_in(workspace, "sha256:" + after, "linked"), blob_id_of("beforechanged"));
}

TEST(CachedListing, ARestoreSavesAndUndoesWritesThroughAMapping) {
  TestWorkspace workspace(tree);
  Mapped mapped(workspace);
  ASSERT_TRUE(arm(workspace));
  const std::string before = "sha256:" + captured(workspace);
  mapped.write();
  Result<WithLease<RestoreAnswer>> restored =
      restore(*workspace.opened, {.snapshot_id = before, .paths = {}}, {});
  ASSERT_TRUE(restored) << restored.error().message;
  EXPECT_EQ(workspace.scratch.answer("cat mapped").output, "nothing here");
  EXPECT_EQ(blob_in(workspace, restored->value.safety_snapshot_id.value_or(""), "mapped"),
            blob_id_of("needle here!"));
}

// Another process collects garbage between two captures. The second capture must store the blobs again that
// the first one found in the store.
TEST(CachedListing, ACollectedBlobIsCapturedAgain) {
  TestWorkspace workspace(tree);
  ASSERT_TRUE(arm(workspace));
  const std::string first = captured(workspace);
  ASSERT_TRUE(workspace.opened->snapshots().remove({first}));
  Result<std::unique_ptr<Workspace>> other =
      Workspace::open(workspace.scratch.repo(), workspace.scratch.environment());
  ASSERT_TRUE(other);
  Result<CollectResult> collected =
      collect_garbage(**other, {.retention = {.keep_days = 0, .keep_count = 0}}, {});
  ASSERT_TRUE(collected) << collected.error().message;
  EXPECT_GT(collected->bytes_freed, 0u);
  EXPECT_EQ(captured(workspace), first);
  Result<std::shared_ptr<const Snapshot>> snapshot = (*other)->snapshots().load("sha256:" + first);
  ASSERT_TRUE(snapshot) << snapshot.error().message;
  for (const ManifestEntry& entry : (*snapshot)->entries)
    EXPECT_TRUE((*other)->blobs().get(entry.blob)) << entry.path;
}

TEST(CachedListing, ASnapshotKnowsWhichFoldersArePrivate) {
  TestWorkspace workspace(tree);
  ASSERT_TRUE(arm(workspace));
  const auto hidden_after = [&](const std::string& script) {
    workspace.scratch.run(script);
    const std::string hex = captured(workspace);
    const std::optional<SnapshotNote> note = workspace.opened->snapshots().note(hex);
    return note ? note->privacy_at(workspace.opened->snapshots().origin()).hidden_from_group
                : std::vector<std::string>{"no note"};
  };
  using Paths = std::vector<std::string>;
  EXPECT_EQ(hidden_after("put a.txt 1"), Paths{});
  EXPECT_EQ(hidden_after("put a.txt 2; chmod 700 src"), Paths{"src"});
  EXPECT_EQ(hidden_after("put a.txt 3; chmod 700 src/deep"), (Paths{"src", "src/deep"}));
  EXPECT_EQ(hidden_after("put a.txt 4; chmod 755 src"), Paths{"src/deep"});
  EXPECT_EQ(hidden_after("put a.txt 5; mv src moved"), Paths{"moved/deep"});
  EXPECT_EQ(hidden_after("put a.txt 6; mkdir -p new/er; put new/er/f 1"), Paths{"moved/deep"});
  EXPECT_EQ(hidden_after("put a.txt 7; chmod 700 new/er"), (Paths{"moved/deep", "new/er"}));
  EXPECT_EQ(hidden_after("put a.txt 8; chmod 700 loose/x"), (Paths{"loose/x", "moved/deep", "new/er"}));
  EXPECT_EQ(hidden_after("put a.txt 9; rm -r moved; mkdir moved; put moved/f 1"),
            (Paths{"loose/x", "new/er"}));
}

TEST(CachedListing, AFolderOfIgnoredFilesIsExaminedForEachSnapshot) {
  TestWorkspace workspace(tree);
  workspace.scratch.run("mkdir ignored; put ignored/made.o 1");
  ASSERT_TRUE(arm(workspace));
  for (const bool is_private : {false, true, false}) {
    workspace.scratch.run(is_private ? "put a.txt 1; chmod 700 ignored" : "put a.txt 2; chmod 755 ignored");
    const Result<CreatedSnapshot> created = workspace.create({{"", "ignored/made.o"}});
    ASSERT_TRUE(created) << created.error().message;
    const std::optional<SnapshotNote> note = workspace.opened->snapshots().note(created->hex);
    ASSERT_TRUE(note);
    const Privacy privacy = note->privacy_at(workspace.opened->snapshots().origin());
    EXPECT_EQ(!privacy.hidden_from_group.empty(), is_private);
  }
}

TEST(CachedListing, FilesOfASubfolderAreCachedSeparately) {
  const ListScope scope{.prefix = "src/", .is_excluded = &is_reserved_path};
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

TEST(CachedListing, BeyondTheWatchLimitOnlyTheStatusIsWatched) {
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
