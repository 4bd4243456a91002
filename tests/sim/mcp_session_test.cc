// Sessions of the fixture under many seeds. Whatever a client sends or cancels, valid or not, and however it
// ends: every request must be answered once unless it was cancelled, and every message of the server must be
// JSON-RPC.
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/async/loop.h"
#include "runtime/json/document.h"
#include "tests/fixture/fixture.h"
#include "tests/sim/seeds.h"
#include "tests/sim/world.h"

namespace snapgen::sim::mcp_session {
namespace {

constexpr std::string_view meta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{})";

struct Client {
  enum class End : std::uint8_t { end, end_within_a_line, hang_up, stop };
  std::set<std::string> asked;
  std::set<std::string> cancelled;
  std::set<std::string> subscribed;
  std::set<std::string> repeated;  // Ids that were used again while the first request may have been in
                                   // progress.
  bool may_batch = false;
  bool patient = false;  // The client waited for every response before it ended.
  End end = End::end;
};

// Counts of situations over all runs. A simulation in which they never occur proves nothing.
struct Met {
  std::size_t answers = 0;
  std::size_t cancelled = 0;
  std::size_t late = 0;
  std::size_t progress = 0;
  std::size_t duplicates = 0;
  std::size_t batches = 0;
  std::size_t changes = 0;
  std::size_t closed_subscriptions = 0;
  std::size_t jobs_cancelled = 0;
};
Met met;

std::string modern_call(const std::string& id, Random& random) {
  const std::string_view tools[] = {
      R"("echo","arguments":{"text":"é😀\n"})",
      R"("slow","arguments":{"duration_ms":30,"steps":5})",
      R"("late","arguments":{})",
      R"("late","arguments":{"duration_ms":20})",
      R"("offload","arguments":{"text":"x"})",
      R"("report")",
      R"("fail","arguments":{"how":"internal"})",
      R"("fail","arguments":{"how":"cancelled","later":true})",
      R"("announce","arguments":{"what":"tools"})",
      R"("stubborn","arguments":{"duration_ms":150})",
      R"("math_add","arguments":{"a":1})",
      R"("nothing")",
  };
  std::string out = R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"tools/call","params":{"name":)";
  out += tools[random.below(std::size(tools))];
  if (random.one_in(3)) return out + "}}";  // A request of the other era.
  out.append(",").append(meta);
  if (random.one_in(2)) out += ",\"progressToken\":" + id;
  return out + "}}}";
}

std::string request(const std::string& id, Random& random, Client& client) {
  const std::string head = R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":)";
  switch (random.below(10)) {
    case 0: return head + R"("ping"})";
    case 1: return head + R"("tools/list","params":{"cursor":"x"}})";
    case 2: return head + R"("resources/read","params":{"uri":"test://static-text"}})";
    case 3: return head + R"("nothing","params":{}})";
    case 4:
      client.subscribed.insert(id);
      return head + R"("subscriptions/listen","params":{"notifications":{"toolsListChanged":true},)" +
             std::string(meta) + "}}}";
    default: return modern_call(id, random);
  }
}

void act(World& world, Client& client, std::size_t number) {
  Random& random = world.random;
  std::string id = std::to_string(number);
  if (random.one_in(20) && number > 0) {
    id = std::to_string(random.below(number));
    client.repeated.insert(id);
  }
  client.asked.insert(id);
  const std::string first = request(id, random, client);
  if (client.may_batch && random.one_in(10)) {
    const std::string second_id = "\"b" + std::to_string(number) + "\"";
    client.asked.insert(second_id);
    world.peer.send("[" + first + "," + request(second_id, random, client) + "]\n");
  } else {
    world.peer.send(first + (random.one_in(3) ? "\r\n" : "\n"));
  }
  if (random.one_in(3)) {
    const std::string victim = std::to_string(random.below(number + 2));
    world.peer.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + victim +
                    "}}\n");
    client.cancelled.insert(victim);
  }
  if (random.one_in(10)) world.peer.send("\n\r\n{nonsense\n[]\n{\"id\":null}\n\xff\n");
  if (random.one_in(10)) world.peer.pause_reading();
  if (random.one_in(5)) world.peer.resume_reading();
}

std::string text_of(const json::Node& node) {
  std::string out;
  json::Writer writer(out);
  json::write(writer, node);
  return out;
}

// Returns every message of the server, with batches split. Ignores text after the last newline: a stop or a
// hang-up may cut a line.
std::vector<json::Node> said(const World& world) {
  std::vector<json::Node> out;
  const std::string& text = world.peer.received();
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    const std::string line = text.substr(begin, end - begin);
    json::Document document = json::parse_document(line);
    EXPECT_TRUE(document.ok()) << line;
    if (document.root.is(json::Kind::array)) {
      ++met.batches;
      for (json::Node& each : document.root.items) out.push_back(std::move(each));
    } else {
      out.push_back(std::move(document.root));
    }
  }
  return out;
}

bool is_refused_duplicate(const json::Node& message) {
  const json::Node* error = message.find("error");
  return error &&
         error->find("message")->text.ends_with(" is still in progress. Use an id that is not in use.");
}

bool has_every_answer(const World& world, const Client& client) {
  std::set<std::string> answered;
  for (const json::Node& message : said(world)) {
    const json::Node* id = message.find("id");
    if (id) answered.insert(text_of(*id));
  }
  for (const std::string& id : client.asked)
    if (!client.cancelled.contains(id) && !client.subscribed.contains(id) && !answered.contains(id))
      return false;
  return true;
}

Task<Unit> play(World& world, Client& client, std::stop_source stop) {
  client.may_batch = world.random.one_in(2);
  if (client.may_batch)
    world.peer.send(
        R"({"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{}}})"
        "\n");
  const std::size_t actions = world.random.below(20);
  for (std::size_t number = 0; number < actions; ++number) {
    act(world, client, number);
    if (world.random.one_in(2)) {
      const Millis pause(world.random.below(100));
      Result<Unit> slept = co_await Sleep(world.loop, std::stop_token(), pause);
      static_cast<void>(slept);
    }
  }
  client.patient = world.random.one_in(2);
  world.peer.resume_reading();
  while (client.patient && !has_every_answer(world, client)) {
    world.peer.received_more().reset();
    Result<Unit> took = co_await world.peer.received_more().wait(std::stop_token());
    static_cast<void>(took);
  }
  client.end = static_cast<Client::End>(world.random.below(4));
  switch (client.end) {
    case Client::End::end: world.peer.end_sending(); break;
    case Client::End::end_within_a_line:
      world.peer.send(R"({"jsonrpc":"2.0","id":)");
      world.peer.end_sending();
      break;
    case Client::End::hang_up:
      world.peer.stop_reading();
      world.peer.end_sending();
      break;
    case Client::End::stop: stop.request_stop(); break;
  }
  co_return Unit{};
}

Task<Unit> scenario(World& world, Client& client, mcp::Server& server) {
  std::stop_source stop;
  TaskScope clients(world.loop);
  Task<Unit> playing = play(world, client, stop);
  clients.spawn(std::move(playing));
  Task<Unit> serving = mcp::serve(world.loop, world.channel, server, stop.get_token());
  Result<Unit> ended = co_await std::move(serving);
  co_await clients.join();
  co_return ended;
}

void check(const World& world, const Client& client) {
  std::map<std::string, int> answers;
  std::map<std::string, double> progress;
  for (const json::Node& message : said(world)) {
    const json::Node* version = message.find("jsonrpc");
    EXPECT_TRUE(version && version->text == "2.0");
    const json::Node* id = message.find("id");
    if (id) {
      EXPECT_TRUE((message.find("result") != nullptr) != (message.find("error") != nullptr));
      EXPECT_EQ(message.find("method"), nullptr) << "a request to the client";
      if (is_refused_duplicate(message)) {
        ++met.duplicates;
        EXPECT_TRUE(client.repeated.contains(text_of(*id))) << text_of(message);
        continue;
      }
      if (!id->is(json::Kind::null)) ++answers[text_of(*id)];
      met.late += text_of(message).find("took longer than") != std::string::npos;
      met.closed_subscriptions += text_of(message).find("subscriptionId") != std::string::npos;
      continue;
    }
    const json::Node* method = message.find("method");
    ASSERT_TRUE(method) << text_of(message);
    met.changes += method->text == "notifications/tools/list_changed";
    if (method->text != "notifications/progress") continue;
    ++met.progress;
    const std::string token = text_of(*message.find("params")->find("progressToken"));
    const double now = *message.find("params")->find("progress")->number();
    if (client.repeated.contains(token)) continue;
    EXPECT_EQ(answers[token], 0) << "progress after the response: " << text_of(message);
    EXPECT_TRUE(!progress.contains(token) || progress[token] < now) << text_of(message);
    progress[token] = now;
  }
  for (const auto& [id, count] : answers) {
    EXPECT_TRUE(client.asked.contains(id) || id == "\"i\"") << id;
    EXPECT_TRUE(count <= 1 || client.repeated.contains(id)) << id << " has " << count << " answers";
    ++met.answers;
  }
  for (const std::string& id : client.cancelled)
    met.cancelled += client.asked.contains(id) && answers[id] == 0;
}

void simulate(std::uint64_t seed) {
  World world(seed, 10'000);
  mcp::Options options;
  options.announced.tools = true;
  options.limits.requests_in_flight_max = world.random.between(1, 8);
  options.limits.unsent_bytes_max = world.random.between(1, 2000);
  fixture::Fixture fixture(options, false);
  Client client;
  Result<Unit> ended = world.loop.run(scenario(world, client, fixture.server()));
  EXPECT_TRUE(ended);
  check(world, client);
  EXPECT_TRUE(!client.patient || has_every_answer(world, client));
  met.jobs_cancelled += world.port.jobs_cancelled();
}

TEST(SessionSimulation, EveryRequestIsAnsweredOnceOrWasCancelled) {
  met = Met();
  if (for_each_seed(simulate) < 1000) return;
  EXPECT_GT(met.answers, 0U);
  EXPECT_GT(met.cancelled, 0U);
  EXPECT_GT(met.late, 0U);
  EXPECT_GT(met.progress, 0U);
  EXPECT_GT(met.duplicates, 0U);
  EXPECT_GT(met.batches, 0U);
  EXPECT_GT(met.changes, 0U);
  EXPECT_GT(met.closed_subscriptions, 0U);
  EXPECT_GT(met.jobs_cancelled, 0U);
}

}  // namespace
}  // namespace snapgen::sim::mcp_session
