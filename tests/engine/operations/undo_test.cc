// Undo snapshots: everything that a call replaces or deletes can be restored from the snapshot that the
// call's answer names.
#include "tools/engine/operations/undo.h"

#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <random>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/engine/test_workspace.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/operations/apply_patch.h"
#include "tools/engine/operations/delete_path.h"
#include "tools/engine/operations/diff/diff.h"
#include "tools/engine/operations/gc/gc.h"
#include "tools/engine/operations/gc/retention.h"
#include "tools/engine/operations/gc/verify.h"
#include "tools/engine/operations/restore.h"
#include "tools/engine/operations/write_file.h"

namespace snapgen::core {
namespace {

class UndoTest : public testing::Test {
 protected:
  void make(std::string_view script) { workspace_.emplace(script); }
  Workspace& opened() { return *workspace_->opened; }
  std::string sh(std::string_view script) { return workspace_->scratch.answer(script).output; }

  Result<ChangeResult<WrittenFile>> write(const std::string& path, const std::string& content,
                                          bool discard = false) {
    return write_file(
        opened(), {},
        {.path = path, .content = content, .executable = {}, .expected = {}, .discard_contents = discard},
        {});
  }
  Result<ChangeResult<DeleteAnswer>> remove(const std::string& path, bool discard = false) {
    return delete_path(opened(), {}, {.path = path, .recursive = true, .discard_contents = discard}, {});
  }
  Result<ChangeResult<PatchAnswer>> patch(const std::string& text) {
    return apply_patch(opened(), {}, {.patch = text}, {});
  }

  // Returns the id that the answer names. The test fails if the call failed or the answer has no id.
  template <class T>
  std::string undo_of(const Result<ChangeResult<T>>& result) {
    EXPECT_TRUE(result) << (result ? "" : result.error().message);
    EXPECT_TRUE(result && result->undo);
    return result && result->undo ? result->undo->snapshot_id : std::string();
  }

  // Returns an empty text, or the reason why the restore failed.
  std::string restore(const std::string& id) {
    workspace_->wait_for_watch();
    Result<WithLease<RestoreAnswer>> done = core::restore(opened(), {.snapshot_id = id}, {});
    return done ? std::string() : done.error().message;
  }

  std::optional<TestWorkspace> workspace_;
};

TEST_F(UndoTest, RestoresDeletedUntrackedAndIgnoredFiles) {
  make(
      "new; put .gitignore '.env\nnode_modules\n'; put a a; save; put notes n; put .env KEY; "
      "put node_modules/x/index.js x; put node_modules/y y");
  const std::string untracked = undo_of(remove("notes"));
  const std::string ignored = undo_of(remove(".env"));
  Result<ChangeResult<DeleteAnswer>> folder = remove("node_modules");
  const std::string modules = undo_of(folder);
  EXPECT_EQ(folder->undo->file_count, 2);
  EXPECT_EQ(sh("ls -A | grep -v '^.git$'"), ".gitignore\na\n");
  for (const std::string& id : {untracked, ignored, modules}) EXPECT_EQ(restore(id), "");
  EXPECT_EQ(sh("cat notes .env node_modules/x/index.js node_modules/y"), "nKEYxy");
}

TEST_F(UndoTest, RestoresEveryReplacedContent) {
  make("new; put a first; save; put a second");
  const std::string second = undo_of(write("a", "third"));
  const std::string third = undo_of(write("a", "fourth"));
  EXPECT_EQ(restore(second), "");
  EXPECT_EQ(sh("cat a"), "second");
  EXPECT_EQ(restore(third), "");
  EXPECT_EQ(sh("cat a"), "third");
}

TEST_F(UndoTest, RevertsAPatchCompletely) {
  make("new; put a 'a\n'; put b 'b\n'; save; put a 'changed\n'");
  const std::string id =
      undo_of(patch("--- a/a\n+++ b/a\n@@ -1 +1 @@\n-changed\n+patched\n"
                    "--- a/b\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n"
                    "--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+new\n"));
  EXPECT_EQ(sh("cat a new; test -e b || echo none"), "patched\nnew\nnone\n");
  EXPECT_EQ(restore(id), "");
  EXPECT_EQ(sh("cat a b; test -e new || echo none"), "changed\nb\nnone\n");
}

TEST_F(UndoTest, DeletesIgnoredFilesThatTheCallCreated) {
  make("new; put .gitignore '*.log\nout/\n'; put a 'a\n'; save");
  const std::string id =
      undo_of(patch("--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n"
                    "--- /dev/null\n+++ b/x.log\n@@ -0,0 +1 @@\n+new\n"
                    "--- /dev/null\n+++ b/out/y\n@@ -0,0 +1 @@\n+new\n"));
  EXPECT_EQ(restore(id), "");
  EXPECT_EQ(sh("cat a; ls"), "a\na\n");
}

TEST_F(UndoTest, DeletesNoFileThatReplacedACreatedOneThroughASymlink) {
  make("new; put .gitignore 'out\n'; put a 'a\n'; save");
  const std::string id =
      undo_of(patch("--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n"
                    "--- /dev/null\n+++ b/out/y\n@@ -0,0 +1 @@\n+new\n"));
  workspace_->scratch.run("rm -r out; put other/y mine; ln -s other out");
  EXPECT_EQ(restore(id), "");
  EXPECT_EQ(sh("cat a other/y"), "a\nmine");
}

// Both calls replace the same content, and each creates another file.
TEST_F(UndoTest, EachOfTwoCallsThatReplaceTheSameContentIsRevertedAlone) {
  make("new; put a 'a\n'; save");
  const auto patched = [&](const std::string& created) {
    return undo_of(
        patch("--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n"
              "--- /dev/null\n+++ b/" +
              created + "\n@@ -0,0 +1 @@\n+new\n"));
  };
  const std::string first = patched("one");
  workspace_->scratch.run("put a 'a\n'");
  const std::string second = patched("two");
  EXPECT_NE(first, second);
  EXPECT_EQ(restore(second), "");
  EXPECT_EQ(sh("cat a; ls"), "a\na\none\n");
  EXPECT_EQ(restore(first), "");
  EXPECT_EQ(sh("ls"), "a\n");
}

TEST_F(UndoTest, TheUndoOfARestoreDeletesIgnoredFilesAgain) {
  make("new; put .gitignore '.env\n'; put a a; save; put .env KEY");
  Result<CreatedSnapshot> captured = workspace_->create(std::vector<std::string>{"", ".env"});
  ASSERT_TRUE(captured);
  workspace_->scratch.run("rm .env; put a b");
  workspace_->wait_for_watch();
  Result<WithLease<RestoreAnswer>> done = core::restore(opened(), {.snapshot_id = captured->id()}, {});
  ASSERT_TRUE(done && done->value.safety_snapshot_id);
  EXPECT_EQ(sh("cat a .env"), "aKEY");
  EXPECT_EQ(restore(*done->value.safety_snapshot_id), "");
  EXPECT_EQ(sh("cat a; test -e .env || echo none"), "bnone\n");
}

TEST_F(UndoTest, ARestoreOfIgnoredFilesLeavesTheClientsSnapshotsUnchanged) {
  make("new; put .gitignore '.env\n'; put a a; save; put .env KEY");
  Result<CreatedSnapshot> listed = workspace_->create(std::vector<std::string>{""});
  Result<CreatedSnapshot> all = workspace_->create(std::vector<std::string>{"", ".env"});
  ASSERT_TRUE(listed && all);
  workspace_->scratch.run("rm .env");
  workspace_->wait_for_watch();
  Result<WithLease<RestoreAnswer>> done = core::restore(opened(), {.snapshot_id = all->id()}, {});
  ASSERT_TRUE(done && done->value.safety_snapshot_id);
  EXPECT_NE(*done->value.safety_snapshot_id, listed->id())
      << "the undo snapshot also records that .env was missing";
  EXPECT_EQ(restore(listed->id()), "");
  EXPECT_EQ(sh("cat .env"), "KEY");
  EXPECT_EQ(restore(*done->value.safety_snapshot_id), "");
  EXPECT_EQ(sh("test -e .env || echo none"), "none\n");
}

TEST_F(UndoTest, ItsDiffHasOnlyTheFilesOfTheCall) {
  make("new; put a 'a\n'; put other 1; save");
  const std::string id =
      undo_of(patch("--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n"
                    "--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+new\n"));
  workspace_->scratch.run("put other 2; put another 3");
  const std::shared_ptr<const Snapshot> undo = *opened().snapshots().load(id);
  const auto changes = [&](LiveView& view) { return changes_since(opened(), *undo, view, {}); };
  const Result<WithLease<ChangesAnswer>> found = read_worktree(opened(), {}, {}, changes);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->value.changes.size(), 2u);
  EXPECT_EQ(found->value.changes[0].path, "a");
  EXPECT_EQ(found->value.changes[1].path, "new");
  const Result<DiffAnswer> with_commit = diff_snapshot_with_git(opened(), *undo, GitBase::head, {}, {});
  ASSERT_FALSE(with_commit);
  EXPECT_EQ(with_commit.error().code, ErrorCode::invalid_argument);
}

TEST_F(UndoTest, RestoresExactPermissions) {
  const mode_t before = ::umask(022);
  make(
      "new; put d/secret s; put d/shared s; put d/fixed f; put d/run r; put d/own/x x; save; "
      "chmod 600 d/secret; chmod 664 d/shared; chmod 444 d/fixed; chmod 750 d/run; chmod 700 d/own; "
      "chmod 775 d");
  const std::string modes = "stat -c '%a %n' d d/secret d/shared d/fixed d/run d/own d/own/x";
  const std::string wanted = sh(modes);
  const std::string id = undo_of(remove("d"));
  EXPECT_EQ(restore(id), "");
  EXPECT_EQ(sh(modes), wanted);
  ::umask(before);
}

TEST_F(UndoTest, RestoresSymlinks) {
  make("new; put a a; save; ln -s a link");
  const std::string id = undo_of(remove("link"));
  EXPECT_EQ(restore(id), "");
  EXPECT_EQ(sh("readlink link"), "a\n");
}

TEST_F(UndoTest, ANewFileNeedsNoUndo) {
  make("new; save");
  Result<ChangeResult<WrittenFile>> created = write("a", "a");
  ASSERT_TRUE(created);
  EXPECT_FALSE(created->undo);
}

TEST_F(UndoTest, DeletesContentAboveTheLimitOnlyWithDiscard) {
  make("new; put big 0123456789; put small 0; save");
  WriteRules rules;
  rules.set_undo_bytes_max(9);
  opened().writer().set_rules(rules);
  Result<ChangeResult<DeleteAnswer>> refused = remove("big");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::too_large);
  EXPECT_NE(refused.error().message.find("The user can raise store.undo_bytes_max"), std::string::npos)
      << refused.error().message;
  EXPECT_EQ(sh("cat big"), "0123456789");
  EXPECT_TRUE(remove("small")->undo);
  Result<ChangeResult<DeleteAnswer>> discarded = remove("big", true);
  ASSERT_TRUE(discarded);
  EXPECT_FALSE(discarded->undo);
  EXPECT_EQ(sh("test -e big || echo none"), "none\n");
}

TEST_F(UndoTest, RestoresALargeFile) {
  make("new; save; head -c 20000000 /dev/zero | tr '\\0' x > big; sha256sum big > sum");
  const std::string id = undo_of(write("big", "small"));
  EXPECT_EQ(restore(id), "");
  EXPECT_EQ(sh("sha256sum -c sum"), "big: OK\n");
}

TEST_F(UndoTest, ChangesNoOtherFile) {
  make("new; put a a; put b b; save; put c c");
  const std::string id = undo_of(write("a", "changed"));
  workspace_->scratch.run("put b edited; put d d; rm c");
  Result<WithLease<RestoreAnswer>> done = core::restore(opened(), {.snapshot_id = id}, {});
  ASSERT_TRUE(done);
  EXPECT_EQ(done->value.changes.size(), 1u);
  EXPECT_TRUE(done->value.spared.empty());
  EXPECT_EQ(sh("cat a b d; test -e c || echo none"),
            "aeditedd"
            "none\n");
}

TEST_F(UndoTest, CanItselfBeUndone) {
  make("new; put a a; save; put a mine");
  const std::string id = undo_of(remove("a"));
  workspace_->wait_for_watch();
  Result<WithLease<RestoreAnswer>> done = core::restore(opened(), {.snapshot_id = id}, {});
  ASSERT_TRUE(done && done->value.safety_snapshot_id);
  EXPECT_EQ(sh("cat a"), "mine");
  EXPECT_EQ(restore(*done->value.safety_snapshot_id), "");
  EXPECT_EQ(sh("test -e a || echo none"), "none\n");
}

TEST_F(UndoTest, UndoSnapshotsSurviveCollectionForAWeek) {
  make("new; put a first; save");
  const std::string id = undo_of(write("a", "second"));
  const Retention strict{.keep_days = 0, .keep_count = 1, .quota_bytes = 1 << 20};
  ASSERT_TRUE(workspace_->create(std::vector<std::string>{""}));
  workspace_->clock_offset_ns = std::int64_t{6} * 24 * 3600 * 1'000'000'000;
  ASSERT_TRUE(collect_garbage(opened(), {.retention = strict}, {}));
  EXPECT_TRUE(opened().snapshots().load(id));
  workspace_->clock_offset_ns = std::int64_t{8} * 24 * 3600 * 1'000'000'000;
  ASSERT_TRUE(collect_garbage(opened(), {.retention = strict}, {}));
  EXPECT_FALSE(opened().snapshots().load(id));
}

TEST_F(UndoTest, AListHasAllButTheLatestTenUndoSnapshotsAtItsEnd) {
  make("new; put a a; save");
  ASSERT_TRUE(workspace_->create(std::vector<std::string>{""}, {}, "mine"));
  for (int i = 0; i < 15; ++i) ASSERT_TRUE(write("a", std::to_string(i))->undo);
  const Result<SnapshotNotes> notes = opened().snapshots().list();
  ASSERT_TRUE(notes);
  ASSERT_EQ(notes->size(), 16u);
  for (std::size_t i = 0; i < notes->size(); ++i)
    EXPECT_EQ((*notes)[i]->message, i == 10 ? "mine" : "before writing a");
  EXPECT_GE((*notes)[9]->latest_ms, (*notes)[11]->latest_ms);
  EXPECT_GE((*notes)[11]->latest_ms, (*notes)[15]->latest_ms);
}

// Two servers on one tree make 200 destructive calls. Every content that a call replaced or deleted can be
// restored from the snapshots that the answers named.
TEST_F(UndoTest, LosesNothingInRandomSequences) {
  make("new; put .gitignore 'ignored*\n'; put tracked0 t; put tracked1 t; save");
  Result<std::unique_ptr<Workspace>> other =
      Workspace::open(workspace_->scratch.repo(), workspace_->scratch.environment());
  ASSERT_TRUE(other);
  std::mt19937 random(20261124);
  const auto any = [&](std::size_t count) { return random() % count; };
  const std::vector<std::string> paths = {"tracked0", "tracked1", "ignored0", "ignored1",
                                          "d/new0",   "d/new1",   "d/e/new2"};
  std::map<std::string, std::string> tree;  // the model: the current content of each path
  for (const std::string& path : {paths[0], paths[1]}) tree[path] = "t";
  struct Lost {
    std::map<std::string, std::string> files;
    std::string undo;
  };
  std::vector<Lost> lost;
  int calls = 0;
  while (calls < 200) {
    Workspace& server = any(2) == 0 ? opened() : **other;
    const std::string& path = paths[any(paths.size())];
    const std::string content = std::to_string(any(5));
    Lost replaced;
    std::optional<UndoSnapshot> undo;
    if (any(4) != 0) {
      const auto before = tree.find(path);
      if (before != tree.end() && before->second != content) replaced.files.insert(*before);
      Result<ChangeResult<WrittenFile>> done =
          write_file(server, {}, {.path = path, .content = content, .executable = {}, .expected = {}}, {});
      ASSERT_TRUE(done) << done.error().message;
      undo = done->undo;
      tree[path] = content;
    } else {
      const std::string victim = any(3) == 0 ? "d" : path;
      for (const auto& [each, text] : tree)
        if (each == victim || each.starts_with(victim + "/")) replaced.files.emplace(each, text);
      if (replaced.files.empty()) continue;
      Result<ChangeResult<DeleteAnswer>> done =
          delete_path(server, {}, {.path = victim, .recursive = true}, {});
      ASSERT_TRUE(done) << done.error().message;
      undo = done->undo;
      for (const auto& [each, text] : replaced.files) tree.erase(each);
    }
    ++calls;
    ASSERT_EQ(undo.has_value(), !replaced.files.empty());
    if (!undo) continue;
    replaced.undo = undo->snapshot_id;
    lost.push_back(std::move(replaced));
  }
  ASSERT_GT(lost.size(), 50u);
  for (const Lost& each : lost) {
    Result<WithLease<RestoreAnswer>> done = core::restore(opened(), {.snapshot_id = each.undo}, {});
    ASSERT_TRUE(done) << done.error().message;
    for (const auto& [path, content] : each.files)
      ASSERT_EQ(*read_whole_file(workspace_->scratch.repo() + "/" + path, 1 << 20), content) << path;
  }
}

TEST_F(UndoTest, RestoresAndCollectsPackedSnapshots) {
  constexpr int count = 130;
  make("new; put a 0; save");
  std::vector<std::string> ids;
  for (int i = 1; i <= count; ++i) ids.push_back(undo_of(write("a", std::to_string(i))));
  constexpr std::int64_t any_age = std::numeric_limits<std::int64_t>::max();
  workspace_->reopen();  // Waits until all changes are finished.
  ASSERT_EQ(*opened().snapshots().pack_undos(any_age, {}), static_cast<std::size_t>(count));
  workspace_->reopen();
  EXPECT_EQ(restore(ids[4]), "");
  EXPECT_EQ(sh("cat a"), "4");
  // A collection needs the contents of packed snapshots, too.
  ASSERT_TRUE(collect_garbage(opened(), {.retention = {}}, {}));
  const Result<VerifyResult> verified = verify_store(opened(), {});
  ASSERT_TRUE(verified);
  EXPECT_TRUE(verified->is_sound());
  EXPECT_EQ(verified->snapshot_count, count + 1) << "one is of the restore";
  for (const std::string& id : ids) EXPECT_TRUE(opened().snapshots().load(id));

  const Result<CollectResult> collected =
      collect_garbage(opened(), {.retention = {.keep_count = 0, .undo_days = 0}}, {});
  ASSERT_TRUE(collected) << collected.error().message;
  EXPECT_GE(collected->removed.size(), static_cast<std::size_t>(count));
  for (const std::string& id : ids) EXPECT_FALSE(opened().snapshots().load(id));
}

TEST_F(UndoTest, ACollectionDeletesNothingIfItCannotReadAPack) {
  make("new; put a 0; save");
  const std::string id = undo_of(write("a", "1"));
  const std::string packs = opened().snapshots().folder() + "/packs";
  const std::string pack = packs + "/undos-aaaaaaaaaaaaaaaa.pack";
  std::filesystem::create_directory(packs);
  std::ofstream(pack) << "snapgen-undos 1 1\ndamaged\n";
  const Result<CollectResult> collected =
      collect_garbage(opened(), {.retention = {.keep_count = 0, .undo_days = 0}}, {});
  ASSERT_FALSE(collected);
  EXPECT_EQ(collected.error().code, ErrorCode::internal);
  EXPECT_NE(collected.error().message.find(pack), std::string::npos) << collected.error().message;
  EXPECT_TRUE(opened().snapshots().load(id));
  const Result<VerifyResult> verified = verify_store(opened(), {});
  ASSERT_TRUE(verified);
  ASSERT_EQ(verified->damages.size(), 1u);
  EXPECT_EQ(verified->damages.front().why, collected.error().message);
}

}  // namespace
}  // namespace snapgen::core
