// Writes under a lease while other processes edit, at every moment of a call.
#include "tools/engine/operations/change_worktree.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/json/details.h"
#include "tests/engine/test_workspace.h"
#include "tools/engine/operations/apply_patch.h"
#include "tools/engine/operations/delete_path.h"
#include "tools/engine/operations/write_file.h"
#include "tools/engine/read/observe.h"
#include "tools/engine/write/inspected_worktree.h"
#include "tools/engine/write/journal.h"
#include "tools/engine/write/parent_folders.h"

namespace snapgen::core {
namespace {

namespace fs = std::filesystem;
using Lease = std::optional<std::string>;

constexpr std::string_view files =
    "new; put a.txt a; put b.txt b; put sub/c.txt c; put .gitignore '*.log'; save; age; git status";

Result<ChangeResult<WrittenFile>> write(TestWorkspace& workspace, std::string path, std::string content,
                                        const Lease& lease = {}) {
  WriteFileQuery query{
      .path = std::move(path), .content = std::move(content), .executable = {}, .expected = {}};
  return write_file(*workspace.opened, lease, query, {});
}

Result<ChangeResult<DeleteAnswer>> remove(TestWorkspace& workspace, std::string path,
                                          const Lease& lease = {}) {
  return delete_path(*workspace.opened, lease, {.path = std::move(path), .recursive = true}, {});
}

template <class T>
std::string outcome(const Result<T>& result) {
  return result ? "ok" : std::string(text(result.error().code));
}

// Writes `content` to a.txt as write_file() does, and runs `script` between the check and the write.
Result<ChangeResult<int>> write_disturbed(TestWorkspace& workspace, const Lease& lease,
                                          const std::string& script, int times = 1) {
  auto plan = [&](MissingPaths&) -> Result<ProposedChange<int>> {
    InspectedWorktree view(workspace.opened->root(), {});
    TRY(view.node_at("a.txt"));
    std::vector<TreeChange> changes;
    changes.push_back({.path = "a.txt", .bytes = "written"});
    ProposedChange<int> proposal{.answer = 1,
                                 .plan = {.writes = view.writes_of(std::move(changes)),
                                          .options = {},
                                          .inspected_files = view.inspected_files()}};
    if (times-- > 0) workspace.scratch.run(script);
    return proposal;
  };
  return change_worktree(*workspace.opened, lease, {}, plan);
}

TEST(ChangeWorktree, NeverOverwritesAConcurrentEditUnderALease) {
  TestWorkspace workspace(files);
  std::string lease = workspace.file("a.txt")->lease.lease_id;
  EXPECT_EQ(outcome(write_disturbed(workspace, lease, "put a.txt theirs")), "STALE_LEASE");
  EXPECT_EQ(workspace.scratch.answer("cat a.txt").output, "theirs");
  EXPECT_TRUE(workspace.scratch.truth().status == std::string(" M a.txt\0", 9));
}

TEST(ChangeWorktree, RejectsATooLongNameBeforeAnyChange) {
  TestWorkspace workspace(files);
  const std::string name(256, 'n');
  for (const std::string& path : {name, "sub/" + name, "new/" + name, name + "/x", "new/" + name + "/x"}) {
    Result<ChangeResult<WrittenFile>> written = write(workspace, path, "x");
    ASSERT_FALSE(written) << path;
    EXPECT_EQ(written.error().code, ErrorCode::invalid_argument) << path;
    EXPECT_TRUE(written.error().message.ends_with(
        " is rejected: a name has at most 255 bytes. Choose a shorter one."))
        << written.error().message;
  }
  EXPECT_EQ(workspace.scratch.answer("git status -s; ls -d new 2>/dev/null").output, "");
  EXPECT_EQ(outcome(write(workspace, "new/ok", "x")), "ok")
      << "the rejected write left nothing that must be undone";
  // If a write had begun, a recovery would read the stat of such a name.
  Result<std::optional<FileStat>> stat = stat_at(workspace.opened->root().fd(), name, name);
  ASSERT_TRUE(stat) << stat.error().message;
  EXPECT_FALSE(*stat);
}

TEST(ChangeWorktree, WithoutALeaseChecksTheFileAgain) {
  TestWorkspace workspace(files);
  Result<ChangeResult<int>> done = write_disturbed(workspace, {}, "put a.txt theirs");
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(workspace.scratch.answer("cat a.txt").output, "written");
  EXPECT_EQ(outcome(write_disturbed(workspace, {}, "echo more >> a.txt", 9)), "REPO_CHANGED");
}

// Simulates an edit by another process between the check of the lease and the new fingerprint.
class Meanwhile {
 public:
  explicit Meanwhile(TestWorkspace& workspace) : workspace_(workspace) {}
  // Writes under the lease. `script` runs after the change is made and before the lease is updated.
  Result<ChangeResult<int>> write(const std::string& lease, const std::string& script) {
    Result<WorktreeChange> change = WorktreeChange::begin(*workspace_.opened, lease, {});
    EXPECT_TRUE(change);
    InspectedWorktree view(workspace_.opened->root(), {});
    EXPECT_TRUE(view.node_at("a.txt"));
    std::vector<TreeChange> changes;
    changes.push_back({.path = "a.txt", .bytes = "written"});
    ChangePlan plan{.writes = view.writes_of(std::move(changes)),
                    .options = {},
                    .inspected_files = view.inspected_files()};
    // The thread waits for the change to appear in the tree.
    std::thread other([&] {
      while (workspace_.scratch.answer("cat a.txt").output != "written") std::this_thread::yield();
      workspace_.scratch.run(script);
    });
    Result<std::optional<LeaseState>> state = change->commit_or_retry(plan);
    other.join();
    if (!state) return std::move(state).error();
    return ChangeResult<int>{.value = 1, .lease = **std::move(state), .undo = {}};
  }

 private:
  TestWorkspace& workspace_;
};

TEST(ChangeWorktree, LaterConcurrentChangesAreFoundOnTheNextUse) {
  for (std::string_view script :
       {"put b.txt theirs", "put new.txt theirs", "rm sub/c.txt", "git rm -q --cached b.txt"}) {
    TestWorkspace workspace(files);
    std::string lease = workspace.file("sub/c.txt")->lease.lease_id;
    Result<ChangeResult<int>> done = Meanwhile(workspace).write(lease, std::string(script));
    ASSERT_TRUE(done) << done.error().message;
    Result<WithLease<FileAnswer>> read = workspace.file("a.txt", lease);
    EXPECT_EQ(outcome(read), "STALE_LEASE") << script;
    if (script.starts_with("git")) continue;
    EXPECT_EQ(json::object_text(read.error().details).find("a.txt"), std::string::npos)
        << "a change by this lease must not make it stale: " << json::object_text(read.error().details);
  }
}

TEST(ChangeWorktree, DoesNotOverwriteAFileThatTheLeaseSawMissing) {
  TestWorkspace workspace(files);
  std::string lease = workspace.file("a.txt")->lease.lease_id;
  EXPECT_EQ(outcome(workspace.file("ours.log", lease)), "NOT_FOUND");
  EXPECT_EQ(outcome(write(workspace, "ours.log", "1", lease)), "ok");
  EXPECT_EQ(outcome(write(workspace, "ours.log", "2", lease)), "ok");
  EXPECT_EQ(outcome(remove(workspace, "ours.log", lease)), "ok");
  EXPECT_EQ(outcome(workspace.file("theirs.log", lease)), "NOT_FOUND");
  workspace.scratch.run("put theirs.log precious");
  EXPECT_EQ(outcome(write(workspace, "theirs.log", "mine", lease)), "STALE_LEASE");
  EXPECT_EQ(outcome(remove(workspace, "theirs.log", lease)), "STALE_LEASE");
  EXPECT_EQ(workspace.file("theirs.log")->value.content, "precious");
}

TEST(ChangeWorktree, ALeaseDetectsNewFilesInUntrackedFolders) {
  TestWorkspace workspace("new; put a a; save; put un/one 1; put un/two 2; put .gitignore '*.log'");
  Result<WithLease<ListAnswer>> listed = workspace.list({.path = "", .recursive = true});
  std::string lease = listed->lease.lease_id;
  EXPECT_EQ(outcome(write(workspace, "un/three", "3", lease)), "ok");
  EXPECT_EQ(outcome(write(workspace, "un/deep/er", "4", lease)), "ok");
  EXPECT_EQ(outcome(write(workspace, "un/x.log", "ignored", lease)), "ok");
  EXPECT_EQ(outcome(remove(workspace, "un/one", lease)), "ok");
  EXPECT_EQ(outcome(workspace.file("a", lease)), "ok");
  EXPECT_EQ(outcome(remove(workspace, "un", lease)), "ok");
  EXPECT_EQ(outcome(workspace.file("a", lease)), "ok");
  EXPECT_EQ(outcome(write(workspace, "un/again", "1", lease)), "ok");
  EXPECT_EQ(outcome(workspace.list({.path = "", .recursive = true}, lease)), "ok");
  workspace.scratch.run("put un/theirs x");
  EXPECT_EQ(outcome(workspace.file("a", lease)), "STALE_LEASE");
}

TEST(ChangeWorktree, ALeaseDetectsNewFilesThatGitDoesNotReport) {
  for (const char* state : {"true", "git config status.showUntrackedFiles no", "rm gone"}) {
    TestWorkspace workspace("new; put a a; put gone 1; put b b; save");
    workspace.scratch.run(state);
    std::string lease = workspace.list({.path = "", .recursive = true})->lease.lease_id;
    auto expect_valid = [&] {
      EXPECT_EQ(outcome(workspace.file("a", lease)), "ok") << state;
      EXPECT_EQ(outcome(workspace.list({.path = "", .recursive = true}, lease)), "ok") << state;
      EXPECT_EQ(outcome(workspace.file("a", lease)), "ok") << state;
    };
    EXPECT_EQ(outcome(write(workspace, "new", "1", lease)), "ok");
    expect_valid();
    const bool is_there = workspace.scratch.answer("test -e gone").exit_code == 0;
    EXPECT_EQ(is_there ? outcome(remove(workspace, "gone", lease)) : "ok", "ok");
    expect_valid();
    EXPECT_EQ(outcome(write(workspace, "gone/in", "1", lease)), "ok");
    expect_valid();
    EXPECT_EQ(outcome(write(workspace, "gone/too", "1", lease)), "ok");
    EXPECT_EQ(outcome(remove(workspace, "gone/in", lease)), "ok");
    expect_valid();
    EXPECT_EQ(outcome(remove(workspace, "gone", lease)), "ok");
    expect_valid();
    EXPECT_EQ(outcome(write(workspace, "gone", "1", lease)), "ok");
    expect_valid();
    EXPECT_EQ(outcome(remove(workspace, "gone", lease)), "ok");
    expect_valid();
    workspace.scratch.run("put gone/theirs x");
    EXPECT_EQ(outcome(workspace.file("a", lease)), "STALE_LEASE") << state;
  }
}

TEST(ChangeWorktree, ALeaseDetectsNewIgnoreRules) {
  TestWorkspace workspace("new; put a a; save; put un/one.log 1; put un/two 2; put b.log b");
  std::string lease = workspace.list({.path = "", .recursive = true})->lease.lease_id;
  EXPECT_EQ(outcome(write(workspace, ".gitignore", "*.log\n", lease)), "ok");
  EXPECT_EQ(outcome(workspace.file("a", lease)), "ok");
  EXPECT_EQ(outcome(remove(workspace, ".gitignore", lease)), "ok");
  EXPECT_EQ(outcome(workspace.list({.path = "", .recursive = true}, lease)), "ok");
}

TEST(ChangeWorktree, AFileReplacedByAFolderAndBackKeepsTheLease) {
  TestWorkspace workspace(files);
  std::string lease = workspace.file("a.txt")->lease.lease_id;
  EXPECT_EQ(outcome(remove(workspace, "a.txt", lease)), "ok");
  EXPECT_EQ(outcome(write(workspace, "a.txt/in", "1", lease)), "ok");
  EXPECT_EQ(outcome(workspace.file("a.txt/in", lease)), "ok");
  EXPECT_EQ(outcome(remove(workspace, "a.txt", lease)), "ok");
  EXPECT_EQ(outcome(write(workspace, "a.txt", "a", lease)), "ok");
  EXPECT_EQ(outcome(workspace.file("a.txt", lease)), "ok");
  EXPECT_EQ(workspace.scratch.truth().status, "");
  EXPECT_EQ(outcome(workspace.create(std::nullopt, lease)), "ok");
  EXPECT_EQ(outcome(remove(workspace, "sub/c.txt", lease)), "ok");
  workspace.scratch.run("put sub/c.txt back");
  EXPECT_EQ(outcome(workspace.file("a.txt", lease)), "STALE_LEASE");
}

TEST(ChangeWorktree, WorksInAWorkspaceThatIsAFolderOfAnUntrackedFolder) {
  TestWorkspace workspace("new; put a a; save; mkdir -p un/ws; put un/ws/package.json '{}'");
  Result<std::unique_ptr<Workspace>> inner =
      Workspace::open(workspace.scratch.repo() + "/un/ws", workspace.scratch.environment());
  ASSERT_TRUE(inner);
  WriteFileQuery query{.path = "x", .content = "1", .executable = {}, .expected = {}};
  Result<ChangeResult<WrittenFile>> first = write_file(**inner, {}, query, {});
  ASSERT_TRUE(first) << first.error().message;
  query.path = "y";
  Result<ChangeResult<WrittenFile>> second = write_file(**inner, first->lease.lease_id, query, {});
  ASSERT_TRUE(second) << second.error().message;
  query.path = "../z";
  query.path = "z";
  EXPECT_EQ(outcome(write_file(**inner, first->lease.lease_id, query, {})), "ok");
}

TEST(ChangeWorktree, CallsOfOneServerKeepASharedLeaseValid) {
  TestWorkspace workspace(files);
  std::string lease = workspace.file("a.txt")->lease.lease_id;
  std::vector<std::thread> threads;
  std::atomic<int> failed = 0;
  for (int number = 0; number < 4; ++number) {
    threads.emplace_back([&, number] {
      for (int i = 0; i < 6; ++i) {
        std::string name = "file" + std::to_string(number * 10 + i);
        if (!write(workspace, name, name, lease)) ++failed;
        if (!workspace.file("sub/c.txt", lease)) ++failed;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(outcome(workspace.file("file35", lease)), "ok");
}

TEST(ChangeWorktree, SwappedSymlinksNeverLeadOutside) {
  TestWorkspace workspace(
      "new; put d/a a; put other/a a; mkdir ../outside; ln -s ../outside ../link; save; mkdir ../swap");
  const std::string live = workspace.scratch.repo() + "/d";
  const std::string link = workspace.scratch.outside("link");
  std::atomic<bool> done = false;
  std::thread swapper([&] {
    while (!done)
      ::syscall(SYS_renameat2, AT_FDCWD, live.c_str(), AT_FDCWD, link.c_str(), 2U /* RENAME_EXCHANGE */);
  });
  int written = 0;
  for (int i = 0; i < 60; ++i) {
    if (write(workspace, "d/new" + std::to_string(i % 7), std::to_string(i))) ++written;
    if (remove(workspace, "d/new" + std::to_string(i % 5))) ++written;
    PatchQuery query{.patch = "--- /dev/null\n+++ b/d/p" + std::to_string(i) + "\n@@ -0,0 +1 @@\n+x\n"};
    Result<ChangeResult<PatchAnswer>> patched = apply_patch(*workspace.opened, {}, query, {});
    if (patched && patched->value.is_applied) ++written;
  }
  done = true;
  swapper.join();
  EXPECT_TRUE(fs::is_empty(workspace.scratch.outside("outside")));
  EXPECT_LE(written, 180);
}

TEST(ChangeWorktree, RecoversACrashedWriteBeforeReading) {
  TestWorkspace workspace(files);
  ASSERT_TRUE(write(workspace, "warm", "up"));
  std::string writes;
  for (const auto& entry : fs::recursive_directory_iterator(workspace.opened->store_folder())) {
    if (entry.path().filename() == "writes") writes = entry.path();
  }
  // The journal has a change that was not done: it replaces a.txt.
  Result<FileRecord> before = observe_file(workspace.opened->root(), "a.txt", {});
  std::ofstream(writes + "/left-0") << "finished";
  struct stat st;
  ASSERT_EQ(::lstat((writes + "/left-0").c_str(), &st), 0);
  Step step{.kind = Step::Kind::exchange,
            .path = "a.txt",
            .staged_name = "left-0",
            .outside_staging_folder = {},
            .before = *before,
            .after = file_stat(st)};
  std::ofstream(writes + "/left.journal") << encoded_journal({.boot = boot_id(), .steps = {step}});
  EXPECT_EQ(workspace.file("a.txt")->value.content, "finished")
      << "another server left it while this one was running";
  std::ofstream(writes + "/junk-0") << "never moved into the tree";
  workspace.reopen();
  EXPECT_FALSE(fs::exists(writes + "/junk-0"));
  EXPECT_FALSE(fs::exists(writes + "/left.journal"));
}

// Leaves the journal and the note of a change that was not completed: the staged file replaces a.txt, which
// must match `before`.
void leave(TestWorkspace& workspace, const FileRecord& before) {
  std::string writes;
  for (const auto& entry : fs::recursive_directory_iterator(workspace.opened->store_folder()))
    if (entry.path().filename() == "writes") writes = entry.path();
  std::ofstream(writes + "/left-0") << "finished";
  struct stat st;
  ASSERT_EQ(::lstat((writes + "/left-0").c_str(), &st), 0);
  const Step step{.kind = Step::Kind::exchange,
                  .path = "a.txt",
                  .staged_name = "left-0",
                  .outside_staging_folder = {},
                  .before = before,
                  .after = file_stat(st)};
  std::ofstream(writes + "/left.journal")
      << encoded_journal({.boot = boot_id(), .note = "noted", .steps = {step}});
}

TEST(ChangeWorktree, ReportsAChangeOfAnotherProcessThatItCompletes) {
  TestWorkspace workspace(files);
  ASSERT_TRUE(write(workspace, "warm", "up"));
  std::vector<std::string> notes;
  const auto listen = [&] {
    workspace.opened->writer().set_listener([&](const std::string& note) { notes.push_back(note); });
  };
  listen();
  Result<FileRecord> before = observe_file(workspace.opened->root(), "a.txt", {});
  ASSERT_TRUE(before);
  leave(workspace, *before);
  EXPECT_EQ(workspace.file("a.txt")->value.content, "finished");
  EXPECT_EQ(notes, std::vector<std::string>{"noted"}) << "the running workspace reports the recovered change";
  notes.clear();
  before = observe_file(workspace.opened->root(), "a.txt", {});
  ASSERT_TRUE(before);
  leave(workspace, *before);
  workspace.reopen();
  EXPECT_EQ(notes, std::vector<std::string>()) << "no listener is set yet";
  listen();
  EXPECT_EQ(notes, std::vector<std::string>{"noted"}) << "the workspace reports the change when it is opened";
  notes.clear();
  leave(workspace, *before);
  EXPECT_NE(workspace.file("a.txt")->value.content, "")
      << "another process wrote the file in the meantime, so the edit is undone";
  EXPECT_EQ(notes, std::vector<std::string>());
}

TEST(ChangeWorktree, DeletesAFolderWithFilesOnlyIfRecursive) {
  TestWorkspace workspace{std::string(files)};
  const Result<ChangeResult<DeleteAnswer>> rejected = delete_path(*workspace.opened, {}, {.path = "sub"}, {});
  ASSERT_EQ(outcome(rejected), "INVALID_ARGUMENT");
  EXPECT_EQ(rejected.error().message,
            "sub is a folder that is not empty; pass recursive to delete it with everything in it.");
  EXPECT_TRUE(fs::exists(workspace.scratch.repo() + "/sub/c.txt"));
  EXPECT_EQ(outcome(remove(workspace, "sub")), "ok");
  EXPECT_FALSE(fs::exists(workspace.scratch.repo() + "/sub"));
}

TEST(ChangeWorktree, RejectsDeletingAFolderWithAMountPoint) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can mount";
  TestWorkspace workspace{std::string(files)};
  std::string mounted = workspace.scratch.repo() + "/sub/mounted";
  fs::create_directory(mounted);
  if (::mount("tmpfs", mounted.c_str(), "tmpfs", 0, "size=1m") != 0)
    GTEST_SKIP() << "this system does not allow mounts";
  std::ofstream(mounted + "/theirs") << "x";
  for (const char* path : {"sub", "sub/mounted"}) {
    Result<ChangeResult<DeleteAnswer>> deleted = remove(workspace, path);
    ASSERT_EQ(outcome(deleted), "PERMISSION_DENIED");
    EXPECT_EQ(deleted.error().message,
              "Another file system is mounted at sub/mounted, and no tool deletes a "
              "mount point; nothing was deleted. Unmount it first.");
  }
  EXPECT_TRUE(fs::exists(mounted + "/theirs"));
  EXPECT_TRUE(fs::exists(workspace.scratch.repo() + "/sub/c.txt"));
  EXPECT_EQ(::umount2(mounted.c_str(), MNT_DETACH), 0);
}

}  // namespace
}  // namespace snapgen::core
