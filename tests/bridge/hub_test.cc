// The hub's behaviour over time: pings, timeouts, reconnect windows, rate limits and waiting. Browsers are in
// memory.
#include "tools/bridge/hub.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "runtime/json/tree.h"
#include "runtime/transport/line_channel.h"
#include "tests/transcripts/still_port.h"
#include "tests/transport/busy_channel.h"
#include "tests/transport/memory.h"
#include "tools/bridge/failures.h"
#include "tools/bridge/permissions.h"
#include "tools/bridge/serve_browser.h"

namespace snapgen::tools::bridge {
namespace {

constexpr core::Permissions all = (core::Permissions{1} << permissions_count) - 1;

class World {
 public:
  World() {
    HubOptions options;
    options.url = "ws://127.0.0.1:1/";
    options.clock = [this] { return now; };
    hub = *Hub::create(loop, log, std::move(options));
  }

  // Advances the time step by step, so that the clock and the alarms agree.
  void pass(std::int64_t ms = 0) {
    for (; ms > 100; ms -= 100) step(100);
    step(ms);
  }

  transcripts::StillPort port;
  Loop loop{port};
  Log log{"test", Severity::error};
  std::int64_t now = 1'700'000'000'000;
  std::unique_ptr<Hub> hub;

 private:
  void step(std::int64_t ms) {
    now += ms;
    Result<Unit> slept = loop.run(sleep(Millis(ms)));
    static_cast<void>(slept);
    slept = loop.run(sleep(Millis(0)));
  }
  Task<Unit> sleep(Millis time) {
    const std::stop_token never;
    Result<Unit> slept = co_await Sleep(loop, never, time);
    co_return slept;
  }
};

// The browser's end of a connection.
class Browser {
 public:
  explicit Browser(World& world)
      : world_(world), peer(world.loop), line_(world.loop, peer, 1 << 20), scope_(world.loop) {
    Task<Unit> serving = serve();
    scope_.spawn(std::move(serving));
  }
  ~Browser() {
    stop_.request_stop();
    Result<Unit> joined = world_.loop.run(join());
    static_cast<void>(joined);
  }

  void send(const std::string& message) {
    peer.send(message + "\n");
    world_.pass();
  }
  // Returns the next message of the hub; empty if it sent none.
  std::string next() {
    const std::size_t end = peer.received().find('\n', read_);
    if (end == std::string::npos) return {};
    std::string line = peer.received().substr(read_, end - read_);
    read_ = end + 1;
    return line;
  }
  void connect(core::Permissions permissions = all) {
    const core::Pairing pairing = *world_.hub->pair(permissions);
    session = pairing.session_id;
    send(R"({"type":"connect","version":"1.0.0","token":")" + pairing.token + "\"}");
    const std::string ack = next();
    const json::Tree tree(ack);
    ASSERT_TRUE(tree.is_json() && tree.root().find("type").text() == "connect_ack") << ack;
    reconnect_token = tree.root().find("reconnect_token").text();
  }
  void hang_up() {
    peer.end_sending();
    world_.pass();
  }
  bool served() const { return served_; }
  bool keeps_its_place() const { return channel_.is_busy(); }
  const std::optional<Error>& failure() const { return failure_; }

 private:
  Task<Unit> serve() {
    Task<Unit> serving = serve_browser(*world_.hub, channel_, stop_.get_token());
    Result<Unit> outcome = co_await std::move(serving);
    served_ = true;
    if (!outcome) failure_ = outcome.error();
    co_return Unit{};
  }
  Task<Unit> join() {
    co_await scope_.join();
    co_return Unit{};
  }

  World& world_;

 public:
  MemoryPeer peer;
  std::string session;
  std::string reconnect_token;

 private:
  LineChannel line_;
  BusyChannel channel_{line_};
  std::stop_source stop_;
  TaskScope scope_;
  std::size_t read_ = 0;
  bool served_ = false;
  std::optional<Error> failure_;
};

// A call in progress.
class Asking {
 public:
  explicit Asking(World& world, std::int64_t timeout_ms = 5000, bool may_retry = false)
      : world_(world), scope_(world.loop) {
    request.command = "read_project";
    request.permissions = permission_bit(BridgePermission::read_project);
    request.timeout_ms = timeout_ms;
    request.may_retry = may_retry;
    request.render = [](const std::string& id, const std::string&, const std::string&) {
      return R"({"message_id":")" + id + R"("})";
    };
    request.read_payload = [](const json::Raw&) { return Result<Unit>(Unit{}); };
  }
  ~Asking() {
    stop.request_stop();
    Result<Unit> joined = world_.loop.run(join());
    static_cast<void>(joined);
  }
  Asking& begin() {
    Task<Unit> asking = ask();
    scope_.spawn(std::move(asking));
    world_.pass();
    return *this;
  }
  bool is_over() const { return outcome.has_value(); }
  // Returns "success" or the error's code; "waiting" if the call has not ended.
  std::string said() const {
    if (!outcome) return "waiting";
    return *outcome ? "success" : std::string(text(code_of(outcome->error())));
  }

 private:
  Task<Unit> ask() {
    Task<Reply> asking = world_.hub->ask(request, sent_to, stop.get_token());
    Result<Reply> reply = co_await std::move(asking);
    outcome.emplace(std::move(reply));
    co_return Unit{};
  }
  Task<Unit> join() {
    co_await scope_.join();
    co_return Unit{};
  }

  World& world_;

 public:
  Request request;
  std::stop_source stop;
  std::string sent_to;
  std::optional<Result<Reply>> outcome;

 private:
  TaskScope scope_;
};

std::string id_of(const std::string& message) {
  const json::Tree tree(message);
  return tree.is_json() && tree.root().find("message_id").exists()
             ? std::string(tree.root().find("message_id").text())
             : std::string();
}
std::string type_of(const std::string& message) {
  const json::Tree tree(message);
  return tree.is_json() && tree.root().find("type").exists() ? std::string(tree.root().find("type").text())
                                                             : std::string();
}
std::string success(const std::string& id) {
  return R"({"type":"response","status":"success","payload":{},"message_id":")" + id + "\"}";
}
std::string reconnect(const std::string& token, const std::string& received = "") {
  return R"({"type":"reconnect","version":"1.0.0","reconnect_token":")" + token + R"(","received":[)" +
         received + "]}";
}

TEST(Bridge, DropsAConnectionThatSendsNothing) {
  World world;
  Browser silent(world);
  world.pass(9'900);
  EXPECT_FALSE(silent.served());
  world.pass(200);
  EXPECT_TRUE(silent.served());
  ASSERT_TRUE(silent.failure());
  EXPECT_EQ(silent.failure()->code, ErrorCode::permission_denied);
}

TEST(Bridge, ABrowserWithAValidTokenIsNotDroppedForOthers) {
  World world;
  Browser stranger(world);
  stranger.send(R"({"type":"connect","version":"1.0.0","token":"none"})");
  EXPECT_FALSE(stranger.keeps_its_place());
  Browser browser(world);
  world.pass();
  EXPECT_FALSE(browser.keeps_its_place());
  browser.connect();
  EXPECT_TRUE(browser.keeps_its_place());
}

TEST(Bridge, PingsEvery20SecondsAndMeasuresLatency) {
  World world;
  Browser browser(world);
  browser.connect();
  for (int i = 0; i != 10; ++i) {
    EXPECT_EQ(browser.next(), "");
    world.pass(20'000);
    EXPECT_EQ(type_of(browser.next()), "ping") << i;
    browser.send(R"({"type":"pong","timestamp":"2025-09-30T10:31:00Z","latency_ms":0})");
  }
  EXPECT_FALSE(browser.served());
  ASSERT_EQ(world.hub->status().browsers.size(), 1U);
  EXPECT_TRUE(world.hub->status().browsers[0].latency_ms);
}

TEST(Bridge, ABrowserThatMissesTwoPingsIsDisconnectedAndCanReconnect) {
  World world;
  Browser deaf(world);
  deaf.connect();
  world.pass(59'000);
  EXPECT_FALSE(deaf.served());
  world.pass(2'000);
  EXPECT_TRUE(deaf.served());
  EXPECT_FALSE(world.hub->status().browsers.at(0).connected);
  Browser again(world);
  again.send(reconnect(deaf.reconnect_token));
  EXPECT_EQ(type_of(again.next()), "connect_ack");
  EXPECT_TRUE(world.hub->status().browsers.at(0).connected);
}

TEST(Bridge, ABrowserWhosePongsAreWrongLearnsWhy) {
  World world;
  Browser browser(world);
  browser.connect();
  browser.send(R"({"type":"event","event_type":"none"})");
  for (int i = 0; i != 2; ++i) {
    world.pass(20'000);
    EXPECT_EQ(type_of(browser.next()), "ping");
    browser.send(R"({"type":"pong"})");
  }
  world.pass(20'000);
  ASSERT_TRUE(browser.failure());
  EXPECT_EQ(browser.failure()->message,
            "The browser's pongs did not match the protocol: missing property \"timestamp\".");
}

TEST(Bridge, ABrowserThatStopsAnsweringAfterAValidPongIsReportedAsSilent) {
  World world;
  Browser browser(world);
  browser.connect();
  for (const std::string_view pong :
       {R"({"type":"pong"})", R"({"type":"pong","timestamp":"2025-09-30T10:31:00Z"})"})
    browser.send(std::string(pong));
  world.pass(61'000);
  ASSERT_TRUE(browser.failure());
  EXPECT_EQ(browser.failure()->message,
            "The browser did not answer pings. Reload its page to connect again.");
}

TEST(Bridge, ADisconnectedSessionExpiresAfterTwoMinutesAndFailsItsCalls) {
  World world;
  Browser browser(world);
  browser.connect();
  Asking asking(world, 600'000);
  asking.begin();
  browser.hang_up();
  world.pass(119'000);
  EXPECT_EQ(asking.said(), "waiting");
  world.pass(2'000);
  EXPECT_EQ(asking.said(), "CONNECTION_LOST");
  Browser late(world);
  late.send(reconnect(browser.reconnect_token));
  EXPECT_NE(late.next().find("TOKEN_EXPIRED"), std::string::npos);
}

TEST(Bridge, AnAnswerThatIsTooLargeFailsItsCallAtOnce) {
  World world;
  Browser browser(world);
  browser.connect();
  Asking asking(world, 600'000);
  asking.begin();
  browser.send(std::string(2 << 20, ' ') + success(id_of(browser.next())));
  world.pass(1000);  // The message arrives in several reads.
  EXPECT_EQ(asking.said(), "MEMORY_LIMIT");
  EXPECT_EQ(world.hub->status().commands.at(0).outcome, "MEMORY_LIMIT");
  ASSERT_TRUE(browser.failure());
  EXPECT_TRUE(browser.failure()->message.ends_with(" bytes; it may have 1048576."))
      << browser.failure()->message;
}

TEST(Bridge, TheOutcomeOfACommandWithAnInvalidAnswerIsAnError) {
  World world;
  Browser browser(world);
  browser.connect();
  Asking asking(world, 600'000);
  asking.request.read_payload = [](const json::Raw&) {
    return Result<Unit>(failure(BridgeFailureCode::invalid_response, "no payload"));
  };
  asking.begin();
  browser.send(success(id_of(browser.next())));
  EXPECT_EQ(asking.said(), "INVALID_RESPONSE");
  EXPECT_EQ(world.hub->status().commands.at(0).outcome, "INVALID_RESPONSE");
}

TEST(Bridge, AnAnswerWithAWrongEnvelopeFailsItsCallAtOnce) {
  World world;
  Browser browser(world);
  browser.connect();
  Asking asking(world, 600'000);
  asking.begin();
  browser.send(R"({"type":"response","status":"success","message_id":")" + id_of(browser.next()) + "\"}");
  ASSERT_EQ(asking.said(), "INVALID_RESPONSE");
  EXPECT_EQ(asking.outcome->error().message,
            "The browser's answer does not match its schema and is not shown: missing property \"payload\".");
  EXPECT_EQ(world.hub->status().commands.at(0).outcome, "INVALID_RESPONSE");
  EXPECT_EQ(world.hub->status().browsers.at(0).commands_in_flight, 0);
}

TEST(Bridge, TheHundredthWrongMessageEndsTheConnectionAndIsItsReason) {
  World world;
  Browser browser(world);
  browser.connect();
  for (int i = 0; i != 98; ++i) browser.send("not JSON");
  browser.send(success("msg_99"));
  EXPECT_FALSE(browser.served());
  browser.send(R"({"type":"ping"})");
  ASSERT_TRUE(browser.failure());
  EXPECT_EQ(browser.failure()->message,
            "100 messages did not match the protocol. The last: missing property \"timestamp\"");
}

TEST(Bridge, ResendsOnlyCommandsThatDidNotArrive) {
  World world;
  Browser browser(world);
  browser.connect();
  Asking first(world, 600'000);
  Asking second(world, 600'000);
  first.begin();
  second.begin();
  const std::string one = id_of(browser.next());
  const std::string two = id_of(browser.next());
  browser.hang_up();
  Asking third(world, 600'000);
  third.begin();
  Browser again(world);
  again.send(reconnect(browser.reconnect_token, "\"" + one + "\""));
  const std::string ack = again.next();
  EXPECT_NE(ack.find(R"("awaiting":[")" + one + "\"]"), std::string::npos) << ack;
  EXPECT_EQ(id_of(again.next()), two);
  const std::string three = id_of(again.next());
  EXPECT_NE(three, "");
  EXPECT_EQ(again.next(), "");
  for (const std::string& each : {three, one, two, one, three}) again.send(success(each));
  EXPECT_EQ(first.said() + second.said() + third.said(), "successsuccesssuccess");
  EXPECT_FALSE(again.served());
}

TEST(Bridge, ReportsATimeoutThatPassedWhileTheBrowserWasDisconnected) {
  World world;
  Browser browser(world);
  browser.connect();
  browser.hang_up();
  Asking asking(world, 3'000);
  asking.begin();
  world.pass(2'900);
  EXPECT_EQ(asking.said(), "waiting");
  world.pass(200);
  EXPECT_EQ(asking.said(), "EXECUTION_TIMEOUT");
  Browser again(world);
  again.send(reconnect(browser.reconnect_token));
  EXPECT_EQ(type_of(again.next()), "connect_ack");
  EXPECT_EQ(again.next(), "") << "no caller waits for it any more, so it is not run";
}

TEST(Bridge, LimitsCommandsTo60AMinuteAndBurstsOf10) {
  World world;
  Browser browser(world);
  browser.connect();
  const auto ask = [&] {
    Asking asking(world);
    asking.begin();
    if (!asking.is_over()) browser.send(success(id_of(browser.next())));
    return asking.said();
  };
  for (int i = 0; i != 10; ++i) EXPECT_EQ(ask(), "success") << i;
  EXPECT_EQ(ask(), "RATE_LIMIT");
  world.pass(900);
  EXPECT_EQ(ask(), "RATE_LIMIT");
  world.pass(200);
  EXPECT_EQ(ask(), "success");
  EXPECT_EQ(ask(), "RATE_LIMIT");
}

TEST(Bridge, ARepeatedCommandGetsANewId) {
  World world;
  Browser browser(world);
  browser.connect();
  Asking asking(world, 1'000, true);
  asking.begin();
  std::string last;
  for (int i = 0; i != 3; ++i) {
    const std::string id = id_of(browser.next());
    EXPECT_NE(id, last);
    last = id;
    world.pass(1'100);
    EXPECT_EQ(type_of(browser.next()), "cancel");
    world.pass(300);
  }
  EXPECT_EQ(asking.said(), "EXECUTION_TIMEOUT");
}

TEST(Bridge, ReportsACancelledCallToTheBrowser) {
  World world;
  Browser browser(world);
  browser.connect();
  Asking asking(world, 600'000);
  asking.begin();
  const std::string id = id_of(browser.next());
  asking.stop.request_stop();
  world.pass();
  EXPECT_EQ(asking.said(), "CANCELLED");
  EXPECT_EQ(type_of(browser.next()), "cancel");
  browser.send(success(id));
  EXPECT_FALSE(browser.served());
  EXPECT_EQ(world.hub->status().browsers.at(0).commands_in_flight, 0);
}

TEST(Bridge, ACallWaitsForPairingUntilItsTimeout) {
  World world;
  Asking hopeless(world, 60'000);
  hopeless.begin();
  EXPECT_EQ(hopeless.said(), "NO_BROWSER");
  const core::Pairing pairing = *world.hub->pair(all);
  Asking brief(world, 2'000);
  Asking patient(world, 60'000);
  brief.begin();
  patient.begin();
  world.pass(2'100);
  EXPECT_EQ(brief.said() + " " + patient.said(), "NO_BROWSER waiting");
  Browser browser(world);
  browser.send(R"({"type":"connect","version":"1.9.0","token":")" + pairing.code + "\"}");
  EXPECT_EQ(type_of(browser.next()), "connect_ack");
  browser.send(success(id_of(browser.next())));
  EXPECT_EQ(patient.said(), "success");
}

}  // namespace
}  // namespace snapgen::tools::bridge
