// A restore returns the tree to the captured state, changes no other file and loses no content.
#include "tools/engine/operations/restore.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/engine/patch/gardener.h"
#include "tests/engine/test_workspace.h"
#include "tools/engine/operations/apply_patch.h"
#include "tools/engine/operations/diff/changes.h"
#include "tools/engine/operations/diff/diff.h"

namespace snapgen::core {
namespace {

using RestoredKind = RestoredPath::Kind;
using Reason = SparedPath::Reason;

class Restore : public testing::Test {
 protected:
  void make(std::string_view script) { workspace_.emplace(script); }
  std::string capture(std::vector<std::string> paths = {""}) {
    Result<CreatedSnapshot> created = workspace_->create(std::move(paths));
    EXPECT_TRUE(created) << created.error().message;
    return created ? created->id() : std::string();
  }
  // Runs `script` after a pause, so that the time of birth distinguishes new files from older ones.
  void later(std::string_view script) {
    workspace_->wait_for_watch();
    workspace_->scratch.run(script);
  }
  Result<WithLease<RestoreAnswer>> restore(std::string id, std::optional<std::vector<std::string>> paths = {},
                                           bool dry_run = false) {
    return core::restore(*workspace_->opened,
                         {.snapshot_id = std::move(id), .paths = std::move(paths), .dry_run = dry_run}, {});
  }
  std::string summary_of(const Result<WithLease<RestoreAnswer>>& result) {
    if (!result) return std::string(text(result.error().code)) + " " + result.error().message;
    std::string text;
    constexpr const char* kinds[] = {"+", "*", "m", "-"};
    constexpr const char* reasons[] = {"not_captured", "older", "unreadable", "settings", "occupied"};
    for (const RestoredPath& change : result->value.changes)
      text += kinds[static_cast<int>(change.kind)] + change.path + " ";
    for (const SparedPath& spared : result->value.spared)
      text += spared.path + ":" + reasons[static_cast<int>(spared.reason)] + " ";
    return text;
  }
  std::string sh(std::string_view script) { return workspace_->scratch.answer(script).output; }
  // Returns everything that must not change for an unchanged file.
  std::string identity(std::string_view paths) {
    return sh("stat -c '%n %i %a %y %z' " + std::string(paths));
  }

  std::optional<TestWorkspace> workspace_;
};

TEST_F(Restore, WritesOnlyFilesThatDiffer) {
  make(
      "new; put a a; put b b; put run 'x'; chmod 755 run; put d/e/f f; ln -s a link; put keep k; put "
      "deep/keep k; save; age; git status");
  std::string id = capture();
  std::string kept = identity("keep deep/keep a");
  std::string kept_link = identity("link");
  later("put b changed; chmod 644 run; rm -r d; put new/file n; put d2 x");
  Result<WithLease<RestoreAnswer>> tried = restore(id, {}, true);
  EXPECT_EQ(summary_of(tried), "*b +d/e/f -d2 -new/file mrun ");
  EXPECT_FALSE(tried->value.safety_snapshot_id);
  EXPECT_EQ(sh("cat b new/file"), "changedn") << "a dry run changes nothing";
  Result<WithLease<RestoreAnswer>> done = restore(id);
  EXPECT_EQ(summary_of(done), summary_of(tried));
  EXPECT_EQ(sh("git status -s; ls; cat b d/e/f; test -x run && echo x"),
            "a\nb\nd\ndeep\nkeep\nlink\nrun\nbfx\n");
  EXPECT_EQ(identity("keep deep/keep a"), kept);
  EXPECT_EQ(identity("link"), kept_link);
  EXPECT_EQ(done->lease.fingerprint.status_hash, sha256_hex(workspace_->scratch.truth().status));
  // The restore can be undone.
  std::string before = *done->value.safety_snapshot_id;
  workspace_->wait_for_watch();
  Result<WithLease<RestoreAnswer>> undone = restore(before);
  EXPECT_EQ(summary_of(undone), "*b -d/e/f +d2 +new/file mrun ");
  EXPECT_EQ(sh("cat b new/file d2; test -e d || echo none"), "changednxnone\n");
  EXPECT_EQ(summary_of(restore(before)), "") << "a second restore changes nothing";
}

TEST_F(Restore, NeverWidensPermissions) {
  const mode_t before = ::umask(022);
  make(
      "new; put a a; put run x; put team t; put deep/priv/id KEY; put deep/priv/all x; chmod 700 run "
      "deep/priv; "
      "chmod 600 deep/priv/id; chmod 640 team; ln -s a link; save");
  std::string id = capture();
  const std::string modes = "stat -c '%a %n' a run team deep deep/priv deep/priv/id deep/priv/all";
  const std::string wanted = sh(modes);
  later("rm -r a deep run; ln -sf a team");
  EXPECT_EQ(summary_of(restore(id)), "+a +deep/priv/all +deep/priv/id +run *team ");
  EXPECT_EQ(sh(modes), wanted);
  // A snapshot that a patch created from this one restores the same permissions.
  Result<PatchedSnapshot> patched =
      patch_snapshot(*workspace_->opened, *workspace_->opened->snapshots().load(id),
                     {.patch = "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n"}, {});
  ASSERT_TRUE(patched && patched->answer.is_applied);
  later("rm -r deep");
  EXPECT_EQ(summary_of(restore(patched->snapshot->id())), "*a +deep/priv/all +deep/priv/id ");
  EXPECT_EQ(sh(modes), wanted);
  EXPECT_EQ(summary_of(restore(id)), "*a ");
  // Undoing the restore brings back each deleted file and its folder with their permissions.
  later("mkdir -m 700 secret; put secret/token KEY; chmod 600 secret/token");
  Result<WithLease<RestoreAnswer>> done = restore(id);
  EXPECT_EQ(summary_of(done), "-secret/token ");
  EXPECT_EQ(sh("ls -d secret 2>&1 | wc -l; test -e secret || echo gone"), "1\ngone\n");
  EXPECT_EQ(summary_of(restore(*done->value.safety_snapshot_id)), "+secret/token ");
  EXPECT_EQ(sh("stat -c %a secret secret/token"), "700\n600\n");
  ::umask(before);
}

TEST_F(Restore, DeletesOnlyProvablyNewFiles) {
  make("new; put a a; put old.log o; put ign/x x; printf '*.log\\nign/\\n' > .gitignore; save");
  std::string id = capture();
  std::string part = capture({"a"});
  later("put fresh f; put made.log m; put ign/y y; mv old.log moved");
  EXPECT_EQ(summary_of(restore(part, {}, true)),
            ".gitignore:not_captured fresh:not_captured moved:not_captured ");
  EXPECT_EQ(summary_of(restore(id, {}, true)), "-fresh moved:older ");
  // With other ignore rules git reports more files that were created since, and no file that existed before.
  later("printf 'ign/\\n' > .gitignore");
  EXPECT_EQ(summary_of(restore(id)), "*.gitignore -fresh -made.log moved:older ");
  EXPECT_EQ(sh("cat ign/x ign/y moved"), "xyo");
}

TEST_F(Restore, KeepsFilesThatGitIgnoredAtTheSnapshot) {
  make(
      "new; put a a; put x.log 1; put build/o 1; printf '*.log\\n' > .gitignore; put secret 1; echo secret > "
      ".git/info/exclude; put cache/.gitignore '*'; put cache/data 1; put build/.gitignore 'o'; save");
  std::string id = capture();
  // The files are written again, so that they are younger than the snapshot, and git reports them from now
  // on.
  later(
      "for each in x.log secret cache/data build/o; do rm $each; echo 2 > $each; done; rm .gitignore "
      "cache/.gitignore "
      "build/.gitignore; : > .git/info/exclude; put fresh.log f");
  EXPECT_EQ(summary_of(restore(id)),
            "+.gitignore +build/.gitignore -fresh.log build/o:not_captured cache/data:not_captured "
            "secret:not_captured x.log:not_captured ");
  EXPECT_EQ(sh("cat x.log secret cache/data build/o"), "2\n2\n2\n2\n");
}

TEST_F(Restore, WithADamagedBlobNamesTheFileAndRestoresTheOthers) {
  make("new; put a short-of-a; put b short-of-b; save");
  std::string id = capture();
  EXPECT_EQ(
      sh("f=$(grep -al short-of-a .git/snapgen/blobs/*.seg); sed -i s/short-of-a/short-of-A/ $f; printf ok"),
      "ok");
  later("put a 1; put b 2");
  workspace_->reopen();
  const std::string refused = summary_of(restore(id));
  EXPECT_TRUE(refused.starts_with("INTERNAL a cannot be restored, and nothing was: The blob sha256:"))
      << refused;
  EXPECT_TRUE(refused.ends_with("to see what it affects. Name the other paths to restore those.")) << refused;
  EXPECT_EQ(sh("cat a b"), "12");
  EXPECT_EQ(summary_of(restore(id, {{"b"}})), "*b ");
  EXPECT_EQ(sh("cat a b"), "1short-of-b");
}

TEST_F(Restore, RejectsSnapshotsOfAnotherFolder) {
  make("new; put a root; put pkg/package.json p; put pkg/a sub; save");
  const std::string repo = workspace_->scratch.repo();
  Result<std::unique_ptr<Workspace>> sub = Workspace::open(repo + "/pkg", workspace_->scratch.environment());
  ASSERT_TRUE(sub) << sub.error().message;
  Result<CreatedSnapshot> created = create_snapshot(**sub, {.lease_id = {}, .paths = {{""}}}, {});
  ASSERT_TRUE(created) << created.error().message;
  later("put fresh f");
  EXPECT_EQ(summary_of(restore(created->id())),
            "INVALID_ARGUMENT The snapshot " + created->alias() +
                " was taken of the repository's folder pkg, not of the folder that is the workspace here.");
  EXPECT_EQ(sh("cat a fresh"), "rootf");
  EXPECT_TRUE(workspace_->opened->snapshots().list()->empty())
      << "the snapshot of the other folder is not listed";
  EXPECT_EQ((*sub)->snapshots().list()->size(), 1U);
  EXPECT_EQ(workspace_->opened->snapshots().list_all()->size(), 1U);
  std::string whole = capture();
  Result<WithLease<RestoreAnswer>> wrong = core::restore(**sub, {.snapshot_id = whole}, {});
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message.find("was taken of the whole repository"), std::string::npos);
  // The files here are not compared with that snapshot either.
  const std::shared_ptr<const Snapshot> theirs = *workspace_->opened->snapshots().load(created->id());
  LiveView view(*workspace_->opened, false, {}, false);
  EXPECT_FALSE(changes_since(*workspace_->opened, *theirs, view, {}));
  EXPECT_FALSE(diff_live_with_snapshot(*workspace_->opened, *theirs, view, {}));
  EXPECT_FALSE(diff_snapshot_with_git(*workspace_->opened, *theirs, GitBase::head, {}, {}));
}

TEST_F(Restore, DeletesNothingForASnapshotOfAnotherWorkTree) {
  make("new; put a a; save; git worktree add -q ../linked");
  std::string id = capture();
  later("cd ../linked; put fresh f; put a changed");
  Result<std::unique_ptr<Workspace>> linked =
      Workspace::open(workspace_->scratch.outside("linked"), workspace_->scratch.environment());
  ASSERT_TRUE(linked) << linked.error().message;
  EXPECT_EQ(summary_of(core::restore(**linked, {.snapshot_id = id, .from_tree = "main"}, {})),
            "*a fresh:not_captured ");
  EXPECT_EQ(sh("cat ../linked/a ../linked/fresh"), "af");
}

TEST_F(Restore, ARestoreOfNamedFilesCanBeUndone) {
  make(
      "new; put a a; put gone g; put run r; chmod 755 run; printf 'set\\n' > .gitignore; put set s; chmod "
      "755 set; save");
  std::string id = capture({"", "set"});
  later("put a changed; rm gone; chmod 644 run set");
  Result<WithLease<RestoreAnswer>> done = restore(id, {{"a", "gone", "run", "set"}});
  EXPECT_EQ(summary_of(done), "*a +gone mrun mset ");
  workspace_->wait_for_watch();
  EXPECT_EQ(summary_of(restore(*done->value.safety_snapshot_id, {{"a", "gone", "run", "set"}})),
            "*a -gone mrun mset ");
  EXPECT_EQ(sh("cat a; test -x run || test -x set || test -e gone || echo undone"), "changedundone\n");
}

TEST_F(Restore, KeepsOrNamesUnreadableFiles) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  make("new; put a a; put b b; save");
  std::string id = capture();
  later("put a changed; put locked l; chmod 0 locked");
  EXPECT_EQ(summary_of(restore(id, {}, true)), "*a locked:unreadable ");
  EXPECT_EQ(summary_of(restore(id)), "*a locked:unreadable ");
  later("put b longer; chmod 0 b");
  EXPECT_EQ(summary_of(restore(id)),
            "PERMISSION_DENIED b cannot be read, so its content could not be saved first. Nothing was "
            "restored. Make it "
            "readable, or restore other paths.");
  later("put a again; mkdir shut; put shut/f f; chmod 0 shut");
  EXPECT_EQ(summary_of(restore(id)), "*a b:unreadable locked:unreadable ");
}

TEST_F(Restore, RestoresTheOtherFilesIfAPathIsOccupied) {
  make("new; put a a; put b b; put d/f f; put e/g g; save");
  const std::string id = capture();
  later("rm a; git init -q a; put a/x x; rm b; mkfifo b; rm -r d; mkfifo d; rm -r e");
  EXPECT_EQ(summary_of(restore(id)), "+e/g a:occupied b:occupied d/f:occupied ");
  EXPECT_EQ(sh("cat a/x e/g; test -p b && test -p d && echo pipes"), "xgpipes\n");
  EXPECT_EQ(summary_of(restore(id)).substr(0, 20), "INVALID_ARGUMENT a i") << "nothing else differs";
}

TEST_F(Restore, DeletesNewFoldersExceptIgnoredFiles) {
  make("new; put a a; save");
  std::string id = capture();
  later("put n/.gitignore '*.o'; put n/x.c x; put n/x.o o; put m/.gitignore '!x'; put m/x x");
  EXPECT_EQ(summary_of(restore(id)), "-m/.gitignore -m/x -n/.gitignore -n/x.c ");
  EXPECT_EQ(sh("cat n/x.o"), "o") << "ignored files are not deleted";
}

TEST_F(Restore, NeverTouchesNestedRepositories) {
  make("new; put a a; save; git init -q sub; put sub/f f");
  std::string id = capture();
  later("git init -q other; put other/g g; rm -rf sub/.git");
  EXPECT_EQ(summary_of(restore(id)), "sub/f:not_captured ");
  EXPECT_EQ(sh("cat other/g sub/f; ls -d other/.git"), "gfother/.git\n");
  make("new; put a a; save");
  id = capture();
  later("rm a; git init -q a; put a/f f");
  EXPECT_EQ(summary_of(restore(id)).substr(0, 20), "INVALID_ARGUMENT a i");
  EXPECT_EQ(sh("cat a/f"), "f");
}

TEST_F(Restore, HandlesPathsThatChangedTheirType) {
  make("new; put d/f f; put file x; ln -s d link; put ../outside/o o; save");
  std::string id = capture();
  later("rm -r d; ln -s ../outside d; rm file; put file/a 1; put file/b/c 2; rm link; put link l");
  Result<WithLease<RestoreAnswer>> done = restore(id);
  EXPECT_EQ(summary_of(done), "-d +d/f +file -file/a -file/b/c *link ");
  EXPECT_EQ(sh("cat d/f file; readlink link; cat ../outside/o; ls ../outside; git status -s"), "fxd\noo\n");
  workspace_->wait_for_watch();
  Result<WithLease<RestoreAnswer>> undone = restore(*done->value.safety_snapshot_id);
  EXPECT_EQ(sh("readlink d; cat file/a file/b/c link"), "../outside\n12l");
  EXPECT_TRUE(undone) << undone.error().message;
}

TEST_F(Restore, OfSomePathsLeavesOthersUnchanged) {
  make("new; put a/x 1; put a/y 2; put b/z 3; save");
  std::string id = capture();
  later("put a/x X; rm a/y; put b/z Z; put a/n n; put b/n n");
  EXPECT_EQ(summary_of(restore(id, {{"a"}})), "-a/n *a/x +a/y ");
  EXPECT_EQ(sh("cat a/x a/y b/z b/n"), "12Zn");
  EXPECT_EQ(summary_of(restore(id, {{"b/z", "b/n"}})), "-b/n *b/z ");
  std::string part = capture({"a"});
  EXPECT_EQ(summary_of(restore(part, {{"none"}})).substr(0, 9), "NOT_FOUND");
  EXPECT_EQ(summary_of(restore("snap_0000000000")).substr(0, 9), "NOT_FOUND");
}

TEST_F(Restore, RestoresIgnoredFilesThatWereCapturedByName) {
  make("new; put a a; put secret.env 1; printf '*.env' > .gitignore; save");
  std::string id = capture({"", "secret.env"});
  later("put secret.env 2; put a b");
  Result<WithLease<RestoreAnswer>> done = restore(id);
  EXPECT_EQ(summary_of(done), "*a *secret.env ");
  workspace_->wait_for_watch();
  EXPECT_EQ(summary_of(restore(*done->value.safety_snapshot_id)), "*a *secret.env ");
  EXPECT_EQ(sh("cat secret.env a"), "2b")
      << "the replaced files had been captured, including the ignored one";
}

TEST_F(Restore, RestoresRandomTreesAndUndoesIt) {
  for (std::uint32_t seed = 300; seed < 315 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Gardener gardener(seed);
    Tree before = gardener.planted();
    Tree after = gardener.edited(gardener.edited(before));
    workspace_.emplace("new");
    const std::string repo = workspace_->scratch.repo();
    write_tree(repo, before);
    workspace_->scratch.run("save");
    std::string id = capture();
    workspace_->wait_for_watch();
    for (const auto& [path, file] : before) std::filesystem::remove(repo + "/" + path);
    workspace_->scratch.run("find . -depth -type d -empty -not -path './.git/*' -delete");
    write_tree(repo, after);
    Result<WithLease<RestoreAnswer>> done = restore(id);
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(read_tree(repo), before);
    EXPECT_EQ(workspace_->scratch.truth().status, "");
    if (!done->value.safety_snapshot_id) continue;
    workspace_->wait_for_watch();
    Result<WithLease<RestoreAnswer>> undone = restore(*done->value.safety_snapshot_id);
    ASSERT_TRUE(undone) << undone.error().message;
    EXPECT_EQ(read_tree(repo), after);
  }
}

}  // namespace
}  // namespace snapgen::core
