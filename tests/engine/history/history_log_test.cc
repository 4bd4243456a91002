// The log of the history: damaged and incomplete lines, several writers, and events within limits.
#include "tools/engine/store/history/history_log.h"

#include <fstream>
#include <thread>

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/engine/folder.h"

namespace snapgen::core {
namespace {

HostEvent prompt_at(std::int64_t at_ms, std::string detail = {}) {
  return {.kind = HostEventKind::prompt, .at_ms = at_ms, .host = "claude", .detail = std::move(detail)};
}

class HistoryLogTest : public testing::Test {
 protected:
  HistoryLogTest() : log_(folder_.path() + "/history") { EXPECT_TRUE(log_.prepare()); }

  void append_bytes(std::string_view bytes) const {
    std::ofstream(log_.folder() + "/log", std::ios::binary | std::ios::app) << bytes;
  }
  std::size_t event_count() {
    const Result<Timeline> timeline = log_.read();
    return timeline ? timeline->events.size() : 999;
  }

  Folder folder_;
  HistoryLog log_;
};

TEST_F(HistoryLogTest, ReadsWhatWasAppended) {
  EXPECT_EQ(event_count(), 0U);
  ASSERT_TRUE(log_.append({encoded_event(prompt_at(1)), encoded_event(prompt_at(2))}));
  EXPECT_EQ(event_count(), 2U);
  ASSERT_TRUE(log_.append({encoded_event(prompt_at(3))}));
  EXPECT_EQ(event_count(), 3U);
  EXPECT_EQ(*log_.read()->events[2], prompt_at(3));
}

TEST_F(HistoryLogTest, IgnoresIncompleteAndUnknownLines) {
  append_bytes("{\"event\":\"prompt\",\"at_ms\":1}\n{\"event\":\"pro");
  EXPECT_EQ(event_count(), 1U);
  ASSERT_TRUE(log_.append({encoded_event(prompt_at(2))}));
  append_bytes("{\"future\":1}\n\xff\xfe\n\nnull\n{\"moment\":-1}\n{\"event\":5}\n");
  EXPECT_EQ(event_count(), 2U);
}

TEST_F(HistoryLogTest, RetainsWhatWasAppendedWhileItIsReplaced) {
  ASSERT_TRUE(log_.append({encoded_event(prompt_at(1)), encoded_event(prompt_at(2))}));
  EXPECT_EQ(event_count(), 2U);
  const Result<Timeline> replaced = log_.read();
  HistoryLog other(log_.folder());
  ASSERT_TRUE(other.append({encoded_event(prompt_at(3))}));
  EXPECT_EQ(event_count(), 3U);  // Another thread reads meanwhile.
  ASSERT_TRUE(log_.replace(encoded_event(prompt_at(2)) + "\n", *replaced));
  EXPECT_EQ(event_count(), 2U);
  EXPECT_EQ(log_.read()->events[1]->at_ms, 3);
  EXPECT_EQ(other.read()->events.size(), 2U);
}

TEST_F(HistoryLogTest, AcceptsSeveralWriters) {
  std::vector<std::jthread> writers;
  for (int writer = 0; writer < 4; ++writer)
    writers.emplace_back([&] {
      HistoryLog log(log_.folder());
      for (int i = 0; i < 50; ++i)
        EXPECT_TRUE(log.append({encoded_event(prompt_at(i, std::string(300, 'x')))}));
    });
  writers.clear();
  EXPECT_EQ(event_count(), 200U);
}

TEST_F(HistoryLogTest, ReadsALogOfMoreThanAMegabyteInPieces) {
  std::vector<std::string> lines(3000, encoded_event(prompt_at(5, std::string(800, 'y'))));
  ASSERT_TRUE(log_.append(lines));
  EXPECT_EQ(event_count(), 3000U);
}

TEST_F(HistoryLogTest, SkipsALongLine) {
  ASSERT_TRUE(log_.append({encoded_event(prompt_at(1))}));
  append_bytes(std::string(20 << 20, 'x'));
  EXPECT_EQ(event_count(), 1U);
  append_bytes(std::string(1 << 20, 'x') + "\n");
  ASSERT_TRUE(log_.append({encoded_event(prompt_at(2))}));
  EXPECT_EQ(event_count(), 2U);
}

TEST_F(HistoryLogTest, RejectsALogThatNoServerWrites) {
  ASSERT_TRUE(log_.append({encoded_event(prompt_at(1))}));
  ASSERT_EQ(::truncate((log_.folder() + "/log").c_str(), std::int64_t{1} << 40), 0);
  const Result<Timeline> timeline = log_.read();
  ASSERT_FALSE(timeline);
  EXPECT_NE(timeline.error().message.find("Delete "), std::string::npos);
}

TEST_F(HistoryLogTest, CutsLongEventsAndAppendsNoneToAHugeLog) {
  ASSERT_TRUE(log_.append(prompt_at(1, std::string(10 << 20, 'x'))));
  EXPECT_EQ(log_.read()->events[0]->detail.size(), event_detail_max);
  EXPECT_EQ(log_.read()->event_bytes, log_.bytes());
  ASSERT_EQ(::truncate((log_.folder() + "/log").c_str(), 2 * thinned_log_bytes + 1), 0);
  ASSERT_TRUE(log_.append(prompt_at(2)));
  EXPECT_EQ(log_.bytes(), 2 * thinned_log_bytes + 1);
}

TEST(HostEvent, IsCutToItsLimits) {
  std::string prompt;
  for (int i = 0; i < 1000; ++i) prompt += "é";
  const HostEvent cut = within_limits({.kind = HostEventKind::tool_begin,
                                       .at_ms = 1,
                                       .host = "codex",
                                       .session = std::string(5000, 's'),
                                       .tool = "Bash",
                                       .detail = prompt});
  EXPECT_EQ(cut.session.size(), event_id_bytes_max);
  EXPECT_EQ(cut.detail.size(), 2 * event_detail_max);
  EXPECT_EQ(parse_event(encoded_event(cut)), cut);
}

TEST(HostEvent, HasNoSecrets) {
  const HostEvent event =
      within_limits({.kind = HostEventKind::prompt, .detail = "use password=hunter2hunter2 for it"});
  EXPECT_EQ(event.detail.find("hunter2"), std::string::npos);
}

}  // namespace
}  // namespace snapgen::core
