// The history lists the events of all records in one order, and counts damaged entries.
#include "tools/work/history/history.h"

#include <filesystem>
#include <fstream>
#include <limits>

#include <gtest/gtest.h>

#include "runtime/json/reader.h"
#include "tests/engine/test_workspace.h"
#include "tools/engine/base/utc.h"
#include "tools/work/log/log_writer.h"
#include "tools/work/memory/memory.h"
#include "tools/work/task/task_store.h"

namespace snapgen::core {
namespace {

namespace fs = std::filesystem;

// 2026-11-22T10:00:00Z
constexpr std::int64_t ten = 1795341600000;

class HistoryTest : public testing::Test {
 protected:
  HistoryTest() : workspace_("new; put a.txt one; put b.txt two; save") {}

  const std::string& root() const { return workspace_.scratch.repo(); }
  History read() const {
    return read_history(record_folders_of(*workspace_.opened), workspace_.opened->store_folder(),
                        workspace_.opened->snapshots().origin());
  }
  void append(const std::string& place, std::string_view text) const {
    const fs::path path = fs::path(root()) / ".snapback" / place;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary | std::ios::app) << text;
  }
  Task begin(std::string title, std::int64_t at_ms) const {
    Result<Task> task = TaskStore(record_folders_of(*workspace_.opened))
                            .begin_task({.title = std::move(title),
                                         .files = {"a.txt"},
                                         .snapshot_id = "sha256:00",
                                         .started_ms = at_ms});
    EXPECT_TRUE(task);
    return task ? *task : Task();
  }
  static std::string outline(const History& history) {
    std::string text;
    for (const HistoryEvent& each : history.events)
      text += std::string(core::text(each.kind)) + (each.state.empty() ? "" : " " + each.state) + " | " +
              each.title + "\n";
    return text;
  }

  TestWorkspace workspace_;
};

TEST_F(HistoryTest, IsEmptyForANewWorkspace) {
  const History history = read();
  EXPECT_TRUE(history.events.empty());
  EXPECT_TRUE(history.risk_notes.empty());
  EXPECT_TRUE(history.unread_sources.empty());
  EXPECT_EQ(unread_sentence(history.unread_sources), "");
  EXPECT_FALSE(fs::exists(root() + "/.snapback")) << "a read must not create files";
  EXPECT_FALSE(fs::exists(workspace_.opened->store_folder() + "/blobs"));
}

TEST_F(HistoryTest, ListsEventsNewestFirst) {
  Result<CreatedSnapshot> made = workspace_.create(std::vector<std::string>{"a.txt", "b.txt"}, {}, "by hand");
  ASSERT_TRUE(made) << made.error().message;
  Task task = begin("fix <b>", ten);
  append("logs/work.jsonl", json_line(CheckNote{.at_ms = ten + 1000,
                                                .mode = "full",
                                                .task_id = task.id,
                                                .outcome = CheckMark::fail,
                                                .errors = 2,
                                                .warnings = 1,
                                                .tests = {.passed = 3, .failed = 2, .skipped = 0}}) +
                                "\n" +
                                json_line(RiskNote{.at_ms = ten + 1500,
                                                   .task_id = task.id,
                                                   .level = RiskLevel::high,
                                                   .points = 7,
                                                   .dirty = 2,
                                                   .protection = 50}) +
                                "\n");
  append("learnings/user-learnings.jsonl",
         json_line(Learning{.id = "learn_aaaaaaaa", .trigger = "when", .action = "do", .at_ms = ten + 2000}) +
             "\n");
  append("learnings/violations.jsonl",
         json_line(Violation{.type = "no-any", .file = "a.txt", .description = "any", .at_ms = ten + 3000}) +
             "\n");
  append("logs/audit.jsonl",
         R"({"at":"2026-11-22T10:00:04.000Z","event":"risk_acknowledged","files":["a.txt"],"id":"audit_x",)"
         R"("reason":"sure","risk_level":"high","risk_score":9})"
         "\n");
  task.outcome = TaskOutcome::completed;
  task.ended_ms = ten + 5000;
  task.changes = TaskChanges{.file_count = 1, .added_lines = 4};
  ASSERT_TRUE(TaskStore(record_folders_of(*workspace_.opened)).mark_ended(task));

  const History history = read();
  EXPECT_TRUE(history.unread_sources.empty()) << unread_sentence(history.unread_sources);
  std::vector<HistoryEvent> others;
  for (const HistoryEvent& each : history.events)
    if (each.kind != EventKind::snapshot) others.push_back(each);
  EXPECT_EQ(outline({.events = others}),
            "task completed | fix <b>\nrisk high | sure\nviolation | any\nlearning discovery | when: do\n"
            "check fail | full\ntask started | fix <b>\n");
  EXPECT_EQ(history.events.size(), others.size() + 1);
  const auto snapshot =
      std::find_if(history.events.begin(), history.events.end(),
                   [](const HistoryEvent& each) { return each.kind == EventKind::snapshot; });
  EXPECT_EQ(snapshot->title, "by hand");
  EXPECT_EQ(snapshot->file_count, 2);
  EXPECT_EQ(others.front().added_lines, 4);
  EXPECT_EQ(others.front().files, std::vector<std::string>{"a.txt"});
  EXPECT_EQ(others[4].tests.failed, 2);
  ASSERT_EQ(history.risk_notes.size(), 1U);
  EXPECT_EQ(history.risk_notes[0].points, 7);
}

TEST_F(HistoryTest, ARestoreIsOneEvent) {
  const std::string id = "sha256:" + std::string(64, 'a');
  for (const auto& [file, at] : {std::pair("a.txt", ten), std::pair("b.txt", ten + 1)})
    append("learnings/reverts.jsonl",
           json_line(Revert{.file = file, .snapshot_id = "snap_aaaaaaaaaa", .at_ms = at}) + "\n");
  // Another restore of the same snapshot, which is only in the memory.
  append("learnings/reverts.jsonl",
         json_line(Revert{.file = "a.txt", .snapshot_id = "snap_aaaaaaaaaa", .at_ms = ten + 5}) + "\n");
  append("logs/audit.jsonl",
         R"({"at":"2026-11-22T10:00:00.003Z","event":"restore","files":300,"id":"audit_y",)"
         R"("safety_snapshot_id":"sha256:bb","snapshot_id":")" +
             id + "\"}\n");
  const History history = read();
  ASSERT_EQ(history.events.size(), 2U);
  EXPECT_EQ(history.events[0].file_count, 1);
  const HistoryEvent& whole = history.events[1];
  EXPECT_EQ(whole.id, "audit_y");
  EXPECT_EQ(whole.file_count, 300);
  EXPECT_EQ(whole.files, (std::vector<std::string>{"a.txt", "b.txt"}));
  EXPECT_EQ(whole.snapshot_id, id);
  EXPECT_EQ(whole.safety_snapshot_id, "sha256:bb");
}

TEST_F(HistoryTest, DistinguishesDeletedFromRestoredFiles) {
  append("learnings/reverts.jsonl",
         json_line(Revert{.file = "a.txt", .snapshot_id = "snap_aaaaaaaaaa", .at_ms = ten}) + "\n" +
             json_line(Revert{
                 .file = "new.txt", .snapshot_id = "snap_aaaaaaaaaa", .at_ms = ten, .was_deleted = true}) +
             "\n");
  append("logs/audit.jsonl",
         R"({"at":"2026-11-22T10:00:00.003Z","deleted":7,"event":"restore","files":300,"id":"audit_y",)"
         R"("snapshot_id":"snap_aaaaaaaaaa"})"
         "\n");
  const History history = read();
  ASSERT_EQ(history.events.size(), 1U);
  const HistoryEvent& restore = history.events[0];
  EXPECT_EQ(restore.files, (std::vector<std::string>{"a.txt", "new.txt"}));
  EXPECT_EQ(restore.deleted_files, std::vector<std::string>{"new.txt"});
  EXPECT_EQ(restored_files(restore), std::vector<std::string>{"a.txt"});
  EXPECT_EQ(restore.file_count, 300);
  EXPECT_EQ(restore.deleted_file_count, 7);
}

TEST_F(HistoryTest, ReadsRotatedLogs) {
  LogWriter log_writer(root(), {.file_bytes_max = 100, .rotated_files_max = 5});
  for (int i = 0; i < 5; ++i)
    ASSERT_TRUE(log_writer.write_durably(LogKind::work,
                                         json_line(CheckNote{.at_ms = ten + i, .mode = std::to_string(i)})));
  ASSERT_TRUE(fs::exists(log_path(root(), LogKind::work, 4)));
  EXPECT_EQ(outline(read()),
            "check pass | 4\ncheck pass | 3\ncheck pass | 2\ncheck pass | 1\ncheck pass | 0\n");
}

TEST_F(HistoryTest, CountsDamagedEntriesAndListsTheRest) {
  begin("sound", ten);
  append("session/tasks/task_aaaaaaaa.json", "{\"id\":");
  append("session/summaries/task_bbbbbbbb.json", "");
  append("learnings/violations.jsonl",
         "not json\n{}\n\n" + json_line(Violation{.type = "t", .description = "kept", .at_ms = ten + 1}) +
             "\n{\"type\":");
  append("learnings/user-learnings.jsonl", "\xff\xfe\n{\"action\":\"x\",\"at_ms\":-9223372036854775808}\n");
  append("learnings/reverts.jsonl", "{\"file\":\"a\",\"at_ms\":9223372036854775807,\"snapshot\":\"s\"}\n");
  append("logs/audit.jsonl",
         "{\"at\":\"yesterday\"}\n[]\n{\"at\":\"2026-11-22T10:00:00Z\",\"event\":\"unheard of\"}\n");
  append("logs/work.jsonl",
         "{\"event\":\"check\"}\n{\"at\":\"2026-13-22T10:00:00Z\",\"event\":\"risk\",\"level\":\"low\"}\n");
  const History history = read();
  EXPECT_EQ(outline(history), "violation | kept\ntask started | sound\n");
  std::string counts;
  for (const UnreadSource& each : history.unread_sources)
    counts += each.path + " " + std::to_string(each.count) + ", ";
  EXPECT_EQ(
      counts,
      "session 2, learnings/user-learnings.jsonl 2, learnings/violations.jsonl 3, learnings/reverts.jsonl 1, "
      "logs/audit.jsonl 2, logs/work.jsonl 2, ");
  EXPECT_TRUE(
      unread_sentence(history.unread_sources).starts_with("12 records could not be read (2 in session, "));
}

TEST_F(HistoryTest, IgnoresFoldersAndSymlinksInsteadOfFiles) {
  begin("sound", ten);
  fs::create_directories(root() + "/.snapback/learnings/violations.jsonl");
  fs::create_symlink(workspace_.scratch.outside("victim"),
                     root() + "/.snapback/learnings/user-learnings.jsonl");
  const History history = read();
  EXPECT_EQ(outline(history), "task started | sound\n");
  ASSERT_EQ(history.unread_sources.size(), 2U);
  EXPECT_EQ(history.unread_sources[0].path, "learnings/user-learnings.jsonl");
  EXPECT_EQ(history.unread_sources[1].path, "learnings/violations.jsonl");
  for (const UnreadSource& each : history.unread_sources) EXPECT_FALSE(each.reason.empty()) << each.path;
  EXPECT_TRUE(unread_sentence(history.unread_sources)
                  .starts_with("learnings/user-learnings.jsonl could not be read: "));
}

TEST(WorkNote, IsReadBackUnchanged) {
  CheckNote check{.at_ms = ten,
                  .mode = "full",
                  .task_id = "task_x",
                  .outcome = CheckMark::fail,
                  .errors = 1,
                  .warnings = 2,
                  .tests = {.passed = 3, .failed = 4, .skipped = 5}};
  for (const CheckMark outcome : {CheckMark::fail, CheckMark::pass, CheckMark::skipped}) {
    check.outcome = outcome;
    const std::optional<CheckNote> read = parse_check_note(json_line(check));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->outcome, outcome);
    EXPECT_EQ(json_line(*read), json_line(check));
  }
  const RiskNote risk{.at_ms = ten, .level = RiskLevel::medium, .points = 4, .dirty = 1, .protection = 9};
  const std::optional<RiskNote> measured = parse_risk_note(json_line(risk));
  ASSERT_TRUE(measured);
  EXPECT_EQ(json_line(*measured), json_line(risk));
  EXPECT_FALSE(parse_check_note(json_line(risk)));
  EXPECT_FALSE(parse_risk_note(json_line(check)));
}

TEST(WorkNote, ACheckPassesIfItInspectedSomethingWithoutErrors) {
  CheckReport report;
  EXPECT_EQ(check_note(report, "quick", {}).outcome, CheckMark::skipped);
  report.static_checks_mark = CheckMark::pass;
  report.warning_count = 3;
  EXPECT_EQ(check_note(report, "quick", {}).outcome, CheckMark::pass);
  report.error_count = 1;
  EXPECT_EQ(check_note(report, "quick", {}).outcome, CheckMark::fail);
  CheckReport build;
  build.mark(Subsystem::build) = CheckMark::fail;
  EXPECT_EQ(check_note(build, "build", {}).outcome, CheckMark::fail);
}

TEST(Utc, TimesAreParsedInEveryPrecision) {
  for (const std::int64_t ms : {std::int64_t{0}, ten, ten + 7, std::int64_t{951782400000}})
    EXPECT_EQ(ms_of_iso_time(iso_time(ms)), ms);
  EXPECT_EQ(ms_of_iso_time("2026-11-22"), ten - 36'000'000);
  EXPECT_EQ(ms_of_iso_time("2026-11-22 10:00"), ten);
  EXPECT_EQ(ms_of_iso_time("2026-11-22T10:00:00"), ten);
  for (const char* wrong : {"", "2026", "2026-02-30", "2026-11-22T24:00", "2026-11-22T10:00:00+01:00",
                            "2026-11-22T10:00:00.000ZZ", "20261-1-22", "2026-11-2ZZ", "-026-11-22"})
    EXPECT_FALSE(ms_of_iso_time(wrong)) << wrong;
}

}  // namespace
}  // namespace snapgen::core
