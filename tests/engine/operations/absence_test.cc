// A lease records which paths were missing. The server never overwrites a file that another process creates
// there. The lease's own writes do not make the lease stale.
#include <functional>

#include <gtest/gtest.h>

#include "tests/engine/test_workspace.h"
#include "tools/engine/files/path.h"
#include "tools/engine/operations/apply_patch.h"
#include "tools/engine/operations/delete_path.h"
#include "tools/engine/operations/diff/changes.h"
#include "tools/engine/operations/diff/diff.h"
#include "tools/engine/operations/export/export.h"
#include "tools/engine/operations/write_file.h"

namespace snapgen::core {
namespace {

using LeaseId = std::optional<std::string>;

// Neither ignored files nor new files in an untracked folder change the fingerprint.
constexpr std::string_view files_and_ignored =
    "new; put a.txt a; put .gitignore 'ign\n*.log'; save; put u/kept k; age; git status";

template <class T>
std::string outcome_of(const Result<T>& result) {
  return result ? "ok" : std::string(text(result.error().code));
}

std::string write_outcome(TestWorkspace& workspace, std::string path, const LeaseId& lease,
                          std::optional<ExpectedContent> expected = {}, std::string content = "ours") {
  WriteFileQuery query{.path = std::move(path),
                       .content = std::move(content),
                       .executable = {},
                       .expected = std::move(expected)};
  return outcome_of(write_file(*workspace.opened, lease, query, {}));
}

std::string delete_outcome(TestWorkspace& workspace, std::string path, const LeaseId& lease) {
  return outcome_of(delete_path(*workspace.opened, lease, {.path = std::move(path), .recursive = true}, {}));
}

std::string patch_outcome(TestWorkspace& workspace, const std::string& text, bool dry_run,
                          const LeaseId& lease) {
  Result<ChangeResult<PatchAnswer>> answer =
      apply_patch(*workspace.opened, lease, {.patch = text, .dry_run = dry_run}, {});
  return !answer ? outcome_of(answer) : answer->value.rejects.empty() ? "applies" : "rejected";
}

struct Ask {
  std::string name;
  std::string answer;
  std::function<std::string(TestWorkspace&, const std::string& path, const LeaseId&)> run;
};

std::vector<Ask> asks() {
  return {
      {"file", "NOT_FOUND",
       [](TestWorkspace& w, const std::string& path, const LeaseId& lease) {
         return outcome_of(w.file(path, lease));
       }},
      {"list", "NOT_FOUND",
       [](TestWorkspace& w, const std::string& path, const LeaseId& lease) {
         return outcome_of(w.list({.path = path, .cursor = {}}, lease));
       }},
      {"grep", "NOT_FOUND",
       [](TestWorkspace& w, const std::string& path, const LeaseId& lease) {
         return outcome_of(w.search({.pattern = "x", .paths = {path}, .globs = {}}, lease));
       }},
      {"create", "NOT_FOUND",
       [](TestWorkspace& w, const std::string& path, const LeaseId& lease) {
         return outcome_of(w.create(std::vector<std::string>{path}, lease));
       }},
      {"export", "NOT_FOUND",
       [](TestWorkspace& w, const std::string& path, const LeaseId& lease) {
         return outcome_of(read_worktree(*w.opened, lease, {}, [&](LiveView& view) {
           return read_for_export(*w.opened, view, PathScope({path}), export_bytes_limit);
         }));
       }},
      {"diff", "NOT_FOUND",
       [](TestWorkspace& w, const std::string& path, const LeaseId& lease) {
         return outcome_of(read_worktree(*w.opened, lease, {}, [&](LiveView& view) {
           return diff_live_with_git(*w.opened, GitBase::head, view, {.paths = {path}});
         }));
       }},
      {"delete", "NOT_FOUND", delete_outcome},
      {"write", "REPO_CHANGED",
       [](TestWorkspace& w, const std::string& path, const LeaseId& lease) {
         return write_outcome(w, path, lease, ExpectedContent{.blob_prefix = blob_id_of("theirs").hex()});
       }},
      {"patch", "rejected",
       [](TestWorkspace& w, const std::string& path, const LeaseId& lease) {
         return patch_outcome(w, "--- a/" + path + "\n+++ b/" + path + "\n@@ -1 +1 @@\n-a\n+b\n", false,
                              lease);
       }},
      {"dry run", "applies",
       [](TestWorkspace& w, const std::string& path, const LeaseId& lease) {
         return patch_outcome(w, "--- /dev/null\n+++ b/" + path + "\n@@ -0,0 +1 @@\n+b\n", true, lease);
       }},
  };
}

// Calls `each` for every operation in asks(), with a path that was not read before, a new lease, and a
// function that runs the operation.
void with_each_ask(const std::vector<std::string>& patterns,
                   const std::function<void(TestWorkspace&, const std::string& path, const std::string& lease,
                                            const std::function<void(const std::string& path)>&)>& each) {
  for (const std::string& pattern : patterns) {
    TestWorkspace workspace(files_and_ignored);
    int number = 0;
    for (const Ask& ask : asks()) {
      std::string path = pattern;
      path.replace(path.find('#'), 1, std::to_string(number++));
      SCOPED_TRACE(ask.name + " " + path);
      const std::string lease = workspace.file("a.txt")->lease.lease_id;
      each(workspace, path, lease, [&](const std::string& asked) {
        EXPECT_EQ(ask.run(workspace, asked, lease), ask.answer) << asked;
      });
    }
  }
}

TEST(Absence, AFileCreatedByAnotherProcessIsNotOverwritten) {
  with_each_ask({"#.log", "ign/d#/x", "u/d#/x"}, [](auto& workspace, auto& path, auto& lease, auto& ask) {
    ask(path);
    EXPECT_EQ(outcome_of(workspace.file("a.txt", lease)), "ok");
    workspace.scratch.run("put " + path + " theirs");
    EXPECT_EQ(write_outcome(workspace, path, lease), "STALE_LEASE");
    EXPECT_EQ(delete_outcome(workspace, path, lease), "STALE_LEASE");
    EXPECT_EQ(workspace.file(path)->value.content, "theirs");
  });
}

TEST(Absence, CreatingAFileThroughTheLeaseKeepsItValid) {
  with_each_ask({"#.log", "ign/d#/x", "u/d#/x"}, [](auto& workspace, auto& path, auto& lease, auto& ask) {
    ask(path);
    if (!parent_path(path).empty()) ask(std::string(parent_path(path)));
    EXPECT_EQ(write_outcome(workspace, path, lease), "ok");
    EXPECT_EQ(write_outcome(workspace, path, lease, {}, "ours again"), "ok");
    EXPECT_EQ(write_outcome(workspace, path + ".log", lease), "ok");
    EXPECT_EQ(delete_outcome(workspace, path, lease), "ok");
    workspace.scratch.run("put " + path + " theirs");
    EXPECT_EQ(write_outcome(workspace, path, lease), "STALE_LEASE");
  });
}

TEST(Absence, AFolderCreatedByAnotherProcessIsNotTouched) {
  with_each_ask({"#.log", "ign/d#", "u/d#"}, [](auto& workspace, auto& folder, auto& lease, auto& ask) {
    ask(folder);
    workspace.scratch.run("put " + folder + "/x theirs");
    EXPECT_EQ(write_outcome(workspace, folder + "/x", lease), "STALE_LEASE");
    EXPECT_EQ(delete_outcome(workspace, folder, lease), "STALE_LEASE");
    EXPECT_EQ(workspace.file(folder + "/x")->value.content, "theirs");
  });
}

TEST(Absence, TheServersOwnFolderMayBeCreated) {
  TestWorkspace workspace(files_and_ignored);
  const std::string lease = workspace.file("a.txt")->lease.lease_id;
  for (const std::string path : {".snapback", ".snapback/logs"})
    EXPECT_EQ(outcome_of(workspace.list({.path = path, .cursor = {}}, lease)), "NOT_FOUND");
  workspace.scratch.run("mkdir -p .snapback/logs");
  EXPECT_EQ(outcome_of(workspace.file("a.txt", lease)), "ok");
}

TEST(Absence, ADanglingSymlinkIsTrackedWithItsTarget) {
  constexpr std::string_view links = "ln -s there/real.log link.log; ln -s link.log again.log; mkdir ign";
  for (const std::string read : {"link.log", "again.log"}) {
    for (const std::string written : {"link.log", "again.log", "there/real.log"}) {
      SCOPED_TRACE(read + " " + written);
      TestWorkspace workspace(files_and_ignored);
      workspace.scratch.run(links);
      const std::string lease = workspace.file("a.txt")->lease.lease_id;
      EXPECT_EQ(outcome_of(workspace.file(read, lease)), "NOT_FOUND");
      EXPECT_EQ(write_outcome(workspace, read, lease), "NOT_FOUND")
          << "the target of the symlink does not exist";
      EXPECT_EQ(outcome_of(workspace.file("a.txt", lease)), "ok");
      workspace.scratch.run("put there/real.log theirs");
      EXPECT_EQ(write_outcome(workspace, written, lease), "STALE_LEASE");
      EXPECT_EQ(workspace.file("there/real.log")->value.content, "theirs");
    }
    TestWorkspace workspace(files_and_ignored);
    workspace.scratch.run(links);
    const std::string lease = workspace.file("a.txt")->lease.lease_id;
    EXPECT_EQ(outcome_of(workspace.file(read, lease)), "NOT_FOUND");
    EXPECT_EQ(write_outcome(workspace, "there/real.log", lease), "ok");
    EXPECT_EQ(write_outcome(workspace, read, lease, {}, "more"), "ok");
    EXPECT_EQ(workspace.file("there/real.log", lease)->value.content, "more");
    workspace.scratch.run("ln -sfn ../a.txt link.log");
    EXPECT_EQ(write_outcome(workspace, "there/real.log", lease), "STALE_LEASE")
        << "the symlink has another target";
  }
}

TEST(Absence, APathThroughSymlinksIsTrackedAtItsTarget) {
  TestWorkspace workspace(files_and_ignored);
  workspace.scratch.run(
      "mkdir -p ign/one ign/two; ln -s ign/one way; ln -s one ign/way; ln -s ../a.txt ign/up; "
      "ln -s nowhere ign/dangling; git add way; save; age; git status");
  const std::string lease = workspace.file("a.txt")->lease.lease_id;
  for (const char* path : {"way/x", "ign/way/y", "ign/dangling/x", "ign/up/x"})
    EXPECT_NE(outcome_of(workspace.file(path, lease)), "ok") << path;
  EXPECT_EQ(write_outcome(workspace, "way/x", lease), "ok");
  EXPECT_EQ(write_outcome(workspace, "way/x", lease, {}, "more"), "ok");
  EXPECT_EQ(write_outcome(workspace, "ign/nowhere/x", lease), "ok");
  EXPECT_EQ(write_outcome(workspace, "ign/dangling/x", lease, {}, "more"), "ok");
  workspace.scratch.run("put ign/one/y theirs");
  EXPECT_EQ(write_outcome(workspace, "ign/one/y", lease), "STALE_LEASE");
}

TEST(Absence, ALeaseRecordsAFileReportedAsDeletedAsMissing) {
  for (const bool diff : {false, true}) {
    TestWorkspace workspace(files_and_ignored);
    workspace.scratch.run("put ign/x theirs; put ign/y theirs");
    const std::shared_ptr<const Snapshot> before =
        workspace.made(workspace.create(std::vector<std::string>{"ign/x", "ign/y"}));
    ASSERT_TRUE(before);
    workspace.scratch.run("rm -r ign");
    const LeaseId lease = workspace.file("a.txt")->lease.lease_id;
    Workspace& opened = *workspace.opened;
    if (diff) {
      EXPECT_EQ(outcome_of(read_worktree(opened, lease, {},
                                         [&](LiveView& view) {
                                           return diff_live_with_snapshot(opened, *before, view,
                                                                          {.paths = {"ign"}});
                                         })),
                "ok");
    } else {
      EXPECT_EQ(outcome_of(read_worktree(opened, lease, {},
                                         [&](LiveView& view) {
                                           return changes_since(opened, *before, view,
                                                                {.paths = {"ign/x", "ign/y"}});
                                         })),
                "ok");
    }
    EXPECT_EQ(write_outcome(workspace, "ign/x", lease), "ok");
    workspace.scratch.run("put ign/y theirs");
    EXPECT_EQ(write_outcome(workspace, "ign/y", lease), "STALE_LEASE");
  }
}

}  // namespace
}  // namespace snapgen::core
