#include "tests/sim/line_session.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <sstream>
#include <stop_token>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/async/loop.h"
#include "runtime/base/result.h"
#include "tests/sim/seeds.h"
#include "tests/sim/world.h"

namespace snapgen::sim::line_session {
namespace {

// The actions of the simulated client, for comparison with what it received.
struct Client {
  enum class End : std::uint8_t { end, end_within_a_line, hang_up, stop };
  std::set<std::string> called;
  std::set<std::string> cancelled;
  bool patient = false;  // The client waited for every answer before it ended.
  End end = End::end;
};

// Counts of situations over all runs. A simulation in which they never occur proves nothing.
struct Met {
  std::size_t in_place = 0;
  std::size_t late = 0;
  std::size_t jobs_run = 0;
  std::size_t jobs_cancelled = 0;
  std::size_t pauses_for_the_peer = 0;
  std::size_t ends[4] = {};
};
Met met;

// Ignores text after the last newline: a stop or a hang-up may cut a line.
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text.substr(0, text.rfind('\n') + 1));
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

bool has_every_answer(World& world, const Client& client) {
  std::set<std::string> done;
  for (const std::string& line : lines_of(world.peer.received())) {
    if (line.starts_with("done ") || line.starts_with("late ")) done.insert(line.substr(5));
  }
  for (const std::string& id : client.called) {
    if (!client.cancelled.contains(id) && !done.contains(id)) return false;
  }
  return true;
}

void act(World& world, Client& client, std::size_t number) {
  const char* const kinds[] = {"echo", "work", "steps", "stuck"};
  std::string id = std::to_string(number);
  std::string kind = kinds[world.random.below(4)];
  world.peer.send("call " + id + " " + kind + (world.random.one_in(3) ? "\r\n" : "\n"));
  client.called.insert(id);
  if (world.random.one_in(3)) {
    std::string victim = std::to_string(world.random.below(number + 2));
    world.peer.send("cancel " + victim + "\n");
    client.cancelled.insert(victim);
  }
  if (world.random.one_in(10)) world.peer.send("\n\r\nnonsense\n");
  if (world.random.one_in(10)) world.peer.pause_reading();
  if (world.random.one_in(5)) world.peer.resume_reading();
}

Task<Unit> play(World& world, Client& client, std::stop_source stop) {
  std::size_t actions = world.random.below(20);
  for (std::size_t number = 0; number < actions; ++number) {
    act(world, client, number);
    if (world.random.one_in(2)) {
      Millis pause(world.random.below(100));
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
      world.peer.send("call last ech");
      world.peer.end_sending();
      break;
    case Client::End::hang_up:
      world.peer.stop_reading();
      if (world.random.one_in(2)) world.peer.send("call last echo\n");
      world.peer.end_sending();
      break;
    case Client::End::stop: stop.request_stop(); break;
  }
  co_return Unit{};
}

Task<Unit> scenario(World& world, Client& client) {
  std::stop_source stop;
  TaskScope clients(world.loop);
  LineSession session(world.loop, world.channel, stop.get_token());
  clients.spawn(play(world, client, stop));
  Result<Unit> ended = co_await session.run();
  met.in_place += session.finished_in_place;
  met.pauses_for_the_peer += session.pauses_for_the_peer;
  co_await clients.join();
  co_return ended;
}

void expect_each_call_is_answered_once_at_most_and_in_order(const World& world, const Client& client) {
  std::map<std::string, int> progress;
  std::set<std::string> done;
  for (const std::string& line : lines_of(world.peer.received())) {
    std::istringstream words(line);
    std::string word;
    std::string id;
    int step = 0;
    words >> word >> id >> step;
    if (word == "unknown" && id.empty()) continue;
    EXPECT_TRUE(client.called.contains(id) || id == "last") << line;
    EXPECT_FALSE(done.contains(id)) << "progress after the answer: " << line;
    if (word == "progress") {
      EXPECT_EQ(step, ++progress[id]) << line;
    } else {
      EXPECT_TRUE(word == "done" || word == "late") << line;
      done.insert(id);
      met.late += word == "late";
    }
  }
}

void simulate(std::uint64_t seed) {
  World world(seed);
  Client client;
  Result<Unit> ended = world.loop.run(scenario(world, client));
  EXPECT_TRUE(ended);
  expect_each_call_is_answered_once_at_most_and_in_order(world, client);
  EXPECT_TRUE(!client.patient || has_every_answer(world, client));
  met.jobs_run += world.port.jobs_run();
  met.jobs_cancelled += world.port.jobs_cancelled();
  ++met.ends[static_cast<std::size_t>(client.end)];
}

TEST(LineSessionSimulation, EveryCallIsAnsweredOrCancelledAndEndsWithTheSession) {
  met = Met();
  if (for_each_seed(simulate) < 1000) return;
  EXPECT_GT(met.in_place, 0u);
  EXPECT_GT(met.late, 0u);
  EXPECT_GT(met.jobs_run, 0u);
  EXPECT_GT(met.jobs_cancelled, 0u);
  EXPECT_GT(met.pauses_for_the_peer, 0u);
  for (std::size_t runs : met.ends) EXPECT_GT(runs, 0u);
}

TEST(LineSessionSimulation, ASeedGivesTheSameRunEveryTime) {
  auto run = [](std::uint64_t seed) {
    World world(seed);
    Client client;
    Result<Unit> ended = world.loop.run(scenario(world, client));
    EXPECT_TRUE(ended);
    return world.peer.received() + " at " + std::to_string(world.port.now().count());
  };
  for (std::uint64_t seed = 0; seed < 50; ++seed) EXPECT_EQ(run(seed), run(seed)) << seed;
}

}  // namespace
}  // namespace snapgen::sim::line_session
