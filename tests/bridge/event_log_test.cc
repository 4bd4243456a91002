#include "tools/bridge/event_log.h"

#include <gtest/gtest.h>

namespace snapgen::core {
namespace {

bool everything(const LoggedEvent&) { return true; }

LoggedEvent event(int type, std::string payload = "{}") {
  return {.session_id = "s", .type = type, .payload = std::move(payload)};
}

TEST(EventLog, ReturnsPagesInOrder) {
  EventLog log(10, 1 << 20);
  for (int i = 0; i != 5; ++i) log.add(event(i));
  const EventLog::Page first = log.read(1, 2, everything);
  ASSERT_EQ(first.events.size(), 2U);
  EXPECT_EQ(first.events[1]->type, 1);
  EXPECT_EQ(first.next_number, 3);
  const EventLog::Page rest = log.read(first.next_number, 100, everything);
  ASSERT_EQ(rest.events.size(), 3U);
  EXPECT_EQ(rest.events[0]->number, 3);
  EXPECT_EQ(rest.next_number, 6);
  EXPECT_TRUE(log.read(rest.next_number, 100, everything).events.empty());
}

TEST(EventLog, DropsTheOldestEventsAndReportsHowMany) {
  EventLog log(3, 1 << 20);
  for (int i = 0; i != 10; ++i) log.add(event(i));
  const EventLog::Page page = log.read(1, 100, everything);
  EXPECT_EQ(page.missed_count, 7);
  ASSERT_EQ(page.events.size(), 3U);
  EXPECT_EQ(page.events[0]->type, 7);
  EXPECT_EQ(log.read(8, 100, everything).missed_count, 0);
}

TEST(EventLog, RemainsBelowItsByteLimit) {
  EventLog log(1000, 10'000);
  for (int i = 0; i != 100; ++i) log.add(event(i, std::string(1000, 'x')));
  EXPECT_LT(log.size(), 10U);
  EXPECT_GE(log.size(), 1U);
  EXPECT_EQ(log.next_number(), 101);
}

TEST(EventLog, OmitsEventsThatTheFilterExcludes) {
  EventLog log(10, 1 << 20);
  for (int i = 0; i != 6; ++i) log.add(event(i % 2));
  const EventLog::Page page = log.read(1, 2, [](const LoggedEvent& each) { return each.type == 1; });
  ASSERT_EQ(page.events.size(), 2U);
  EXPECT_EQ(page.events[1]->number, 4);
  EXPECT_EQ(page.next_number, 5);
}

TEST(EventLog, AcceptsAnUnknownCursor) {
  EventLog log(10, 1 << 20);
  log.add(event(0));
  EXPECT_EQ(log.read(-5, 10, everything).events.size(), 1U);
  EXPECT_EQ(log.read(1'000'000, 10, everything).next_number, 2);
}

}  // namespace
}  // namespace snapgen::core
