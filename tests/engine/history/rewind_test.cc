// Rewinds: the state before a moment, a turn or at a time, with permissions, and of some paths alone.
#include "tools/engine/operations/history/rewind.h"

#include <gtest/gtest.h>

#include "tests/engine/history/history_workspace.h"
#include "tools/engine/operations/history/foreign_lines.h"
#include "tools/engine/operations/write_file.h"

namespace snapgen::core {
namespace {

class RewindTest : public testing::Test {
 protected:
  RewindTest()
      : work_(
            "new; put a 1; put b/c 2; put run '#!'; chmod 755 run; ln -s a link; put .gitignore .env; put "
            ".env K; chmod 600 .env; save") {
    work_.take();
  }
  // Rewinds, and returns an empty text or the error.
  std::string rewind(const std::string& target, std::optional<std::vector<std::string>> paths = {}) {
    const Result<WithLease<RewindAnswer>> done = work_.rewind(target, std::move(paths));
    return done ? std::string() : done.error().message;
  }

  HistoryWorkspace work_;
};

TEST_F(RewindTest, RestoresWhatACommandDestroyed) {
  for (const std::string command :
       {"rm -rf ./* .env", "git clean -qfdx", "git rm -qrf .", "chmod -R 700 .", "chmod 644 run .env",
        "mv b d; mv a e", "sed -i s/1/2/ a", "rm link; ln -s b link", "rm link; put link file",
        "rm -r b; put b file", "mkdir -p a2; mv a a2/; echo x >> b/c"}) {
    work_.scratch.run("put untracked 5");
    work_.take();
    const std::string before = work_.files();
    work_.scratch.run(command);
    const std::string name = work_.take();
    ASSERT_EQ(name.substr(0, 1), "m") << command;
    EXPECT_EQ(rewind(name), "") << command;
    EXPECT_EQ(work_.files(), before) << command;
    work_.scratch.run("git checkout -qf main; git reset -q");
  }
}

TEST_F(RewindTest, CanBeUndone) {
  work_.change("put a 11; put new 3");
  const std::string before = work_.files();
  const Result<WithLease<RewindAnswer>> done = work_.rewind("m1");
  ASSERT_TRUE(done);
  EXPECT_NE(work_.files(), before);
  ASSERT_TRUE(done->value.undo_with);
  EXPECT_EQ(rewind("m" + std::to_string(*done->value.undo_with)), "");
  EXPECT_EQ(work_.files(), before);
}

TEST_F(RewindTest, RestoresPathsAlone) {
  work_.change("put a 11; put b/c 22");
  EXPECT_EQ(rewind("m1", std::vector<std::string>{"b"}), "");
  EXPECT_EQ(work_.scratch.answer("cat a b/c").output, "112");
  EXPECT_NE(rewind("m1", std::vector<std::string>{"missing"}), "");
}

TEST_F(RewindTest, RecordsWhatChangedJustBefore) {
  work_.change("put a 11");
  work_.scratch.run("put a unrecorded");
  const Result<WithLease<RewindAnswer>> done = work_.rewind("m1");
  ASSERT_TRUE(done);
  EXPECT_EQ(work_.scratch.answer("cat a").output, "1");
  EXPECT_EQ(rewind("m" + std::to_string(*done->value.undo_with)), "");
  EXPECT_EQ(work_.scratch.answer("cat a").output, "unrecorded");
}

TEST_F(RewindTest, ChangesNothingInADryRun) {
  work_.change("put a 11; rm b/c");
  const std::string before = work_.files();
  const Result<WithLease<RewindAnswer>> done = work_.rewind("m1", {}, true);
  ASSERT_TRUE(done);
  EXPECT_EQ(done->value.restored.changes,
            (std::vector<RestoredPath>{{.path = "a", .kind = RestoredPath::Kind::replaced},
                                       {.path = "b/c", .kind = RestoredPath::Kind::created}}));
  EXPECT_FALSE(done->value.undo_with);
  EXPECT_EQ(work_.files(), before);
}

TEST_F(RewindTest, NamesTheLinesOfOthers) {
  work_.scratch.run("printf '1\\n2\\n3\\n' > text");
  work_.take();
  ASSERT_TRUE(write_file(*work_.opened, {},
                         {.path = "text", .content = "1\nserver\n3\n", .executable = {}, .expected = {}},
                         {}));
  EXPECT_EQ(work_.take(), "m2");
  work_.change("printf '1\\nserver\\n3\\nshell\\n' > text");
  const Result<WithLease<RewindAnswer>> dry = work_.rewind("m2", {}, true);
  ASSERT_TRUE(dry);
  ASSERT_EQ(dry->value.foreign_lines.size(), 1U);
  EXPECT_EQ(dry->value.foreign_lines[0].path, "text");
  EXPECT_EQ(dry->value.foreign_lines[0].author, "outside");
  EXPECT_EQ(dry->value.foreign_lines[0].lines.back(), (LineSpan{.first = 4, .last = 4}));
  const Result<WithLease<RewindAnswer>> own = work_.rewind("m3", {}, true);
  ASSERT_TRUE(own);
  EXPECT_EQ(own->value.foreign_lines.size(), 1U);
}

// Returns what a restore of the snapshot takes away, such as "a 4 outside".
std::string foreign_lines_of(HistoryWorkspace& work, const std::string& snapshot_id) {
  const Result<TakenMoment> before = work.taker->take(MomentCause::before, MomentPace::normal, {});
  const Result<WithLease<RestoreAnswer>> planned =
      restore(*work.opened, {.snapshot_id = snapshot_id, .paths = {}, .dry_run = true}, {});
  const Result<std::shared_ptr<const Snapshot>> snapshot = work.opened->snapshots().load(snapshot_id);
  if (!before || !planned || !snapshot) return "failed";
  const Result<std::vector<ForeignLines>> found = foreign_lines_of_restore(
      *work.opened, work.timeline(), before->number, **snapshot, planned->value.changes, {});
  if (!found) return found.error().message;
  std::string text;
  for (const ForeignLines& each : *found) {
    text += each.path;
    for (const LineSpan& lines : each.lines) text += " " + std::to_string(lines.first);
    text += " " + each.author + ";";
  }
  return text;
}

TEST_F(RewindTest, NamesWhatARestoreTakesAwayBesides) {
  const auto edit = [&](const std::string& content) {
    const Result<ChangeResult<WrittenFile>> written = write_file(
        *work_.opened, {}, {.path = "text", .content = content, .executable = {}, .expected = {}}, {});
    EXPECT_TRUE(written && written->undo);
    return written && written->undo ? written->undo->snapshot_id : std::string();
  };
  work_.scratch.run("printf '1\\n2\\n3\\n' > text");
  const Result<CreatedSnapshot> state = work_.create(std::vector<std::string>{""});
  ASSERT_TRUE(state);
  work_.take();
  const std::string first = edit("one\n2\n3\n");
  EXPECT_EQ(foreign_lines_of(work_, first), "") << "its own change";
  const std::string second = edit("one\n2\nthree\n");
  EXPECT_EQ(foreign_lines_of(work_, first), "text 3 server;");
  EXPECT_EQ(foreign_lines_of(work_, state->id()), "") << "only what others changed";
  work_.scratch.run("echo user >> text");
  EXPECT_EQ(foreign_lines_of(work_, second), "text 4 outside;");
  EXPECT_EQ(foreign_lines_of(work_, state->id()), "text 1 3 outside;");
}

TEST_F(RewindTest, DeletesOnlyWhatIsNewer) {
  work_.change("put old.log 1; put .gitignore '.env\n*.log\n'");  // Recorded as ignored.
  work_.change("put kept.big 1");
  work_.change("put .gitignore ''");
  EXPECT_EQ(rewind("m1"), "");
  EXPECT_EQ(work_.scratch.answer("ls kept.big old.log 2>/dev/null").output, "");
  EXPECT_EQ(work_.scratch.answer("cat .env").output, "K");
}

TEST_F(RewindTest, SparesFilesThatWereIgnoredAndNotRecorded) {
  HistoryWorkspace work("new; put .gitignore 'out/\n'; put out/x 1; save");
  work.take();
  work.change("put .gitignore ''");
  ASSERT_TRUE(work.rewind("m1"));
  EXPECT_EQ(work.scratch.answer("cat out/x .gitignore").output, "1out/\n");
}

TEST_F(RewindTest, RestoresTheOtherFilesIfSomethingIsInTheWay) {
  work_.change("rm -r a b run; git init -q a; put a/x x; mkfifo run");
  work_.change("rm link");
  const Result<WithLease<RewindAnswer>> done = work_.rewind("m1");
  ASSERT_TRUE(done) << done.error().message;
  std::vector<std::string> occupied;
  for (const SparedPath& each : done->value.restored.spared)
    if (each.reason == SparedPath::Reason::occupied) occupied.push_back(each.path);
  EXPECT_EQ(occupied, (std::vector<std::string>{"a", "run"}));
  EXPECT_EQ(work_.scratch.answer("readlink link; cat a/x b/c; test -p run && echo pipe").output,
            "a\nx2pipe\n");
}

TEST_F(RewindTest, NamesFilesWhosePresentContentIsNotRecorded) {
  HistoryWorkspace work("new; put a 1; put b 1; save", {.file_bytes_max = 10});
  work.take();
  work.change("put a 'too large to be recorded'; put b 2");
  const Result<WithLease<RewindAnswer>> done = work.rewind("m1");
  ASSERT_TRUE(done);
  EXPECT_EQ(done->value.unrecorded, std::vector<std::string>{"a"});
  ASSERT_TRUE(done->value.restored.safety_snapshot_id);
  ASSERT_TRUE(restore(*work.opened, {.snapshot_id = *done->value.restored.safety_snapshot_id}, {}));
  EXPECT_EQ(work.scratch.answer("cat a b").output, "too large to be recorded2");
}

TEST_F(RewindTest, FindsTimes) {
  work_.change("put a 11");
  const std::int64_t middle_ms = work_.timeline().find(1)->at_ms;
  work_.clock_offset_ns += 60'000'000'000;
  work_.change("put a 111");
  EXPECT_EQ(rewind("before 30 seconds ago"), "");
  EXPECT_EQ(work_.scratch.answer("cat a").output, "11");
  const Result<WithLease<RewindAnswer>> done = work_.rewind("1 seconds ago", {}, true);
  ASSERT_TRUE(done);
  EXPECT_GE(done->value.state_ms, middle_ms);
  EXPECT_NE(rewind("2 days ago").find("begins later"), std::string::npos);
}

TEST_F(RewindTest, FindsTimesAfterTheClockWasSetBack) {
  work_.clock_offset_ns += 3'600'000'000'000;
  work_.change("put a 11");
  work_.clock_offset_ns -= 3'600'000'000'000;
  work_.change("put a 111");
  EXPECT_EQ(rewind("0 seconds ago"), "");
  EXPECT_EQ(work_.scratch.answer("cat a").output, "111");
}

TEST_F(RewindTest, RejectsUnknownTargets) {
  EXPECT_NE(rewind("m1").find("no moments yet"), std::string::npos);
  work_.change("put a 2");
  for (const std::string wrong : {"", "x", "m", "m0x", "25:00", "yesterday", "m-1"})
    EXPECT_NE(rewind(wrong).find("Unknown moment"), std::string::npos) << wrong;
  EXPECT_NE(rewind("m99").find("The latest is m1"), std::string::npos);
  EXPECT_NE(rewind("t99").find("no turn t99"), std::string::npos);
}

}  // namespace
}  // namespace snapgen::core
