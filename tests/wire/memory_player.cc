#include <memory>

#include "runtime/async/loop.h"
#include "runtime/transport/line_channel.h"
#include "runtime/transport/memory.h"
#include "tests/fixture/fixture.h"
#include "tests/sim/random.h"
#include "tests/wire/player.h"
#include "tests/wire/still_port.h"

namespace snapgen::wire {

namespace {

MemoryPeer::Pace pace(unsigned seed, sim::Random& random) {
  MemoryPeer::Pace out;
  if (seed == 0) return out;
  out.arriving = [seed, &random] {
    return MemoryPeer::Step{.bytes = seed == 1 ? 1 : random.between(1, 200), .after = Millis(0)};
  };
  out.taking = out.arriving;
  if (seed > 1) out.capacity = random.between(1, 500);
  return out;
}

class MemoryConnection final : public Connection {
 public:
  MemoryConnection(const Transcript& transcript, unsigned seed)
      : random_(seed),
        loop_(port_),
        peer_(loop_, pace(seed, random_)),
        channel_(loop_, peer_),
        scope_(loop_) {
    const std::vector<std::string_view> options(transcript.options.begin(), transcript.options.end());
    fixture_ = std::make_unique<fixture::Fixture>(*fixture::options_from(options), fixture::is_bare(options));
    Task<Unit> serving = mcp::serve(loop_, channel_, fixture_->server());
    scope_.spawn(std::move(serving));
  }
  ~MemoryConnection() override {
    peer_.ends();
    Result<Unit> joined = loop_.run(join());
    static_cast<void>(joined);
  }

  void send(std::string_view bytes) override { peer_.sends(bytes); }
  void end() override { peer_.ends(); }
  std::optional<std::string> receive() override {
    Result<Unit> came = loop_.run(next_line());
    static_cast<void>(came);
    const std::size_t end = peer_.taken().find('\n', read_);
    if (end == std::string::npos) return std::nullopt;
    std::string line = peer_.taken().substr(read_, end - read_);
    read_ = end + 1;
    return line;
  }

 private:
  bool has_line() const { return peer_.taken().find('\n', read_) != std::string::npos; }
  // A day without a line: nothing will come.
  Task<Unit> next_line() {
    std::stop_source over;
    std::stop_token over_token = over.get_token();
    Scope patience(loop_);
    Task<Unit> losing = lose_patience(over, patience.stop());
    patience.spawn(std::move(losing));
    while (!has_line() && !over.stop_requested()) {
      peer_.took().reset();
      Result<Unit> came = co_await peer_.took().wait(over_token);
      static_cast<void>(came);
    }
    patience.cancel();
    co_await patience.join();
    co_return Unit{};
  }
  Task<Unit> lose_patience(std::stop_source& over, std::stop_token stop) {
    Result<Unit> passed = co_await Sleep(loop_, stop, std::chrono::hours(24));
    if (passed) over.request_stop();
    co_return Unit{};
  }
  Task<Unit> join() {
    co_await scope_.join();
    co_return Unit{};
  }

  sim::Random random_;
  StillPort port_;
  Loop loop_;
  MemoryPeer peer_;
  LineChannel channel_;
  Scope scope_;
  std::unique_ptr<fixture::Fixture> fixture_;
  std::size_t read_ = 0;
};

}  // namespace

Played play_in_memory(const Transcript& transcript, unsigned seed) {
  MemoryConnection connection(transcript, seed);
  return play(transcript, connection);
}

}  // namespace snapgen::wire
