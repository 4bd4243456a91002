// Tasks and snapshots of another work tree of the repository are found and named, and do not mix with those
// of the present one.
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "tests/engine/test_workspace.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/operations/capture.h"
#include "tools/engine/operations/restore.h"
#include "tools/insight/analysis/import_graph_cache.h"
#include "tools/work/memory/memory.h"
#include "tools/work/task/begin.h"
#include "tools/work/task/end.h"
#include "tools/work/task/task_store.h"
#include "tools/work/task/workspace_services.h"

namespace snapgen::core {
namespace {

namespace fs = std::filesystem;

class OtherTreeTest : public testing::Test {
 protected:
  OtherTreeTest() {
    scratch().run("git worktree add -q ../side -b side");
    Result<std::unique_ptr<Workspace>> opened_side = Workspace::open(scratch().outside("side"));
    EXPECT_TRUE(opened_side) << opened_side.error().message;
    if (opened_side) side_ = *std::move(opened_side);
    EXPECT_TRUE(side_->prepare_store());
    EXPECT_TRUE(opened().prepare_store());
  }
  Workspace& opened() { return *workspace_.opened; }
  const Scratch& scratch() { return workspace_.scratch; }
  TaskStore tasks() { return TaskStore(record_folders_of(opened())); }
  TaskStore side_tasks() { return TaskStore(record_folders_of(*side_)); }
  Task begin_in_side(std::string title) {
    Task task{.title = std::move(title)};
    EXPECT_TRUE(capture_start(*side_, task, {}));
    Result<Task> begun = side_tasks().begin_task(task);
    EXPECT_TRUE(begun);
    return begun ? *begun : Task();
  }
  Result<EndedTask> end_here(const std::string& id) {
    LearningStore memory(record_folders_of(opened()));
    ImportGraphCache imports(opened());
    return end_task({opened(), memory, imports}, id, {.outcome = TaskOutcome::completed, .survey = {}}, {});
  }

  TestWorkspace workspace_{"new; put a 'one\ntwo\n'; save; age; git status"};
  std::unique_ptr<Workspace> side_;
};

TEST_F(OtherTreeTest, ItsTaskIsNotCurrentHereAndIsCountedThere) {
  const Task task = begin_in_side("there");
  EXPECT_FALSE(tasks().current_task());
  EXPECT_TRUE(tasks().open_tasks().empty());
  EXPECT_EQ(tasks().all_open_tasks().size(), 1U);
  EXPECT_FALSE(fs::exists(scratch().repo() + "/.snapback/session/current.json"));
  EXPECT_EQ(tasks().find_open_task(std::nullopt).error().message,
            "No task of this work tree is open; in other work trees: " + task.id + " (there).");
  std::ofstream(scratch().outside("side") + "/new") << "x\ny\n";
  scratch().run("put a changed; put b changed");
  Result<EndedTask> ended = end_here(task.id);
  ASSERT_TRUE(ended) << ended.error().message;
  EXPECT_EQ(ended->remarks, "It is a task of the work tree side.");
  ASSERT_TRUE(ended->task.changes);
  EXPECT_EQ(ended->task.changes->file_count, 1);
  EXPECT_EQ(ended->task.changes->added_lines, 2);
  EXPECT_TRUE(side_tasks().open_tasks().empty());
  const fs::path there = scratch().outside("side") + "/.snapback/session";
  EXPECT_FALSE(fs::exists(there / "current.json"));
  EXPECT_TRUE(fs::exists(there / "summaries" / (task.id + ".json")));
}

TEST_F(OtherTreeTest, ATaskOfARemovedWorkTreeCanBeEnded) {
  const Task task = begin_in_side("there");
  const GetSparedSnapshots spared =
      spared_by_open_tasks(opened().store_folder(), record_folders_of(opened()));
  EXPECT_EQ(spared(), std::set<std::string>{task.snapshot_id});
  side_.reset();
  scratch().run("git worktree remove --force ../side");
  EXPECT_EQ(spared(), std::set<std::string>{task.snapshot_id});
  Result<EndedTask> ended = end_here(task.id);
  ASSERT_TRUE(ended) << ended.error().message;
  EXPECT_EQ(ended->remarks,
            "It is a task of the work tree side, which no longer exists. Its changes were not counted.");
  EXPECT_FALSE(ended->task.changes);
  EXPECT_EQ(tasks().ended_tasks(9).size(), 1U);
}

TEST_F(OtherTreeTest, ItsSnapshotIsRestoredOnlyIfItIsNamed) {
  std::ofstream(scratch().outside("side") + "/a") << "work of the other tree";
  const Task task = begin_in_side("there");
  RestoreQuery query{.snapshot_id = task.snapshot_id, .paths = {}};
  const Result<WithLease<RestoreAnswer>> refused = restore(opened(), query, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(
      refused.error().message,
      "The snapshot " + short_snapshot_id(task.snapshot_id) +
          " (task: there) is of the work tree side, not of this one; to restore it here, pass from_tree "
          "side.");
  query.from_tree = "other";
  EXPECT_FALSE(restore(opened(), query, {}));
  for (const std::string& name : {std::string("side"), scratch().outside("side")}) {
    scratch().run("put a mine");
    query.from_tree = name;
    const Result<WithLease<RestoreAnswer>> done = restore(opened(), query, {});
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(bytes_of_file(scratch().repo() + "/a"), "work of the other tree");
  }
  // The snapshot that both trees captured is of both.
  scratch().run("cp ../side/a a");
  const Result<WorkspaceCapture> own = capture_workspace(opened(), "m", {});
  ASSERT_TRUE(own) << own.error().message;
  EXPECT_FALSE(opened().other_trees_of({*opened().snapshots().note(own->snapshot_id.substr(7))}).front());
}

}  // namespace
}  // namespace snapgen::core
