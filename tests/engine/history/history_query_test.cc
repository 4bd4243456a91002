// Lists of the history: turns from events or pauses, what made a change, and pages.
#include "tools/engine/operations/history/history_query.h"

#include <gtest/gtest.h>

#include "tests/engine/history/history_workspace.h"

namespace snapgen::core {
namespace {

constexpr std::int64_t second_ns = 1'000'000'000;

class HistoryQueryTest : public testing::Test {
 protected:
  HistoryQueryTest() : work_("new; put a 1; put b 1; save") { work_.take(); }

  void event(HostEvent each) {
    each.at_ms = work_.opened->now() / 1'000'000;
    ASSERT_TRUE(work_.taker->log().append({encoded_event(each)}));
    work_.clock_offset_ns += second_ns;
  }
  HistoryList list(const HistoryListQuery& query = {}) {
    const Result<HistoryList> found =
        list_history(work_.timeline(), work_.opened->blobs(), query, work_.opened->now() / 1'000'000, {});
    EXPECT_TRUE(found) << found.error().message;
    return found ? *found : HistoryList();
  }
  // Returns a line for each turn: its name, its prompt, and its moments with the authors of their changes.
  std::string text(const HistoryList& list) {
    std::string text;
    for (const ListedTurn& turn : list.turns) {
      text += "t" + std::to_string(turn.turn.first_moment) + " " + turn.turn.prompt + ":";
      for (const ListedMoment& moment : turn.moments) {
        text += " m" + std::to_string(moment.number);
        for (const ListedChange& change : moment.changes)
          text += " " + change.path + "(" + change.author + ")";
      }
      text += "\n";
    }
    return text;
  }

  HistoryWorkspace work_;
};

TEST_F(HistoryQueryTest, DividesTurnsByPrompts) {
  event({.kind = HostEventKind::prompt, .host = "claude", .session = "s", .detail = "first"});
  event(
      {.kind = HostEventKind::tool_begin, .session = "s", .call = "1", .tool = "Bash", .detail = "put a 2"});
  work_.scratch.run("put a 2");
  event({.kind = HostEventKind::tool_end, .session = "s", .call = "1", .tool = "Bash"});
  work_.take();
  work_.clock_offset_ns += 5 * second_ns;
  work_.change("put b 2");
  event({.kind = HostEventKind::prompt, .host = "claude", .session = "s", .detail = "second"});
  work_.change("put a 3");
  EXPECT_EQ(text(list()),
            "t3 second: m3 a(outside)\n"
            "t1 first: m2 b(outside) m1 a(Bash: put a 2)\n");
}

TEST_F(HistoryQueryTest, NamesToolsOfHostsWithoutIdsOfCalls) {
  event({.kind = HostEventKind::tool_begin, .session = "s", .tool = "shell", .detail = "put a 2"});
  work_.take();  // A hook requests a moment.
  work_.change("put a 2");
  event({.kind = HostEventKind::tool_end, .session = "s", .tool = "shell"});
  work_.take();
  work_.change("put b 2");
  EXPECT_EQ(text(list()), "t1 : m2 b(outside) m1 a(shell: put a 2)\n");
}

TEST_F(HistoryQueryTest, CountsWhatAPromptFoundToTheTurnBefore) {
  event({.kind = HostEventKind::prompt, .host = "claude", .detail = "first"});
  work_.change("put a 2");
  work_.scratch.run("put b 2");
  event({.kind = HostEventKind::prompt, .host = "claude", .detail = "second"});
  work_.take(MomentCause::request);
  work_.clock_offset_ns += 5 * second_ns;
  work_.change("put a 3");
  EXPECT_EQ(text(list()), "t3 second: m3 a(outside)\nt1 first: m2 b(outside) m1 a(outside)\n");
}

TEST_F(HistoryQueryTest, CountsWhatAToolRequestedSoonAfterAPromptToItsTurn) {
  event({.kind = HostEventKind::prompt, .host = "claude", .session = "s", .detail = "first"});
  event({.kind = HostEventKind::tool_begin, .session = "s", .tool = "Edit", .detail = "a"});
  work_.scratch.run("put a 2");
  event({.kind = HostEventKind::tool_end, .session = "s", .tool = "Edit"});
  work_.take(MomentCause::request);
  EXPECT_EQ(text(list()), "t1 first: m1 a(Edit: a)\n");
}

TEST_F(HistoryQueryTest, DividesTurnsByPausesWithoutHooks) {
  work_.change("put a 2");
  work_.change("put a 3");
  work_.clock_offset_ns += 700 * second_ns;
  work_.take();
  work_.change("put a 4");
  EXPECT_EQ(text(list()), "t3 : m3 a(outside)\nt1 : m2 a(outside) m1 a(outside)\n");
}

TEST_F(HistoryQueryTest, SelectsPathsAndTargets) {
  work_.change("put a 2; put b 2");
  work_.change("put a 3");
  work_.change("put b 3");
  EXPECT_EQ(text(list({.paths = {"b"}})), "t1 : m3 b(outside) m1 b(outside)\n");
  EXPECT_EQ(text(list({.target = "m2"})), "t1 : m2 a(outside)\n");
  EXPECT_EQ(text(list({.target = "t1", .moments_max = 1})), "t1 : m3 b(outside)\n");
}

TEST_F(HistoryQueryTest, ListsInPages) {
  for (int i = 0; i < 5; ++i) work_.change("put a x" + std::to_string(i));
  HistoryListQuery query{.moments_max = 2};
  std::vector<std::uint64_t> numbers;
  for (int page = 0; page < 4; ++page) {
    const HistoryList found = list(query);
    for (const ListedTurn& turn : found.turns)
      for (const ListedMoment& moment : turn.moments) numbers.push_back(moment.number);
    query.before = found.next_before;
    if (!found.next_before) break;
  }
  EXPECT_EQ(numbers, (std::vector<std::uint64_t>{5, 4, 3, 2, 1}));
}

TEST_F(HistoryQueryTest, ReportsThatHeadMoved) {
  work_.change("put a 2; git commit -qam two");
  work_.change("put a 3");
  const HistoryList found = list();
  ASSERT_EQ(found.turns.size(), 1U);
  EXPECT_FALSE(found.turns[0].moments[0].moved_head);
}

TEST_F(HistoryQueryTest, FindsLocalTimes) {
  work_.change("put a 2");
  const Timeline timeline = work_.timeline();
  const std::int64_t now_ms = work_.opened->now() / 1'000'000;
  const auto later = static_cast<std::time_t>(now_ms / 1000 + 60);
  std::tm local{};
  ::localtime_r(&later, &local);
  char clock[32];
  std::strftime(clock, sizeof clock, "%Y-%m-%d %H:%M:%S", &local);
  const Result<HistoryTarget> target = find_history_target(timeline, std::string("before ") + clock, now_ms);
  ASSERT_TRUE(target) << target.error().message;
  EXPECT_TRUE(target->is_time());
  EXPECT_EQ(target->first, 2U);
}

}  // namespace
}  // namespace snapgen::core
