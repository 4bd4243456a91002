// Unified diffs, compared byte for byte with those of the git program.
#include "tools/engine/operations/diff/diff.h"

#include <gtest/gtest.h>

#include "tests/engine/patch/tree.h"
#include "tests/engine/test_workspace.h"
#include "tools/engine/operations/diff/section.h"
#include "tools/engine/patch/parse.h"
#include "tools/engine/patch/plan.h"

namespace snapgen::core {
namespace {

constexpr std::string_view git_diff =
    "git -c core.quotepath=true diff --no-renames --no-ext-diff --no-textconv --abbrev=7 ";

class DiffTest : public testing::Test {
 protected:
  void make(std::string_view script) { workspace_.emplace(script); }
  void edit(std::string_view script) { workspace_->scratch.run(script); }
  std::string git(std::string_view arguments) {
    return workspace_->scratch.answer(std::string(git_diff) + std::string(arguments)).output;
  }
  std::shared_ptr<const Snapshot> created(std::vector<std::string> paths = {""}) {
    Result<CreatedSnapshot> made = workspace_->create(std::move(paths));
    EXPECT_TRUE(made) << made.error().message;
    return workspace_->made(made);
  }
  Workspace& opened() { return *workspace_->opened; }

  Result<DiffAnswer> live(GitBase base, const DiffQuery& query = {}) {
    auto read = [&](LiveView& view) { return diff_live_with_git(opened(), base, view, query); };
    WithLease<DiffAnswer> answer = TRY(read_worktree(opened(), {}, {}, read));
    return answer.value;
  }
  Result<DiffAnswer> live(const Snapshot& before, const DiffQuery& query = {}) {
    auto read = [&](LiveView& view) { return diff_live_with_snapshot(opened(), before, view, query); };
    WithLease<DiffAnswer> answer = TRY(read_worktree(opened(), {}, {}, read));
    return answer.value;
  }
  static std::string text(const Result<DiffAnswer>& answer) {
    return answer ? answer->diff : "error: " + answer.error().message;
  }

  std::optional<TestWorkspace> workspace_;
};

// A tree whose diff has every kind of header.
constexpr const char* varied = R"sh(new
put mod "$(seq 1 40)
"; put gone 'x
'; put exe '#!/bin/sh
'; put both "$(seq 1 9)"; put kind 'file
'; ln -s target link; ln -s a flip
put 'sp ace' 1; put "$(printf 'tab\there')" 1; put "$(printf 'caf\303\251')" 1; put 'q"uote\' 1
printf 'a\0b' > bin; printf 'a\0b' > bingone; : > empty; put nonl 'no newline'; put d/e/f 1
save
put mod "$(seq 1 40 | sed 's/^7$/seven/; s/^30$/thirty/; /^20$/d')
"; rm gone bingone; chmod +x exe; put both "$(seq 1 10)"; chmod +x both; rm kind; ln -s file kind
ln -sfn other link; rm flip; put flip 'now a file
'; put 'sp ace' 2; put "$(printf 'tab\there')" 2; put "$(printf 'caf\303\251')" 2; put 'q"uote\' 2
printf 'a\0c' > bin; put empty 'full
'; put nonl 'no newline
'; rm -r d; put d 'a file where a folder was'
)sh";

TEST_F(DiffTest, EqualsGitDiffAgainstHeadAndIndex) {
  make(varied);
  EXPECT_EQ(text(live(GitBase::head)), git("HEAD"));
  EXPECT_EQ(text(live(GitBase::index)), git(""));
  edit(
      "git add mod kind bin exe; put mod again; git rm -q --cached nonl; put new 'new file'; git add new; "
      "put new more;"
      "printf 'x\\0' > newbin; git add newbin; : > newempty; git add newempty; git add -N d; chmod -x exe");
  EXPECT_EQ(text(live(GitBase::head)), git("HEAD"));
  EXPECT_EQ(text(live(GitBase::index)), git(""));
  for (std::uint32_t context : {0u, 1u, 8u, 1000u}) {
    EXPECT_EQ(text(live(GitBase::head, {.paths = {}, .context = context})),
              git("-U" + std::to_string(context) + " HEAD"));
  }
}

TEST_F(DiffTest, DiffsOfSnapshotsEqualGitTreeDiffs) {
  make(varied);
  std::shared_ptr<const Snapshot> newer = created();
  std::string since_head = text(diff_snapshot_with_git(opened(), *newer, GitBase::head, {}, {}));
  EXPECT_EQ(text(diff_snapshot_with_git(opened(), *newer, GitBase::index, {}, {})), since_head);
  edit("git stash -q -u");
  std::shared_ptr<const Snapshot> older = created();
  EXPECT_EQ(text(diff_snapshots(opened(), *older, *newer, {}, {})), since_head);
  edit("git stash pop -q; git add -A");
  EXPECT_EQ(git("--cached HEAD"), since_head);
  EXPECT_EQ(text(live(*older)), since_head);
  EXPECT_EQ(text(live(*newer)), "");
  edit("git commit -q -m two");
  EXPECT_EQ(text(diff_snapshots(opened(), *newer, *older, {}, {})), git("HEAD HEAD^"));
}

TEST_F(DiffTest, ADiffToAPartialSnapshotDeletesNothingOutsideOfIt) {
  make("new; put a '1\n'; put d/b '2\n'; put d/gone '3\n'; save");
  const std::shared_ptr<const Snapshot> all = created();
  edit("put d/b '4\n'; rm d/gone");
  const std::string expected = git("HEAD -- d");
  const std::shared_ptr<const Snapshot> part = created({"d"});
  EXPECT_EQ(text(diff_snapshots(opened(), *all, *part, {}, {})), expected);
  EXPECT_EQ(text(diff_snapshot_with_git(opened(), *part, GitBase::head, {}, {})), expected);
  EXPECT_EQ(diff_snapshots(opened(), *all, *part, {}, {})->skipped, SkippedCounts{.not_captured = 1});
  edit("put a '5\n'");
  EXPECT_EQ(text(live(*part)), "") << "the file a is not in the snapshot";
}

TEST_F(DiffTest, ReportsTheKindOfChangePerFile) {
  make(varied);
  Result<DiffAnswer> answer = live(GitBase::head);
  ASSERT_TRUE(answer);
  std::string numstat;
  for (const DiffedFile& file : answer->files) {
    numstat += (file.binary ? std::string("-\t-")
                            : std::to_string(file.added_lines) + "\t" + std::to_string(file.removed_lines)) +
               "\t" + file.path + std::string(1, '\0');
  }
  EXPECT_EQ(numstat, git("--numstat -z HEAD"));
  EXPECT_EQ(answer->omitted_untracked_files, 1);
  EXPECT_FALSE(answer->truncated);
}

TEST_F(DiffTest, UntrackedFilesAreCountedOrShown) {
  make("new; put a 1; put .gitignore '*.o'; save; put b 'new\n'; put d/c 2; put x.o 1; put a 2");
  Result<DiffAnswer> answer = live(GitBase::head);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->omitted_untracked_files, 2);
  EXPECT_EQ(answer->files.size(), 1u);
  EXPECT_EQ(answer->skipped.ignored, 1);
  Result<DiffAnswer> all = live(GitBase::index, {.paths = {}, .show_untracked = true});
  edit("git add -N .");
  EXPECT_EQ(text(all), git(""));
  EXPECT_EQ(all->omitted_untracked_files, 0);
}

TEST_F(DiffTest, AFileRemovedOnlyFromTheIndexIsUntracked) {
  make("new; put a '1\n'; put b 1; save; git rm -q --cached a b; put a '2\n'");
  EXPECT_EQ(text(live(GitBase::head)), git("HEAD"));
  Result<DiffAnswer> all = live(GitBase::head, {.paths = {}, .show_untracked = true});
  edit("git add -A");
  EXPECT_EQ(text(all), git("HEAD"));
}

TEST_F(DiffTest, PathsRestrictTheDiffAndAreChecked) {
  make(
      "new; put a 1; put d/b 1; put d-e 1; put d/gone 1; save; put a 2; put d/b 2; put d-e 2; git rm -q "
      "d/gone; put u 1");
  EXPECT_EQ(text(live(GitBase::head, {.paths = {"d"}})), git("HEAD -- d"));
  EXPECT_EQ(text(live(GitBase::head, {.paths = {"d/gone", "a"}})), git("HEAD -- a d/gone"));
  EXPECT_EQ(text(live(GitBase::head, {.paths = {"u"}})), "");
  EXPECT_EQ(live(GitBase::head, {.paths = {"nowhere"}}).error().code, ErrorCode::not_found);
  std::shared_ptr<const Snapshot> snapshot = created({"d"});
  EXPECT_EQ(
      diff_snapshot_with_git(opened(), *snapshot, GitBase::head, {.paths = {"nowhere"}}, {}).error().code,
      ErrorCode::not_found);
  EXPECT_EQ(text(diff_snapshot_with_git(opened(), *snapshot, GitBase::head, {.paths = {"d"}}, {})),
            git("HEAD -- d"));
}

TEST_F(DiffTest, ReportsOmittedFilesBeyondTheLimit) {
  make("new; put a \"$(seq 1 1000)\"; put b 1; put c 1; save; put a \"$(seq 1001 2000)\"; put b 2; put c 2");
  Result<DiffAnswer> answer = live(GitBase::head, {.paths = {}, .bytes_max = 200});
  ASSERT_TRUE(answer);
  EXPECT_TRUE(answer->truncated);
  ASSERT_EQ(answer->files.size(), 3u);
  EXPECT_TRUE(answer->files[0].omitted);
  EXPECT_EQ(answer->files[0].added_lines, 1000) << "lines of an omitted file are counted";
  EXPECT_EQ(answer->diff, git("HEAD -- b"));
  EXPECT_TRUE(answer->files[2].omitted);
  Result<DiffAnswer> two = live(GitBase::head, {.paths = {}, .files_max = 2});
  EXPECT_EQ(two->files.size(), 2u);
  EXPECT_TRUE(two->truncated);
  EXPECT_EQ(two->diff, git("HEAD -- a b"));
}

TEST_F(DiffTest, AppliesGitConversions) {
  make(R"(new; git config core.autocrlf true
put .gitattributes '*.bin -diff
*.txt diff
*.id ident
'
printf 'one\ntwo\n' > lf; printf 'one\r\ntwo\r\n' > crlf; put x.bin 'text
'; printf 'a\0\n' > x.txt; printf '$Id$\n' > x.id; save 2>/dev/null
printf 'one\r\nTWO\r\n' > crlf; printf 'one\r\nTWO\r\n' > lf; put x.bin 'other
'; printf 'b\0\n' > x.txt; printf '$Id: 123 $\nmore\n' > x.id)");
  EXPECT_EQ(text(live(GitBase::head)), git("HEAD 2>/dev/null"));
  edit("printf 'one\\r\\ntwo\\r\\n' > crlf; touch lf");
  EXPECT_EQ(text(live(GitBase::head)), git("HEAD 2>/dev/null")) << "the files are equal after conversion";
}

TEST_F(DiffTest, RunsGitIfOnlyGitCanComputeTheDiff) {
  make(R"(new; git config --global filter.up.clean 'tr a-z A-Z'; git config --global filter.up.smudge cat
put .gitattributes '*.up filter=up
'; put f.up 'abc
'; put plain 1; put mode 1; save; put f.up 'abd
'; put plain 2; chmod +x mode; put 'quo"te' 1; git add 'quo"te')");
  Result<DiffAnswer> answer = live(GitBase::head);
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->diff, git("HEAD"));
  ASSERT_EQ(answer->files.size(), 4u);
  EXPECT_EQ(answer->files[1].status, ChangeStatus::mode_changed);
  EXPECT_EQ(answer->files[3].status, ChangeStatus::added);
  EXPECT_EQ(text(live(GitBase::head, {.paths = {"plain"}})), git("HEAD -- plain"));
  EXPECT_EQ(live(GitBase::head, {.paths = {"nowhere"}}).error().code, ErrorCode::not_found);
  EXPECT_EQ(answer->omitted_untracked_files, 0);
  edit("put u 1; put v 1");
  EXPECT_EQ(live(GitBase::index)->omitted_untracked_files, 2);
  edit("rm -rf .git; git init -q --object-format=sha256 .; put .gitattributes ''; save; put plain 3");
  workspace_->reopen();
  EXPECT_EQ(text(live(GitBase::head)), git("HEAD"));
  EXPECT_NE(text(live(GitBase::head)), "");
}

TEST_F(DiffTest, DetectsAnEditWhileGitRuns) {
  make("new; put a 'base\n'; save; git config core.ignoreCase true; put a 'one\n'; mkdir ../bin");
  // This is the last command that git runs for the diff. The edit happens after it, before the answer is
  // assembled.
  edit(R"(cat > ../bin/git <<'END'
#!/bin/sh
case "$*" in *'ls-files --others'*) test -e ../edited || echo two > a; : > ../edited ;; esac
END
echo "exec $(command -v git) \"\$@\"" >> ../bin/git; chmod +x ../bin/git)");
  Environment environment = workspace_->scratch.environment();
  environment.path_variable = workspace_->scratch.outside("bin") + ":" + environment.path_variable;
  Result<std::unique_ptr<Workspace>> opened = Workspace::open(workspace_->scratch.repo(), environment);
  ASSERT_TRUE(opened) << opened.error().message;
  workspace_->opened = *std::move(opened);
  const std::string shown = text(live(GitBase::head));
  EXPECT_EQ(workspace_->scratch.answer("cat a ../edited").output, "two\n");
  EXPECT_EQ(shown, git("HEAD"));
}

TEST_F(DiffTest, ShowsConflictsAgainstOurSide) {
  make(R"(new; put f 'base
'; save; git checkout -q -b other; put f 'theirs
'; save; git checkout -q -; put f 'ours
'; save; git merge -q other >/dev/null || true)");
  Result<DiffAnswer> answer = live(GitBase::head);
  EXPECT_EQ(text(answer), git("HEAD"));
  ASSERT_EQ(answer->files.size(), 1u);
  EXPECT_TRUE(answer->files[0].unmerged);
  EXPECT_EQ("* Unmerged path f\n" + text(live(GitBase::index)), git("--ours"));
}

TEST_F(DiffTest, ShowsSubmodulesByCommit) {
  make(R"(git init -q ../sub; git -C ../sub commit -q --allow-empty -m one
new; git -c protocol.file.allow=always submodule --quiet add ../sub sub; put a 1; save
git -C sub commit -q --allow-empty -m two; put sub/dirt 1)");
  EXPECT_EQ(text(live(GitBase::head)), git("HEAD"));
  edit("git add sub");
  EXPECT_EQ(text(live(GitBase::head)), git("HEAD"));
  EXPECT_EQ(text(live(GitBase::index)), git(""));
  edit("git -C sub add dirt");
  EXPECT_EQ(text(live(GitBase::head)), git("HEAD"));
  EXPECT_EQ(text(live(GitBase::index)), git(""));
  edit("rm -rf sub; git rm -q --cached sub");
  EXPECT_EQ(text(live(GitBase::head)), git("HEAD"));
}

TEST_F(DiffTest, AWorkspaceInsideARepositoryShowsOnlyItsFiles) {
  make("new; put a 1; put d/b 1; put d/c 1; save; put a 2; put d/b 2; rm d/c; put d/u 1");
  Result<std::unique_ptr<Workspace>> inner =
      Workspace::open(workspace_->scratch.repo() + "/d", workspace_->scratch.environment());
  ASSERT_TRUE(inner);
  workspace_->opened = *std::move(inner);
  EXPECT_EQ(text(live(GitBase::head)), git("--relative=d HEAD"));
  EXPECT_EQ(text(live(GitBase::head, {.paths = {"c"}})), git("--relative=d HEAD -- d/c"));
  std::shared_ptr<const Snapshot> snapshot = created({"b"});
  EXPECT_EQ(text(diff_snapshot_with_git(opened(), *snapshot, GitBase::head, {}, {})),
            git("--relative=d HEAD -- d/b"));
}

TEST_F(DiffTest, ShowsAllAsNewOnAnUnbornBranchAndFailsWithoutGit) {
  make("new; put a '1\n'; git add a");
  EXPECT_EQ(text(live(GitBase::head)), git("--cached")) << "on an unborn branch all files are new";
  std::shared_ptr<const Snapshot> snapshot = created();
  EXPECT_EQ(text(diff_snapshot_with_git(opened(), *snapshot, GitBase::head, {}, {})), git("--cached"));
  edit("rm -rf .git");
  workspace_->crash();  // Without .git it cannot save its leases.
  EXPECT_EQ(live(GitBase::head).error().code, ErrorCode::invalid_argument);
}

TEST_F(DiffTest, TheIndexOfASnapshotIsUsedWhileItExists) {
  make("new; put a 1; put b 1; save; put a 2; git add a; put a 3");
  std::shared_ptr<const Snapshot> snapshot = created();
  EXPECT_EQ(text(diff_snapshot_with_git(opened(), *snapshot, GitBase::index, {}, {})), git(""));
  std::string before = git("");
  edit("put b 2; git add b");
  Result<DiffAnswer> lost = diff_snapshot_with_git(opened(), *snapshot, GitBase::index, {}, {});
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, ErrorCode::not_found);
  edit("put b 1; git add b; git write-tree; put b 2; git add b");
  EXPECT_EQ(text(diff_snapshot_with_git(opened(), *snapshot, GitBase::index, {}, {})), before);
}

TEST_F(DiffTest, TheLeaseCoversTheShownFiles) {
  make("new; put a 1; put b 1; save; put a 2");
  auto read = [&](LiveView& view) { return diff_live_with_git(opened(), GitBase::head, view, {}); };
  Result<WithLease<DiffAnswer>> first = read_worktree(opened(), {}, {}, read);
  ASSERT_TRUE(first);
  edit("put a 3");
  Result<WithLease<DiffAnswer>> again = read_worktree(opened(), first->lease.lease_id, {}, read);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::stale_lease);
}

TEST(QuotedName, EqualsGitQuoting) {
  EXPECT_EQ(quoted_name("a/", "plain name"), "a/plain name");
  EXPECT_EQ(quoted_name("a/", "\a\b\t\n\v\f\r\x01\x7f\"\\\xff"), R"("a/\a\b\t\n\v\f\r\001\177\"\\\377")");
}

}  // namespace
}  // namespace snapgen::core
