// Thinning: which moments remain, and that the states of the remaining ones are unchanged.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/engine/history/history_workspace.h"
#include "tools/engine/operations/gc/sweep.h"
#include "tools/engine/store/history/thin_history.h"

namespace snapgen::core {
namespace {

constexpr std::int64_t minute_ns = 60LL * 1'000'000'000;
constexpr std::int64_t hour_ns = 60 * minute_ns;
constexpr std::int64_t day_ns = 24 * hour_ns;

class ThinTest : public testing::Test {
 protected:
  ThinTest() : work_("new; put a 0; put b 0; save") { work_.take(); }

  // Takes moments that write their numbers to the file, some time after each other.
  void take(int count, std::int64_t step_ns, const std::string& file = "a") {
    for (int i = 0; i < count; ++i) {
      work_.clock_offset_ns += step_ns;
      work_.change("put " + file + " " + std::to_string(++last_));
    }
  }
  bool thin(const HistoryLimits& limits = {}) {
    const Result<bool> done =
        thin_history(work_.taker->log(), work_.opened->blobs(), limits, work_.opened->now() / 1'000'000, {});
    EXPECT_TRUE(done);
    return done && *done;
  }
  std::string content_after(std::uint64_t number, const std::string& file = "a") {
    const Result<RecordedState> state = state_after(work_.timeline(), work_.opened->blobs(), number, {});
    if (!state) return state.error().message;
    const auto found = state->find(file);
    return found == state->end() ? "none" : content_of(found->second.blob);
  }

  std::string content_of(const BlobId& blob) {
    Result<std::string> content = work_.opened->blobs().get(blob);
    return content ? *std::move(content) : content.error().message;
  }

  HistoryWorkspace work_;
  int last_ = 0;
};

TEST_F(ThinTest, RetainsEveryMomentOfADay) {
  take(20, minute_ns);
  EXPECT_FALSE(thin());
  EXPECT_EQ(work_.timeline().moments.size(), 20U);
}

TEST_F(ThinTest, MergesOlderMoments) {
  take(30, minute_ns);
  work_.clock_offset_ns += day_ns + hour_ns;
  EXPECT_TRUE(thin());
  const Timeline thinned = work_.timeline();
  EXPECT_GE(thinned.moments.size(), 3U);
  EXPECT_LE(thinned.moments.size(), 4U);
  for (const auto& moment : thinned.moments)
    EXPECT_EQ(content_after(moment->number), std::to_string(moment->number));
  EXPECT_EQ(thinned.moments.front()->first_number, 1U);
  // A merged moment is still found.
  EXPECT_EQ(thinned.moments[1]->number - thinned.moments[1]->first_number, 9U);
  EXPECT_EQ(thinned.find(thinned.moments[1]->first_number), thinned.moments[1]);
  EXPECT_FALSE(thin());
  EXPECT_EQ(work_.change("put a again"), "m31");
}

TEST_F(ThinTest, RetainsTheEndsOfTurns) {
  take(4, minute_ns / 10);
  const std::int64_t prompted_ms = work_.timeline().moments.back()->at_ms + 1;
  ASSERT_TRUE(work_.taker->log().append(
      {encoded_event({.kind = HostEventKind::prompt, .at_ms = prompted_ms, .host = "claude"})}));
  take(4, minute_ns / 10);
  work_.clock_offset_ns += day_ns + hour_ns;
  EXPECT_TRUE(thin());
  ASSERT_NE(work_.timeline().find(4), nullptr);
  EXPECT_EQ(work_.timeline().find(4)->number, 4U);
  EXPECT_EQ(content_after(4), "4");
}

TEST_F(ThinTest, RemovesTheOldest) {
  take(3, minute_ns);
  work_.clock_offset_ns += 61 * day_ns;
  take(2, minute_ns);
  EXPECT_FALSE(thin());  // The latest hundred are retained.
  EXPECT_TRUE(thin({.moments_min = 2}));
  const Timeline thinned = work_.timeline();
  EXPECT_EQ(thinned.moments.size(), 2U);
  EXPECT_EQ(thinned.bases.size(), 1U);
  EXPECT_EQ(thinned.bases.front()->number, 3U);
  EXPECT_EQ(content_after(3), "3");
  EXPECT_EQ(content_after(5), "5");
  EXPECT_FALSE(state_after(thinned, work_.opened->blobs(), 2, {}));
}

TEST_F(ThinTest, RemovesTheHistoryOfAnUnusedWorkTree) {
  take(3, minute_ns);
  work_.clock_offset_ns += 61 * day_ns;
  thin();
  EXPECT_GT(work_.taker->log().bytes(), 0);
  work_.clock_offset_ns += 365 * day_ns;
  EXPECT_TRUE(thin());
  EXPECT_EQ(work_.taker->log().bytes(), 0);
  EXPECT_EQ(work_.change("put a later"), "m0");
}

TEST_F(ThinTest, LimitsTheSize) {
  for (int i = 0; i < 10; ++i) work_.change("head -c 100000 /dev/urandom > big" + std::to_string(i));
  EXPECT_TRUE(thin({.bytes_max = 500'000}));
  const Timeline thinned = work_.timeline();
  EXPECT_GE(thinned.moments.size(), 3U);
  EXPECT_LE(thinned.moments.size(), 5U);
  EXPECT_LE(history_bytes(thinned, work_.taker->log()), 500'000);
  EXPECT_EQ(thinned.moments.back()->number, 10U);
  EXPECT_TRUE(work_.rewind("m10"));
}

TEST(ThinWhileTaking, LimitsTheSizeByItself) {
  HistoryWorkspace work("new; save", {.limits = {.bytes_max = 300'000}});
  work.take();
  for (int i = 0; i < 10; ++i) work.change("head -c 100000 /dev/urandom > big" + std::to_string(i));
  EXPECT_LE(history_bytes(work.timeline(), work.taker->log()), 400'000);
  EXPECT_TRUE(work.rewind("m10"));
}

// A file that is rewritten all the time beside others.
class ThinBusyTest : public ThinTest {
 protected:
  // Rewrites `log` with 100,000 bytes, and changes `a` in every fourth moment.
  void rewrite(int count) {
    for (int i = 0; i < count; ++i) {
      const std::string script = "head -c 100000 /dev/urandom > log";
      work_.change(i % 4 == 0 ? script + "; put a " + std::to_string(++last_) : script);
    }
  }
  std::string state_of_log(std::uint64_t number) {
    const Result<RecordedState> state = state_after(work_.timeline(), work_.opened->blobs(), number, {});
    if (!state) return state.error().message;
    const HistoryFile& file = state->at("log");
    if (file.changes_too_much()) return "left out";
    return content_of(file.blob).size() == 100'000 ? "recorded" : "lost";
  }
};

TEST_F(ThinBusyTest, TakesNoHistoryOfOtherFiles) {
  work_.change("head -c 100000 /dev/urandom > log");
  rewrite(40);
  const Timeline before = work_.timeline();
  const HistoryLimits limits{.bytes_max = 2'000'000};
  EXPECT_TRUE(thin(limits));
  const Timeline thinned = work_.timeline();
  EXPECT_LE(history_bytes(thinned, work_.taker->log()), limits.bytes_max);
  EXPECT_EQ(thinned.bases.front()->number, 0U);
  for (std::uint64_t number = 2; number <= 41; ++number)
    EXPECT_EQ(content_after(number), std::to_string((number - 2) / 4 + 1));
  int recorded = 0;
  for (std::uint64_t number = 1; number <= 41; ++number) {
    const std::string state = state_of_log(number);
    EXPECT_NE(state, "lost");
    recorded += state == "recorded" ? 1 : 0;
  }
  EXPECT_EQ(state_of_log(41), "recorded");
  EXPECT_GE(recorded, 2);
  EXPECT_LE(recorded, 18);
  EXPECT_FALSE(thin(limits));
  // Every moment is still found, and the states agree with those that a server has in memory.
  for (std::uint64_t number = 1; number <= 41; ++number) EXPECT_NE(thinned.find(number), nullptr);
  EXPECT_EQ(work_.take(), "");
  EXPECT_TRUE(work_.rewind("m10", std::vector<std::string>{"a"}));
  EXPECT_EQ(work_.scratch.answer("cat a").output, "2");
}

TEST_F(ThinBusyTest, RetainsTheStateBeforeARewind) {
  rewrite(5);
  const std::string content = work_.scratch.answer("sha256sum log").output;
  ASSERT_TRUE(work_.rewind("m2"));
  rewrite(20);
  EXPECT_TRUE(thin({.bytes_max = 2'500'000}));
  EXPECT_EQ(state_of_log(5), "recorded");
  ASSERT_TRUE(work_.rewind("m6"));
  EXPECT_EQ(work_.scratch.answer("sha256sum log").output, content);
}

TEST_F(ThinBusyTest, FreesWhatItLeavesOut) {
  constexpr std::int64_t bytes_max = 4'000'000;
  HistoryWorkspace work("new; put a 0; save", {.limits = {.bytes_max = bytes_max}});
  work.take();
  const Retention retention{.history = HistoryLimits{.bytes_max = bytes_max}};
  EXPECT_FALSE(sweep_is_due(*work.opened, retention));
  work.clock_offset_ns += 2 * hour_ns;
  EXPECT_FALSE(sweep_is_due(*work.opened, retention));
  for (int i = 0; i < 50; ++i) {
    work.clock_offset_ns += 11 * minute_ns;
    work.change("head -c 100000 /dev/urandom > log");
  }
  ASSERT_TRUE(sweep_is_due(*work.opened, retention));
  work.taker.reset();
  work.restart();
  const Result<SweepResult> swept = sweep(*work.opened, retention, {}, {});
  ASSERT_TRUE(swept);
  EXPECT_GT(swept->bytes_freed, 0);
  EXPECT_LE(std::stoll(work.scratch.answer("cat .git/snapgen/blobs/*.seg | wc -c").output), bytes_max);
  EXPECT_FALSE(sweep_is_due(*work.opened, retention));
}

TEST_F(ThinTest, RemovesEventsAndNoMomentForThem) {
  take(20, minute_ns / 10);
  const std::int64_t at_ms = work_.opened->now() / 1'000'000;
  HistoryLog& log = work_.taker->log();
  const HostEvent prompt{
      .kind = HostEventKind::prompt, .at_ms = at_ms, .host = "claude", .detail = std::string(10 << 20, 'p')};
  std::vector<std::string> lines(3, encoded_event(prompt));
  const HostEvent tool{.kind = HostEventKind::tool_end,
                       .at_ms = at_ms,
                       .host = "claude",
                       .call = std::string(100, 'c'),
                       .tool = "Bash",
                       .detail = std::string(800, 'd')};
  lines.insert(lines.end(), 40'000, encoded_event(tool));
  ASSERT_TRUE(log.append(lines));
  EXPECT_GT(log.bytes(), thinned_log_bytes);
  EXPECT_TRUE(thin());
  const Timeline thinned = work_.timeline();
  EXPECT_EQ(thinned.moments.size(), 20U);
  EXPECT_EQ(std::ranges::count(thinned.events, HostEventKind::prompt,
                               [](const auto& event) { return event->kind; }),
            3);
  EXPECT_GT(thinned.events.size(), 1000U);
  EXPECT_EQ(thinned.events.front()->detail.size(), event_detail_max);
  EXPECT_LE(log.bytes(), HistoryLimits().event_bytes_max());
  EXPECT_FALSE(thin());
}

}  // namespace
}  // namespace snapgen::core
