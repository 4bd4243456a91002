// Sessions with pauses, stops, and several connections, which transcripts cannot show.
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/mcp/world.h"

namespace snapgen::mcp {
namespace {

const std::string session_meta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})";

std::string plain_call(int id, const std::string& tool, const std::string& arguments) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":"tools/call","params":{"name":")" +
         tool + R"(","arguments":)" + arguments + "}}\n";
}

std::string listen(int id) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
         R"(,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},)" +
         session_meta + "}}\n";
}

TEST(Session, EndsSubscriptionsAndCallsWhenItIsStopped) {
  World world;
  Client client(world);
  client.peer.send(listen(1) + plain_call(2, "slow", R"({"duration_ms":3600000})"));
  world.pass();
  EXPECT_EQ(client.lines().size(), 1U);
  client.stop.request_stop();
  world.pass();
  EXPECT_TRUE(client.served());
  const std::vector<std::string> lines = client.lines();
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_TRUE(lines[1].starts_with(R"({"id":1,"jsonrpc":"2.0","result":{"_meta":{)")) << lines[1];
  EXPECT_NE(lines[1].find(R"("io.modelcontextprotocol/subscriptionId":1)"), std::string::npos) << lines[1];
  EXPECT_EQ(lines[2], R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
}

TEST(Session, OutputSchemasDependOnTheNameOfTheClient) {
  Options options;
  std::vector<std::string> names;
  options.output_schema_form = [&](std::string_view name) {
    names.emplace_back(name);
    return OutputSchemaForm{name == "plain" ? OutputSchemaDetail::none : OutputSchemaDetail::brief};
  };
  World world(options);
  const std::string list = R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})"
                           "\n";
  Client nameless(world);
  nameless.peer.send(list);
  world.pass();
  EXPECT_TRUE(nameless.heard("outputSchema"));
  Client legacy(world);
  legacy.peer.send(
      R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
      R"("capabilities":{},"clientInfo":{"name":"plain","version":"1"}}})"
      "\n" +
      list);
  world.pass();
  EXPECT_FALSE(legacy.heard("outputSchema"));
  Client modern(world);
  const auto named = [](const std::string& name) {
    return R"({"jsonrpc":"2.0","id":")" + name + R"(","method":"tools/list","params":{)" +
           session_meta.substr(0, session_meta.size() - 1) +
           R"(,"io.modelcontextprotocol/clientInfo":{"name":")" + name +
           R"(","version":"1"}}}})"
           "\n";
  };
  modern.peer.send(named("plain"));
  world.pass();
  EXPECT_FALSE(modern.heard("outputSchema"));
  modern.peer.send(named("other"));
  world.pass();
  EXPECT_TRUE(modern.heard("outputSchema")) << "each modern request names its client";
  EXPECT_EQ(names, (std::vector<std::string>{"", "plain", "plain", "other"}));
}

TEST(Session, ReportsWhetherItIsBusy) {
  World world;
  Client client(world);
  client.peer.send(plain_call(1, "echo", R"({"text":"x"})"));
  world.pass();
  EXPECT_FALSE(client.busy_channel.is_busy());
  client.peer.send(plain_call(2, "slow", R"({"duration_ms":1000})") +
                   plain_call(3, "slow", R"({"duration_ms":5000})"));
  world.pass();
  EXPECT_TRUE(client.busy_channel.is_busy());
  world.pass(Millis(2000));
  EXPECT_EQ(client.lines().size(), 2U);
  EXPECT_TRUE(client.busy_channel.is_busy());
  world.pass(Millis(4000));
  EXPECT_EQ(client.lines().size(), 3U);
  EXPECT_FALSE(client.busy_channel.is_busy());
  client.peer.send(plain_call(4, "slow", R"({"duration_ms":5000})"));
  world.pass();
  EXPECT_TRUE(client.busy_channel.is_busy());
  client.peer.send(
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4,"requestId":5}})"
      "\n");
  world.pass();
  EXPECT_TRUE(client.busy_channel.is_busy()) << "it is ambiguous which of the two requests is meant";
  client.peer.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4}})"
                   "\n");
  world.pass();
  EXPECT_FALSE(client.busy_channel.is_busy());
}

TEST(Session, StopsReadingWhileItsResponsesAreNotRead) {
  Options options;
  options.limits.unsent_bytes_max = 10'000;
  World world(options);
  Client client(world, 1 << 20, 1000);
  client.peer.pause_reading();
  std::string sent;
  constexpr int calls = 5000;
  for (int id = 0; id != calls; ++id)
    sent += plain_call(id, "echo", R"({"text":"0123456789012345678901234567890123456789"})");
  client.peer.send(sent);
  world.pass(LineChannel::output_stall_default - Millis(1000));
  EXPECT_GT(client.peer.unread(), sent.size() / 2);
  EXPECT_LT(client.channel.unsent_bytes(), 20'000U);
  client.peer.resume_reading();
  world.pass();
  EXPECT_EQ(client.lines().size(), static_cast<std::size_t>(calls));
  EXPECT_EQ(client.peer.unread(), 0U);
}

TEST(Session, EndsWhenItsResponsesAreNotReadForLong) {
  Options options;
  options.limits.unsent_bytes_max = 1000;
  World world(options);
  Client client(world, 1 << 20, 100);
  client.peer.pause_reading();
  std::string sent;
  for (int id = 0; id != 100; ++id)
    sent += plain_call(id, "echo", R"({"text":"0123456789012345678901234567890123456789"})");
  client.peer.send(sent);
  client.peer.end_sending();
  world.pass(LineChannel::output_stall_default - Millis(1000));
  EXPECT_FALSE(client.served());
  client.peer.resume_reading();
  world.pass();
  EXPECT_TRUE(client.served());
  EXPECT_EQ(client.lines().size(), 100U) << "a client that continues to read receives all responses";

  Client stuck(world, 1 << 20, 100);
  stuck.peer.pause_reading();
  stuck.peer.send(sent);
  stuck.peer.end_sending();
  world.pass(LineChannel::output_stall_default + Limits().shutdown_timeout + Millis(1000));
  EXPECT_TRUE(stuck.served()) << "the input ended after requests that were not read";
}

TEST(Session, DropsProgressThatTheClientDoesNotRead) {
  Options options;
  options.limits.unsent_bytes_max = 1000;
  World world(options);
  Client client(world, 1 << 20, 100);
  client.peer.pause_reading();
  client.peer.send(
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow","arguments":{"duration_ms":1000,"steps":1000},"_meta":{"progressToken":1}}})"
      "\n");
  world.pass(Millis(1000));
  EXPECT_LT(client.channel.unsent_bytes(), 2000U);
  client.peer.resume_reading();
  world.pass();
  EXPECT_TRUE(client.heard("waited 1000 ms"));
}

TEST(Session, QueuesCallsBeyondTheLimit) {
  Options options;
  options.limits.requests_in_flight_max = 10;
  World world(options);
  Client client(world);
  std::string sent;
  for (int id = 0; id != 25; ++id) sent += plain_call(id, "slow", R"({"duration_ms":10})");
  client.peer.send(sent);
  world.pass(Millis(10));
  EXPECT_EQ(client.lines().size(), 10U);
  world.pass(Millis(20));
  EXPECT_EQ(client.lines().size(), 25U);
}

std::string cancel(int id) {
  return R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" +
         std::to_string(id) + "}}\n";
}

TEST(Session, ReceivesMessagesWhileCallsAreQueued) {
  Options options;
  options.limits.requests_in_flight_max = 2;
  World world(options);
  Client client(world);
  const std::string hour = R"({"duration_ms":3600000})";
  client.peer.send(plain_call(1, "slow", hour) + plain_call(2, "slow", hour) +
                   plain_call(3, "echo", R"({"text":"third"})") + plain_call(4, "slow", hour) +
                   plain_call(4, "slow", hour) +
                   R"({"jsonrpc":"2.0","id":5,"method":"ping"})"
                   "\n");
  world.pass();
  std::vector<std::string> lines = client.lines();
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_NE(lines[0].find("A request with the id 4 is still in progress. Use an id that is not in use."),
            std::string::npos)
      << lines[0];
  EXPECT_EQ(lines[1], R"({"id":5,"jsonrpc":"2.0","result":{}})");
  client.peer.send(cancel(4));
  world.pass();
  EXPECT_EQ(client.lines().size(), 2U);
  client.peer.send(cancel(1));
  world.pass();
  lines = client.lines();
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_NE(lines[2].find("third"), std::string::npos) << lines[2];
  client.peer.send(plain_call(4, "slow", R"({"duration_ms":10})"));
  world.pass(Millis(10));
  EXPECT_TRUE(client.heard("waited 10 ms"))
      << "a call that is cancelled while it is queued does not use a slot";
}

TEST(Session, ALateCancellationOfAnAnsweredCallChangesNothing) {
  for (
      const std::string& meta :
      {std::string(),
       std::string(
           R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})")}) {
    World world;
    Client client(world);
    const auto slow = [&](int id) {
      return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
             R"(,"method":"tools/call","params":{"name":"slow","arguments":{"duration_ms":10})" + meta +
             "}}\n";
    };
    client.peer.send(slow(1));
    world.pass(Millis(10));
    ASSERT_EQ(client.lines().size(), 1U);
    client.peer.send(slow(2) + cancel(1) + cancel(1));
    world.pass(Millis(10));
    ASSERT_EQ(client.lines().size(), 2U);
    EXPECT_NE(client.lines()[1].find("waited 10 ms"), std::string::npos) << client.lines()[1];
    client.peer.send(cancel(2) + slow(1));
    world.pass(Millis(10));
    ASSERT_EQ(client.lines().size(), 3U) << "the id of an answered call may be used again";
    EXPECT_NE(client.lines()[2].find("waited 10 ms"), std::string::npos) << client.lines()[2];
  }
}

TEST(Session, RejectsCallsWhenTheQueueIsFull) {
  Options options;
  options.limits.requests_in_flight_max = 1;
  options.limits.queued_requests_bytes_max = 1000;
  World world(options);
  Client client(world);
  std::string sent;
  for (int id = 0; id != 25; ++id) sent += plain_call(id, "slow", R"({"duration_ms":10})");
  client.peer.send(sent);
  world.pass();
  const std::size_t refused = client.lines().size();
  EXPECT_GT(refused, 10U);
  EXPECT_LT(refused, 24U);
  for (const std::string& line : client.lines())
    EXPECT_NE(
        line.find(R"("error":{"code":-32603,"message":"1 requests are in progress and the queue is full)"),
        std::string::npos)
        << line;
  world.pass(Millis(250));
  EXPECT_EQ(client.lines().size(), 25U);
  client.peer.send(plain_call(30, "slow", R"({"duration_ms":10})") +
                   plain_call(31, "slow", R"({"duration_ms":11})"));
  world.pass(Millis(30));
  EXPECT_TRUE(client.heard("waited 11 ms")) << "the queue has space again";
}

TEST(Session, QueuesTheCallsOfABatchSeparately) {
  Options options;
  options.limits.requests_in_flight_max = 1;
  World world(options);
  Client client(world);
  client.peer.send(
      R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{}}})"
      "\n");
  std::string batch = "[" + plain_call(1, "slow", R"({"duration_ms":10})") + "," +
                      plain_call(2, "slow", R"({"duration_ms":11})") + "," +
                      plain_call(3, "slow", R"({"duration_ms":12})") + "," + cancel(2) + "]";
  std::erase(batch, '\n');
  client.peer.send(batch + "\n");
  world.pass(Millis(100));
  const std::vector<std::string> lines = client.lines();
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_TRUE(lines[1].starts_with("[")) << lines[1];
  EXPECT_NE(lines[1].find("waited 10 ms"), std::string::npos);
  EXPECT_EQ(lines[1].find("waited 11 ms"), std::string::npos);
  EXPECT_NE(lines[1].find("waited 12 ms"), std::string::npos);
}

TEST(Session, EndsWhileItWaitsForCallsToFinish) {
  Options options;
  options.limits.requests_in_flight_max = 2;
  World world(options);
  Client client(world);
  for (int id = 0; id != 5; ++id) client.peer.send(plain_call(id, "slow", R"({"duration_ms":3600000})"));
  world.pass();
  client.stop.request_stop();
  world.pass();
  EXPECT_TRUE(client.served());
  EXPECT_EQ(client.lines().size(), 0U);
  EXPECT_EQ(world.fixture.server().unanswered_count(), 5U)
      << "two calls are in progress, and three are queued";
}

TEST(Session, WaitsForASlowReaderOfItsLastResponsesButNotForever) {
  World world;
  Client slow(world, 1 << 20, 10);
  slow.peer.pause_reading();
  slow.peer.send(plain_call(1, "echo", R"({"text":"last words"})"));
  slow.peer.end_sending();
  world.pass(Millis(1000));
  EXPECT_FALSE(slow.served());
  slow.peer.resume_reading();
  world.pass();
  EXPECT_TRUE(slow.served());
  EXPECT_TRUE(slow.heard("last words"));

  Client stuck(world, 1 << 20, 10);
  stuck.peer.pause_reading();
  stuck.peer.send(plain_call(1, "echo", R"({"text":"last words"})"));
  stuck.peer.end_sending();
  world.pass(Limits().shutdown_timeout + Millis(1));
  EXPECT_TRUE(stuck.served());
}

TEST(Session, EndsWhenItsOutputIsClosed) {
  World world;
  Client client(world);
  client.peer.send(plain_call(1, "slow", R"({"duration_ms":3600000})"));
  world.pass();
  client.peer.stop_reading();
  client.peer.send(plain_call(2, "echo", R"({"text":"into the void"})"));
  world.pass();
  EXPECT_TRUE(client.served());
}

TEST(Session, ContinuesAfterAnOversizeMessage) {
  World world;
  Client client(world, 200);
  client.peer.send(plain_call(1, "echo", "{\"text\":\"" + std::string(1000, 'x') + "\"}") +
                   plain_call(2, "echo", R"({"text":"y"})"));
  world.pass();
  const std::vector<std::string> lines = client.lines();
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(
      lines[0],
      R"({"error":{"code":-32600,"message":"The message exceeds the server's size limit."},"id":null,"jsonrpc":"2.0"})");
  EXPECT_EQ(lines[1], R"({"id":2,"jsonrpc":"2.0","result":{"content":[{"text":"y","type":"text"}]}})");
}

TEST(Session, RespondsAtTheDeadlineEvenIfTheHandlerContinues) {
  World world;
  Client client(world);
  client.peer.send(plain_call(1, "stubborn", R"({"duration_ms":5000})"));
  world.pass(Millis(100));
  const std::vector<std::string> lines = client.lines();
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NE(lines[0].find("stubborn took longer than 100 ms"), std::string::npos) << lines[0];
  // The id may be used again, and the late response of the first call is not sent.
  client.peer.send(plain_call(1, "echo", R"({"text":"again"})"));
  world.pass(Millis(10'000));
  EXPECT_EQ(client.lines().size(), 2U);
  client.peer.end_sending();
  world.pass();
  EXPECT_TRUE(client.served());
}

TEST(Session, ReportsProgressOfASilentCall) {
  Options options;
  options.limits.heartbeat_interval = Millis(10'000);
  World world(options);
  Client client(world);
  const std::string slow = R"("name":"slow","arguments":{"duration_ms":45000,"steps":1})";
  client.peer.send(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{)" + slow +
                   R"(,"_meta":{"progressToken":"p"}}})"
                   "\n" +
                   R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{)" + slow + "}}\n");
  world.pass(Millis(44'000));
  const std::vector<std::string> lines = client.lines();
  ASSERT_EQ(lines.size(), 4U) << "one notification each 10 s, for the call with a progress token";
  for (const std::string& line : lines) {
    EXPECT_NE(line.find(R"("method":"notifications/progress")"), std::string::npos) << line;
    EXPECT_NE(line.find(R"("progressToken":"p")"), std::string::npos) << line;
  }
  EXPECT_NE(lines[0].find(R"("progress":0,)"), std::string::npos) << lines[0];
  EXPECT_NE(lines[3].find(R"("progress":0.000003,)"), std::string::npos) << lines[3];
  world.pass(Millis(60'000));
  EXPECT_EQ(client.lines().size(), 7U) << "the progress that the handler reports, and two responses";
}

TEST(Session, WaitsForAHandlerThatDoesNotStop) {
  World world;
  Client client(world);
  client.peer.send(plain_call(1, "stubborn", R"({"duration_ms":50})"));
  client.peer.end_sending();
  world.pass(Millis(40));
  EXPECT_FALSE(client.served()) << "the handler still uses objects that the session owns";
  world.pass(Millis(10));
  EXPECT_TRUE(client.served());
  EXPECT_EQ(client.lines().size(), 0U);
}

TEST(Server, NotifiesEveryConnectionOfAChange) {
  World world;
  Client modern(world);
  Client legacy(world);
  Client silent(world);
  modern.peer.send(listen(1));
  legacy.peer.send(
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}})"
      "\n");
  silent.peer.send(plain_call(1, "echo", R"({"text":"x"})"));
  world.pass();
  world.fixture.server().announce_tools_changed();
  world.fixture.server().announce_prompts_changed();
  world.pass();
  EXPECT_EQ(
      modern.lines().back(),
      R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}})");
  EXPECT_EQ(legacy.lines().back(), R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})");
  EXPECT_FALSE(silent.heard("list_changed"));
  EXPECT_FALSE(modern.heard("prompts/list_changed"))
      << "the server does not declare that it announces prompts";
}

std::string legacy(int id, const std::string& method, const std::string& uri) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" + method +
         R"(","params":{"uri":")" + uri + "\"}}\n";
}

TEST(Server, ReportsSubscribedUris) {
  World world;
  const auto subscriptions = [&] { return world.fixture.resources().subscriptions(); };
  using Sets = std::vector<std::set<std::string>>;
  {
    Client old(world);
    old.peer.send(
        legacy(1, "resources/subscribe", "test://a") + legacy(2, "resources/subscribe", "test://a") +
        legacy(3, "resources/subscribe", "test://b") + legacy(4, "resources/unsubscribe", "test://c"));
    world.pass();
    EXPECT_EQ(subscriptions(), (Sets{{"test://a"}, {"test://a", "test://b"}}));
    {
      Client modern(world);
      modern.peer.send(
          R"({"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["test://c","test://a"]},)" +
          session_meta + "}}\n");
      world.pass();
      EXPECT_EQ(subscriptions().back(), (std::set<std::string>{"test://a", "test://b", "test://c"}));
      modern.peer.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})"
                       "\n");
      world.pass();
      EXPECT_EQ(subscriptions().back(), (std::set<std::string>{"test://a", "test://b"}));
    }
    old.peer.send(legacy(5, "resources/unsubscribe", "test://a"));
    world.pass();
    EXPECT_EQ(subscriptions().back(), std::set<std::string>{"test://b"});
  }
  EXPECT_EQ(subscriptions().back(), std::set<std::string>()) << "the client has disconnected";
  EXPECT_EQ(subscriptions().size(), 6U);
}

TEST(Server, RejectsSubscriptionsBeyondTheLimit) {
  Options options;
  options.limits.subscribed_resources_max = 2;
  World world(options);
  Client client(world);
  client.peer.send(
      legacy(1, "resources/subscribe", "test://a") + legacy(2, "resources/subscribe", "test://b") +
      legacy(3, "resources/subscribe", "test://c") + legacy(4, "resources/unsubscribe", "test://a") +
      legacy(5, "resources/subscribe", "test://c"));
  world.pass();
  const std::vector<std::string> lines = client.lines();
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_NE(lines[2].find("There are 2 subscriptions, which is the limit"), std::string::npos) << lines[2];
  EXPECT_EQ(lines[4].find("error"), std::string::npos) << lines[4];
}

TEST(Server, ServesOnlyTheToolsOfItsProfile) {
  Options options;
  options.profile = "conformance";
  World world(options);
  Client client(world);
  client.peer.send(plain_call(1, "echo", R"({"text":"x"})") + plain_call(2, "test_simple_text", "{}"));
  world.pass();
  const std::vector<std::string> lines = client.lines();
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_NE(lines[0].find(R"(The tool \"echo\" is not in the profile)"), std::string::npos) << lines[0];
  EXPECT_NE(lines[1].find("This is a simple text response"), std::string::npos);
}

}  // namespace
}  // namespace snapgen::mcp
