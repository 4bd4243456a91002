// Tasks are stored on disk, a snapshot is taken again only after a change, and the work is counted.
#include "tools/work/task/task.h"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/engine/test_workspace.h"
#include "tools/engine/operations/capture.h"
#include "tools/engine/operations/protection.h"
#include "tools/engine/operations/status_files.h"
#include "tools/engine/operations/work_summary.h"
#include "tools/insight/analysis/import_graph_cache.h"
#include "tools/work/memory/memory.h"
#include "tools/work/task/task_store.h"
#include "tools/work/task/work_status.h"
#include "tools/work/task/workspace_services.h"

namespace snapgen::core {
namespace {

namespace fs = std::filesystem;

class TaskTest : public testing::Test {
 protected:
  void make(std::string_view script =
                "new; put a 'one\ntwo\n'; put d/b b; put .gitignore '*.log\n'; save; age; git status") {
    workspace_.emplace(script);
  }
  Workspace& opened() { return *workspace_->opened; }
  const Scratch& scratch() { return workspace_->scratch; }
  TaskStore tasks() { return TaskStore(record_folders_of(opened())); }
  // The folder of the tasks in the store, and that of their copies.
  fs::path records() { return record_folders_of(opened()).records; }
  fs::path session() { return scratch().repo() + "/.snapback/session"; }
  WorkspaceCapture capture() {
    Result<WorkspaceCapture> made = capture_workspace(opened(), "m", {});
    EXPECT_TRUE(made) << made.error().message;
    return made ? *made : WorkspaceCapture();
  }
  Result<Protection> protection(const std::vector<std::string>& paths) {
    const GitStatus status = TRY(opened().status({}));
    return protection_of(opened(), status, paths, {});
  }
  std::string dirty() {
    Result<std::vector<std::string>> found = dirty_files(opened(), {});
    if (!found) return found.error().message;
    std::string text;
    for (const std::string& each : *found) text += each + " ";
    return text;
  }
  Task begin(std::string title, std::int64_t at_ms) {
    Result<Task> task =
        tasks().begin_task({.title = std::move(title), .snapshot_id = "sha256:0", .started_ms = at_ms});
    EXPECT_TRUE(task) << task.error().message;
    return task ? *task : Task();
  }

  std::optional<TestWorkspace> workspace_;
};

TEST_F(TaskTest, IsReadBackUnchanged) {
  make();
  Task task{.title = "שלום | \"x\"\n",
            .files = {"a|b", std::string("\xff", 1)},
            .keywords = {"k"},
            .snapshot_id = "s",
            .started_ms = 5};
  Result<Task> kept = tasks().begin_task(task);
  ASSERT_TRUE(kept);
  EXPECT_TRUE(kept->id.starts_with("task_"));
  EXPECT_EQ(kept->id.size(), 13U);
  EXPECT_EQ(kept->id.find_first_not_of("abcdefghijklmnopqrstuvwxyz234567", 5), std::string::npos);
  Result<Task> read = tasks().find_open_task(kept->id);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->title, task.title);
  EXPECT_EQ(read->files, task.files);
  EXPECT_EQ(read->keywords, task.keywords);
  EXPECT_EQ(read->started_ms, 5);
  EXPECT_EQ(scratch().truth().status, "");
}

TEST_F(TaskTest, WithoutAnIdTheNewestOpenTaskIsUsed) {
  make();
  EXPECT_EQ(tasks().find_open_task(std::nullopt).error().code, ErrorCode::not_found);
  const Task first = begin("first", 1);
  const Task third = begin("third", 3);
  const Task second = begin("second", 2);
  EXPECT_EQ(tasks().find_open_task(std::nullopt)->title, "third");
  ASSERT_TRUE(tasks().mark_ended(third));
  EXPECT_EQ(tasks().find_open_task(std::nullopt)->title, "second");
  EXPECT_EQ(tasks().open_tasks().size(), 2U);
  Result<Task> ended = tasks().find_open_task(third.id);
  ASSERT_FALSE(ended);
  EXPECT_NE(ended.error().message.find("has already ended"), std::string::npos);
  EXPECT_FALSE(tasks().mark_ended(third));
}

TEST_F(TaskTest, TheLatestOpenTaskIsInTheFileOfTheCurrentSession) {
  make();
  const auto current = [&] { return bytes_of_file((session() / "current.json").string()); };
  const Task second = begin("second", 2);
  EXPECT_EQ(current(), json_of(second));
  begin("first", 1);
  EXPECT_EQ(current(), json_of(second)) << "the other task has an earlier start";
  Task third = begin("third", 3);
  EXPECT_EQ(current(), json_of(third));
  third.outcome = TaskOutcome::completed;
  ASSERT_TRUE(tasks().mark_ended(third));
  EXPECT_EQ(current(), json_of(second));
  // Simulates a process that was killed after it wrote the summary into the store.
  fs::remove(session() / "summaries" / (third.id + ".json"));
  std::ofstream(session() / "tasks" / (third.id + ".json")) << json_of(third);
  std::ofstream(session() / "current.json") << "the ended task";
  EXPECT_EQ(tasks().open_tasks().size(), 2U);
  EXPECT_EQ(current(), json_of(second));
  EXPECT_TRUE(fs::exists(session() / "summaries" / (third.id + ".json")));
  for (Task& each : tasks().open_tasks()) {
    each.outcome = TaskOutcome::abandoned;
    ASSERT_TRUE(tasks().mark_ended(each));
  }
  EXPECT_FALSE(fs::exists(session() / "current.json"));
  EXPECT_EQ(scratch().truth().status, "");
}

TEST_F(TaskTest, CopiesThatGitCleanRemovedAreWrittenAgain) {
  make();
  const Task open = begin("open", 1);
  Task ended = begin("ended", 2);
  ended.outcome = TaskOutcome::completed;
  ASSERT_TRUE(tasks().mark_ended(ended));
  scratch().run("git clean -fdxq");
  ASSERT_FALSE(fs::exists(session()));
  ASSERT_EQ(tasks().open_tasks().size(), 1U);
  EXPECT_EQ(bytes_of_file((session() / "tasks" / (open.id + ".json")).string()), json_of(open));
  EXPECT_EQ(bytes_of_file((session() / "summaries" / (ended.id + ".json")).string()), json_of(ended));
  EXPECT_EQ(bytes_of_file((session() / "current.json").string()), json_of(open));
  EXPECT_EQ(scratch().truth().status, "");
}

TEST_F(TaskTest, TasksOfAnEarlierVersionAreAdopted) {
  make();
  fs::create_directories(session() / "tasks");
  fs::create_directories(session() / "summaries");
  std::ofstream(session() / "tasks/task_bbbbbbbb.json")
      << R"({"id":"task_bbbbbbbb","snapshot":"sha256:1","started_ms":1,"title":"open"})";
  std::ofstream(session() / "summaries/task_cccccccc.json")
      << R"({"ended_ms":2,"id":"task_cccccccc","outcome":"completed","snapshot":"s","title":"ended"})";
  ASSERT_EQ(tasks().open_tasks().size(), 1U);
  EXPECT_EQ(tasks().current_task()->title, "open");
  EXPECT_EQ(tasks().ended_tasks(9).size(), 1U);
  EXPECT_EQ(spared_by_open_tasks(opened().store_folder(), record_folders_of(opened()))(),
            std::set<std::string>{"sha256:1"});
  fs::remove_all(session());
  EXPECT_EQ(tasks().open_tasks().size(), 1U);
  EXPECT_EQ(tasks().find("task_cccccccc")->title, "ended");
}

TEST_F(TaskTest, TheCurrentSessionIsRightAfterSeveralServersBeganAndEndedTasks) {
  make();
  std::vector<std::thread> servers;
  for (int i = 0; i < 4; ++i)
    servers.emplace_back([&, i] {
      for (int round = 0; round < 10; ++round) {
        Task task = begin("task", 10 * round + i);
        task.outcome = TaskOutcome::completed;
        const bool is_last = round == 9 && i == 2;
        EXPECT_TRUE(is_last || tasks().mark_ended(task));
      }
    });
  for (std::thread& each : servers) each.join();
  const std::vector<Task> open = tasks().open_tasks();
  ASSERT_EQ(open.size(), 1U);
  EXPECT_EQ(bytes_of_file(scratch().repo() + "/.snapback/session/current.json"), json_of(open.front()));
}

TEST_F(TaskTest, ASymlinkInPlaceOfTheCurrentSessionIsReplaced) {
  make();
  begin("first", 1);
  const fs::path current = fs::path(scratch().repo()) / ".snapback/session/current.json";
  const fs::path victim = scratch().outside("victim");
  std::ofstream(victim) << "untouched";
  fs::remove(current);
  fs::create_symlink(victim, current);
  const Task second = begin("second", 2);
  EXPECT_FALSE(fs::is_symlink(current));
  EXPECT_EQ(bytes_of_file(current.string()), json_of(second));
  EXPECT_EQ(bytes_of_file(victim.string()), "untouched");
}

TEST_F(TaskTest, ACollectionKeepsTheSnapshotsThatOpenTasksBeganWith) {
  make();
  const GetSparedSnapshots spared =
      spared_by_open_tasks(opened().store_folder(), record_folders_of(opened()));
  EXPECT_TRUE(spared().empty());
  const Task task = begin("one", 1);
  EXPECT_EQ(spared(), std::set<std::string>{task.snapshot_id});
  ASSERT_TRUE(tasks().mark_ended(task));
  EXPECT_TRUE(spared().empty());
}

TEST_F(TaskTest, OnlyOneOfSeveralConcurrentEndsSucceeds) {
  make();
  for (int round = 0; round < 20; ++round) {
    Task task = begin("everybody's", 1);
    task.outcome = TaskOutcome::completed;
    std::atomic<int> ended = 0, refused = 0;
    std::vector<std::thread> servers;
    for (int i = 0; i < 4; ++i)
      servers.emplace_back([&] {
        Result<Unit> done = tasks().mark_ended(task);
        ended += done ? 1 : 0;
        refused += !done && done.error().message.find("has already ended") != std::string::npos ? 1 : 0;
      });
    for (std::thread& each : servers) each.join();
    ASSERT_EQ(ended, 1);
    ASSERT_EQ(refused, 3);
  }
  EXPECT_TRUE(tasks().open_tasks().empty());
  EXPECT_EQ(tasks().ended_tasks(100).size(), 20U);
}

TEST_F(TaskTest, ATaskHasEndedIfAKilledProcessWroteItsSummary) {
  make();
  Task task = begin("killed", 1);
  const fs::path open_file = records() / "tasks" / (task.id + ".json");
  fs::copy(open_file, records() / "kept");
  task.outcome = TaskOutcome::blocked;
  const fs::path abandoned = records() / "summaries/.tmp-abandoned";
  fs::create_directory(records() / "summaries");
  std::ofstream(abandoned) << "a part";
  fs::last_write_time(abandoned, fs::file_time_type::clock::now() - std::chrono::hours(2));
  ASSERT_TRUE(tasks().mark_ended(task));
  EXPECT_FALSE(fs::exists(abandoned));
  // The state after the summary was written and before the open task was deleted.
  fs::rename(records() / "kept", open_file);
  EXPECT_EQ(tasks().find(task.id)->outcome, TaskOutcome::blocked);
  EXPECT_FALSE(tasks().mark_ended(task));
  EXPECT_NE(tasks().find_open_task(task.id).error().message.find("has already ended"), std::string::npos);
  EXPECT_FALSE(fs::exists(open_file));
  // An unreadable summary does not end the task.
  fs::copy(records() / "summaries" / (task.id + ".json"), open_file);
  const Task other = begin("other", 1);
  std::ofstream(records() / "summaries" / (other.id + ".json")) << "not json";
  EXPECT_TRUE(tasks().open_tasks().empty());
  EXPECT_TRUE(fs::exists(records() / "tasks" / (other.id + ".json")));
}

TEST_F(TaskTest, ATaskThatAnEarlierVersionSetAsideIsOpenAgain) {
  make();
  const fs::path folder = session() / "tasks";
  fs::create_directories(folder);
  const Task task{.id = "task_bbbbbbbb", .title = "aside", .snapshot_id = "s"};
  std::ofstream(folder / ".tmp-task_bbbbbbbb") << json_of(task);
  std::ofstream(folder / ".tmp-abcdefgh") << "a temporary file of another writer";
  Result<Task> found = tasks().find_open_task(task.id);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->title, "aside");
  EXPECT_TRUE(fs::exists(folder / ".tmp-abcdefgh"));
  ASSERT_TRUE(tasks().mark_ended(*found));
  // A file that was set aside before the summary was written is deleted with the task.
  std::ofstream(folder / (".tmp-" + task.id)) << json_of(task);
  EXPECT_TRUE(tasks().open_tasks().empty());
}

TEST_F(TaskTest, InvalidIdsAndFilesAreNotTasks) {
  make();
  const Task good = begin("good", 1);
  for (const char* id : {"", "task_", "task_ABCDEFGH", "../../../etc/passwd", "task_../../../",
                         "task_aaaaaaa1", "task_aaaaaaaa"})
    EXPECT_EQ(tasks().find_open_task(id).error().code, ErrorCode::not_found) << id;
  for (const fs::path& folder : {session() / "tasks", records() / "tasks"}) {
    std::ofstream(folder / "task_bbbbbbbb.json") << "not json";
    std::ofstream(folder / "task_cccccccc.json") << R"({"id":"task_dddddddd","snapshot":"s"})";
    std::ofstream(folder / "notes.json") << "{}";
    fs::create_symlink("/etc/passwd", folder / "task_eeeeeeee.json");
  }
  ASSERT_EQ(tasks().open_tasks().size(), 1U);
  EXPECT_EQ(tasks().open_tasks()[0].id, good.id);
}

TEST_F(TaskTest, SymlinksInPlaceOfItsFoldersAndFilesAreNotFollowed) {
  make();
  const fs::path victim = scratch().outside("victim");
  Task kept = begin("kept", 1);
  fs::create_directories(victim);
  std::ofstream(victim / "task_bbbbbbbb.json") << json_of(Task{.id = "task_bbbbbbbb", .snapshot_id = "s"});
  for (const char* name : {"tasks", "summaries"}) {
    fs::remove_all(session() / name);
    fs::create_symlink(victim, session() / name);
  }
  EXPECT_EQ(tasks().open_tasks().size(), 1U);
  EXPECT_FALSE(tasks().find("task_bbbbbbbb"));
  begin("another", 2);
  kept.outcome = TaskOutcome::completed;
  ASSERT_TRUE(tasks().mark_ended(kept));
  EXPECT_EQ(tasks().ended_tasks(9).size(), 1U);
  EXPECT_EQ(tasks().unreadable_count(), 0);
  EXPECT_EQ(std::distance(fs::directory_iterator(victim), fs::directory_iterator()), 1);
  // A symlink in place of a record is not a task, either.
  fs::remove_all(records() / "tasks");
  fs::create_symlink(victim, records() / "tasks");
  EXPECT_TRUE(tasks().open_tasks().empty());
  EXPECT_FALSE(tasks().find("task_bbbbbbbb"));
}

TEST_F(TaskTest, AFileTooLargeForATaskIsNotRead) {
  make();
  begin("kept", 1);
  const fs::path file = fs::path(scratch().repo()) / ".snapback/session/tasks/task_bbbbbbbb.json";
  std::ofstream(file) << "{";
  fs::resize_file(file, std::uintmax_t{1} << 40);
  EXPECT_EQ(tasks().open_tasks().size(), 1U);
  EXPECT_EQ(tasks().unreadable_count(), 1);
}

TEST_F(TaskTest, ASnapshotIsReusedUntilAFileChanges) {
  make();
  const WorkspaceCapture first = capture();
  EXPECT_FALSE(first.reused);
  const WorkspaceCapture second = capture();
  EXPECT_TRUE(second.reused);
  EXPECT_EQ(second.snapshot_id, first.snapshot_id);

  // The second edit does not change the output of git status.
  scratch().run("put a edited");
  const WorkspaceCapture third = capture();
  EXPECT_FALSE(third.reused);
  EXPECT_TRUE(capture().reused);
  scratch().run("put a again");
  const WorkspaceCapture fourth = capture();
  EXPECT_FALSE(fourth.reused);
  EXPECT_NE(fourth.snapshot_id, third.snapshot_id);

  scratch().run("put new/file x");
  EXPECT_FALSE(capture().reused);
  scratch().run("put new/other y");
  const WorkspaceCapture fifth = capture();
  EXPECT_FALSE(fifth.reused);
  scratch().run("rm new/other");
  EXPECT_NE(capture().snapshot_id, fifth.snapshot_id);
  scratch().run("chmod +x a");
  EXPECT_FALSE(capture().reused);

  workspace_->reopen();
  EXPECT_TRUE(capture().reused);
}

TEST_F(TaskTest, DirtyFilesAreThoseOfGitStatus) {
  make();
  EXPECT_EQ(dirty(), "");
  scratch().run("put a edited; put new/x x; put new/deep/y y; put skipped.log l; rm d/b");
  EXPECT_EQ(dirty(), "a d/b new/deep/y new/x ");
}

TEST_F(TaskTest, ProtectionIsThePercentageOfFilesInASnapshot) {
  make();
  scratch().run("put a edited; put new x");
  Result<Protection> before = protection({"a", "new", "absent", "d"});
  ASSERT_TRUE(before);
  EXPECT_EQ(before->file_count, 2);
  EXPECT_EQ(before->percent(), 0);
  EXPECT_EQ(before->uncovered, (std::vector<std::string>{"a", "new"}));
  capture();
  EXPECT_EQ(protection({"a", "new"})->percent(), 100);
  scratch().run("put new other");
  EXPECT_EQ(protection({"a", "new"})->percent(), 50);
  EXPECT_EQ(protection({})->percent(), 100);
}

TEST_F(TaskTest, HashesComputedForProtectionAreCached) {
  make();
  scratch().run("put a edited; put new x");
  workspace_->wait_for_watch();
  for (const std::string path : {"a", "new"})
    EXPECT_FALSE(opened().stat_cache().find(path, *opened().root().lstat(path))) << path;
  EXPECT_EQ(protection({"new", "a"})->covered_count, 0);
  for (const bool reopened : {false, true}) {
    if (reopened) workspace_->reopen();
    EXPECT_EQ(opened().stat_cache().find("a", *opened().root().lstat("a")), blob_id_of("edited"));
    EXPECT_EQ(opened().stat_cache().find("new", *opened().root().lstat("new")), blob_id_of("x"));
  }
  // A cached hash does not prove that the store contains the content.
  EXPECT_EQ(protection({"a", "new"})->covered_count, 0);
}

TEST_F(TaskTest, ATooLargeFileIsUnprotectedUnlessItsHashIsCached) {
  make();
  scratch().run("put a edited; put large x");
  fs::resize_file(scratch().repo() + "/large", std::uintmax_t{1} << 40);
  workspace_->wait_for_watch();
  const std::vector<std::string> both = {"a", "large"};
  Result<Protection> unknown = protection(both);
  ASSERT_TRUE(unknown) << unknown.error().message;
  EXPECT_EQ(unknown->uncovered, both);
  Result<BlobId> kept = opened().blobs().put("as if it were all of it");
  ASSERT_TRUE(kept);
  const FileStat stat = *opened().root().lstat("large");
  opened().stat_cache().remember({{.path = "large", .stat = stat, .seen_ns = now_ns(), .blob = *kept}});
  EXPECT_EQ(protection(both)->uncovered, both) << "no snapshot refers to the content";
  ASSERT_TRUE(opened().snapshots().save({}, {{.path = "large", .blob = *kept}}, now_ns() / 1'000'000));
  EXPECT_EQ(protection(both)->uncovered, std::vector<std::string>{"a"});
}

TEST_F(TaskTest, ACommittedFileWithoutChangesIsProtected) {
  make();
  scratch().run("put added x; git add added");
  Result<Protection> found = protection({"a", "d/b", "added"});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->file_count, 3);
  EXPECT_EQ(found->uncovered, std::vector<std::string>{"added"});
  scratch().run("put d/b edited");
  EXPECT_EQ(protection({"a", "d/b"})->uncovered, std::vector<std::string>{"d/b"});
  // git status does not compare such a file, so the file may differ from HEAD.
  scratch().run("git update-index --assume-unchanged a; put a edited");
  EXPECT_EQ(protection({"a"})->uncovered, std::vector<std::string>{"a"});
}

TEST_F(TaskTest, ASnapshotOfOneFileDoesNotProtectAnotherWithTheSameContent) {
  make();
  scratch().run("put one same; put two same");
  const Result<CreatedSnapshot> made = workspace_->create(std::vector<std::string>{"one"});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(protection({"one", "two"})->uncovered, std::vector<std::string>{"two"});
  ASSERT_TRUE(workspace_->create(std::vector<std::string>{"two"}));
  EXPECT_EQ(protection({"one", "two"})->covered_count, 2);
  // Every snapshot that still exists counts, not only the latest one of the file.
  scratch().run("put one other");
  ASSERT_TRUE(workspace_->create(std::vector<std::string>{"one"}));
  scratch().run("put one same");
  EXPECT_EQ(protection({"one"})->covered_count, 1);
  ASSERT_TRUE(opened().snapshots().remove({made->id().substr(std::string("sha256:").size())}));
  EXPECT_EQ(protection({"one"})->covered_count, 0);
}

TEST_F(TaskTest, AFileOfWhichOnlyTheModeIsChangedIsProtected) {
  make();
  scratch().run("chmod +x a; put d/b edited; chmod +x d/b");
  EXPECT_EQ(protection({"a", "d/b"})->uncovered, std::vector<std::string>{"d/b"});
  scratch().run("git add a d/b");
  EXPECT_EQ(protection({"a", "d/b"})->uncovered, std::vector<std::string>{"d/b"});
}

TEST_F(TaskTest, AllChangedFilesAreMeasuredHoweverMany) {
  make();
  constexpr int files = 2'050;
  std::filesystem::create_directory(scratch().repo() + "/many");
  for (int i = 0; i < files; ++i)
    std::ofstream(scratch().repo() + "/many/" + std::to_string(i) + ".c") << "int f" << i << ";\n";
  ASSERT_TRUE(workspace_->create(std::vector<std::string>{""}));
  scratch().run("put zz.c lost");
  LearningStore memory(record_folders_of(opened()));
  ImportGraphCache imports(opened());
  Result<WorkStatus> found = measure_work_status({opened(), memory, imports}, {}, {});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->protection.file_count, files + 1);
  EXPECT_EQ(found->protection.uncovered, std::vector<std::string>{"zz.c"});
  EXPECT_EQ(uncounted_sentence(found->risk), " The dependents of 200 of the 2051 files were counted.");
}

TEST_F(TaskTest, ANamedFolderMeansTheFilesInIt) {
  make("new; put src/a.py a; put src/b.py \"from . import a\"; save; age; git status");
  scratch().run("put src/a.py changed; put src/new.py n");
  LearningStore memory(record_folders_of(opened()));
  ImportGraphCache imports(opened());
  Result<WorkStatus> found =
      measure_task_files({opened(), memory, imports}, {.title = "t", .files = {"src"}}, {});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->protection.file_count, 3);
  EXPECT_EQ(found->protection.uncovered, (std::vector<std::string>{"src/a.py", "src/new.py"}));
}

TEST_F(TaskTest, TheOldPathOfAStagedRenameIsADirtyFile) {
  make();
  scratch().run("git mv a c");
  EXPECT_EQ(dirty(), "a c ");
  scratch().run("git reset -q");
  EXPECT_EQ(dirty(), "a c ") << "the result is the same as without the index";
}

TEST_F(TaskTest, AMissingFileHasNoRiskAndADeletedOneHas) {
  make(
      "new; put src/auth.ts a; put src/login.ts b; put app.ts \"import './src/login'\"; save; age; git "
      "status");
  scratch().run("rm src/login.ts");
  LearningStore memory(record_folders_of(opened()));
  ImportGraphCache imports(opened());
  const WorkspaceServices services{opened(), memory, imports};
  const Task task{.title = "t", .files = {"src/oauth.ts", "src/login.ts", ".env", "src/auth.ts/x", ".env"}};
  for (const bool alone : {false, true}) {
    Result<WorkStatus> found =
        alone ? measure_task_files(services, task, {}) : measure_work_status(services, task, {});
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ(found->missing, (std::vector<std::string>{".env", "src/auth.ts/x", "src/oauth.ts"}));
    ASSERT_EQ(found->risk.reasons.size(), 2U);
    EXPECT_EQ(found->risk.reasons[0].text, "src/login.ts: authentication");
    EXPECT_EQ(found->risk.reasons[1].text, "src/login.ts: deleted, and 1 file depended on it");
    EXPECT_EQ(missing_sentence(*found),
              "3 of the named files do not exist, and have no risk: .env, src/auth.ts/x and others.");
  }
  fs::remove_all(scratch().repo() + "/src");
  Result<WorkStatus> folder = measure_task_files(services, {.title = "t", .files = {"src"}}, {});
  ASSERT_TRUE(folder) << folder.error().message;
  EXPECT_EQ(folder->missing, std::vector<std::string>{});
  EXPECT_EQ(folder->measured, (std::vector<std::string>{"src/auth.ts", "src/login.ts"}));
  EXPECT_EQ(folder->risk.reasons[0].text, "src/auth.ts: authentication");
  Result<WorkStatus> one = measure_task_files(services, {.title = "t", .files = {".env"}}, {});
  ASSERT_TRUE(one) << one.error().message;
  EXPECT_EQ(one->risk.points, 0);
  EXPECT_EQ(missing_sentence(*one), ".env does not exist, and has no risk.");
  std::vector<std::string> many;
  for (int i = 0; i < 300; ++i) many.push_back("missing" + std::to_string(i));
  EXPECT_EQ(measure_task_files(services, {.title = "t", .files = many}, {})->risk.points, 0);
  EXPECT_EQ(missing_sentence(WorkStatus()), "");
}

TEST_F(TaskTest, ChangesSinceTheSnapshotAreCounted) {
  make();
  const WorkspaceCapture begun = capture();
  scratch().run("put a 'one\n2\n3\n'; rm d/b; put new 'x\ny\n'");
  Result<std::shared_ptr<const Snapshot>> snapshot = opened().snapshots().load(begun.snapshot_id);
  ASSERT_TRUE(snapshot);
  Result<WorkSummary> done = work_summary_since(opened(), **snapshot, {});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done->files, (std::vector<std::string>{"a", "d/b", "new"}));
  EXPECT_EQ(done->added_lines, 4);
  EXPECT_EQ(done->removed_lines, 2);
}

}  // namespace
}  // namespace snapgen::core
