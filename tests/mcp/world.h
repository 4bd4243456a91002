#pragma once
// World and Client: the fixture's server in memory, with a clock that only tests advance.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/transport/line_channel.h"
#include "tests/fixture/fixture.h"
#include "tests/transcripts/still_loop.h"
#include "tests/transport/busy_channel.h"
#include "tests/transport/memory.h"

namespace snapgen::mcp {

// A process with one server in it.
class World : public transcripts::StillLoop {
 public:
  explicit World(Options options = announcing()) : fixture(std::move(options), false) {}
  virtual ~World() = default;

  // The server that clients connect to.
  virtual Server& server() { return fixture.server(); }

  static Options announcing() {
    Options options;
    options.announced.tools = true;
    return options;
  }

  fixture::Fixture fixture;
};

// A client and its connection.
class Client {
 public:
  explicit Client(World& world, std::size_t message_bytes_max = 1 << 20, std::size_t capacity = 1 << 20)
      : world_(world),
        peer(world.loop, {.capacity = capacity}),
        channel(world.loop, peer, message_bytes_max),
        scope_(world.loop) {
    Task<Unit> serving = serve_until_done();
    scope_.spawn(std::move(serving));
  }
  ~Client() {
    stop.request_stop();
    Result<Unit> joined = world_.loop.run(join());
    static_cast<void>(joined);
  }

  bool served() const { return served_; }
  std::vector<std::string> lines() const {
    std::vector<std::string> out;
    std::size_t begin = 0;
    for (std::size_t end; (end = peer.received().find('\n', begin)) != std::string::npos; begin = end + 1)
      out.push_back(peer.received().substr(begin, end - begin));
    return out;
  }
  bool heard(std::string_view text) const { return peer.received().find(text) != std::string::npos; }

 private:
  Task<Unit> serve_until_done() {
    Task<Unit> serving = serve(world_.loop, busy_channel, world_.server(), stop.get_token());
    Result<Unit> outcome = co_await std::move(serving);
    served_ = true;
    co_return outcome;
  }
  Task<Unit> join() {
    co_await scope_.join();
    co_return Unit{};
  }

  World& world_;

 public:
  std::stop_source stop;
  MemoryPeer peer;
  LineChannel channel;
  BusyChannel busy_channel{channel};

 private:
  TaskScope scope_;
  bool served_ = false;
};

}  // namespace snapgen::mcp
