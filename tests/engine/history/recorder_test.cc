// The recorder: it takes moments by itself, and none while nothing happens.
#include "tools/engine/operations/history/recorder.h"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "tests/engine/history/history_workspace.h"
#include "tools/engine/operations/write_file.h"

namespace snapgen::core {
namespace {

class RecorderTest : public testing::Test {
 protected:
  RecorderTest() : work_("new; put a 1; put b 1; save") {
    work_.opened->allow_watching({.pause_ns = 0});
    recorder_ = std::make_unique<HistoryRecorder>(*work_.opened, HistoryOptions(), nullptr);
  }

  // Waits for the moment, which must appear within a minute. It polls the log, as other processes do.
  bool has_moment(std::uint64_t number) {
    HistoryLog log(history_folder(work_.opened->tree_folder()));
    for (int i = 0; i < 6000; ++i) {
      const Result<Timeline> timeline = log.read();
      if (timeline && !timeline->bases.empty() && timeline->last_number() >= number) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }
  void begin() {
    recorder_->note_call();
    ASSERT_TRUE(has_moment(0));
    ASSERT_TRUE(work_.opened->live_tree().wait_for_watch());
  }

  HistoryWorkspace work_;
  std::unique_ptr<HistoryRecorder> recorder_;
};

TEST_F(RecorderTest, RecordsWhatTheShellDestroys) {
  begin();
  work_.scratch.run("put a 2");
  ASSERT_TRUE(has_moment(1));
  work_.scratch.run("rm a b");
  ASSERT_TRUE(has_moment(2));
  EXPECT_EQ(work_.changes(2), "-a -b");
  EXPECT_TRUE(core::rewind(*work_.opened, recorder_->taker(), {.target = "m2"}, {}));
  EXPECT_EQ(work_.scratch.answer("cat a b").output, "21");
}

TEST_F(RecorderTest, RecordsItsOwnWritesAtOnce) {
  begin();
  ASSERT_TRUE(
      write_file(*work_.opened, {}, {.path = "a", .content = "2", .executable = {}, .expected = {}}, {}));
  ASSERT_TRUE(has_moment(1));
  EXPECT_EQ(work_.changes(1), "~a@");
}

TEST_F(RecorderTest, RecordsTheLastChangesWhenItEnds) {
  begin();
  work_.scratch.run("put a 2");
  // The watch reports the change before the recorder is asked to end.
  ASSERT_TRUE(work_.opened->status({}));
  recorder_.reset();
  EXPECT_EQ(work_.changes(1), "~a");
}

TEST_F(RecorderTest, TakesAMomentWhenAHookReports) {
  begin();
  HistoryLog log(history_folder(work_.opened->tree_folder()));
  work_.scratch.run("put a 2");
  ASSERT_TRUE(log.append({encoded_event({.kind = HostEventKind::prompt, .at_ms = now_ns() / 1'000'000})}));
  ASSERT_TRUE(has_moment(1));
}

TEST_F(RecorderTest, RecordsWhatGitMovesWithoutFiles) {
  begin();
  std::uint64_t number = 0;
  for (const char* command :
       {"git branch keep", "git branch deep/er", "git branch deep/est", "git commit -q --amend -m other",
        "git branch -q -D keep", "git rm -q --cached b"}) {
    work_.scratch.run(command);
    ASSERT_TRUE(has_moment(++number)) << command;
  }
}

TEST_F(RecorderTest, DoesNothingBeforeTheFirstCall) {
  recorder_.reset();
  HistoryLog log(history_folder(work_.opened->tree_folder()));
  EXPECT_EQ(log.bytes(), 0);
}

TEST(RecorderWithoutAWatch, TakesMomentsAtCalls) {
  HistoryWorkspace work("new; put a 1; save");
  HistoryRecorder recorder(*work.opened, HistoryOptions(), nullptr);
  HistoryLog log(history_folder(work.opened->tree_folder()));
  const auto calls_until = [&](std::uint64_t number) {
    for (int i = 0; i < 6000; ++i) {
      recorder.note_call();
      const Result<Timeline> timeline = log.read();
      if (timeline && !timeline->bases.empty() && timeline->last_number() >= number) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  };
  ASSERT_TRUE(calls_until(0));
  work.scratch.run("put a 2");
  ASSERT_TRUE(calls_until(1));
  EXPECT_EQ(work.changes(1), "~a");
}

}  // namespace
}  // namespace snapgen::core
