#include <memory>

#include "runtime/async/loop.h"
#include "runtime/transport/line_channel.h"
#include "runtime/websocket/connection.h"
#include "tests/fixture/fixture.h"
#include "tests/sim/random.h"
#include "tests/transcripts/player.h"
#include "tests/transcripts/still_port.h"
#include "tests/transport/memory.h"
#include "tests/websocket/cases.h"
#include "tests/websocket/server_frames.h"

namespace snapgen::transcripts {

namespace {

MemoryPeer::Pace pace(unsigned seed, sim::Random& random) {
  MemoryPeer::Pace out;
  if (seed == 0) return out;
  out.arrival = [seed, &random] {
    return MemoryPeer::Step{.bytes = seed == 1 ? 1 : random.between(1, 200), .delay = Millis(0)};
  };
  out.reading = out.arrival;
  if (seed > 1) out.capacity = random.between(1, 500);
  return out;
}

// How a transport frames messages, for the peer's reading and writing.
class Lines {
 public:
  Lines(Loop& loop, MemoryPeer& peer) : channel(loop, peer) {}

  void send(MemoryPeer& peer, std::string_view bytes) { peer.send(bytes); }
  void end(MemoryPeer& peer) { peer.end_sending(); }
  // Removes and returns the first complete message; nullopt if there is none yet.
  std::optional<std::string> take(std::string_view& taken) {
    const std::size_t end = taken.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    std::string line(taken.substr(0, end));
    taken.remove_prefix(end + 1);
    return line;
  }
  Task<Unit> finish() { co_return Unit{}; }

  LineChannel channel;
};

class FrameSplitter {
 public:
  FrameSplitter(Loop& loop, MemoryPeer& peer) : channel(loop, peer, read_buffers_, options_, {}) {}

  // Sends a frame for each line; long lines are split into two frames.
  void send(MemoryPeer& peer, std::string_view bytes) {
    unsent_ += bytes;
    for (std::size_t end = 0; (end = unsent_.find('\n')) != std::string::npos; unsent_.erase(0, end + 1))
      send_message(peer, unsent_.substr(0, end));
  }
  void end(MemoryPeer& peer) {
    if (!unsent_.empty()) send_message(peer, unsent_);
    unsent_.clear();
    peer.send(websocket::bytes_of({.opcode = 8, .payload = "\x03\xe8"}));
    peer.end_sending();
  }
  std::optional<std::string> take(std::string_view& taken) {
    std::optional<websocket::ServerFrame> frame = websocket::take_frame(taken);
    if (!frame || frame->opcode != 1) return std::nullopt;
    return std::move(frame->payload);
  }
  Task<Unit> finish() { return channel.close(websocket::CloseCode::normal, ""); }

 private:
  void send_message(MemoryPeer& peer, const std::string& message) {
    const std::size_t head = message.size() > 100 ? message.size() / 3 : 0;
    if (head > 0) peer.send(websocket::bytes_of({.last = false, .payload = message.substr(0, head)}));
    peer.send(websocket::bytes_of({.opcode = head > 0 ? 0 : 1, .payload = message.substr(head)}));
  }

  websocket::ReadBufferPool read_buffers_;
  websocket::ConnectionOptions options_{.ping_interval = Millis(0)};
  std::string unsent_;

 public:
  websocket::Connection channel;
};

template <class Wire>
class MemoryConnection final : public Connection {
 public:
  MemoryConnection(const Transcript& transcript, unsigned seed)
      : random_(seed), loop_(port_), peer_(loop_, pace(seed, random_)), wire_(loop_, peer_), scope_(loop_) {
    const std::vector<std::string_view> options(transcript.options.begin(), transcript.options.end());
    fixture_ = std::make_unique<fixture::Fixture>(*fixture::options_from(options), fixture::is_bare(options));
    Task<Unit> serving = serve();
    scope_.spawn(std::move(serving));
  }
  ~MemoryConnection() override {
    peer_.end_sending();
    Result<Unit> joined = loop_.run(join());
    static_cast<void>(joined);
  }

  void send(std::string_view bytes) override { wire_.send(peer_, bytes); }
  void end() override { wire_.end(peer_); }
  std::optional<std::string> receive() override {
    Result<Unit> came = loop_.run(next_message());
    static_cast<void>(came);
    return take();
  }

 private:
  Task<Unit> serve() {
    Task<Unit> serving = mcp::serve(loop_, wire_.channel, fixture_->server());
    Result<Unit> served = co_await std::move(serving);
    static_cast<void>(served);
    Task<Unit> finishing = wire_.finish();
    Result<Unit> finished = co_await std::move(finishing);
    co_return finished;
  }
  std::optional<std::string> take() {
    std::string_view left = std::string_view(peer_.received()).substr(read_);
    std::optional<std::string> message = wire_.take(left);
    if (message) read_ = peer_.received().size() - left.size();
    return message;
  }
  bool has_message() {
    const std::size_t read = read_;
    const bool has = take().has_value();
    read_ = read;
    return has;
  }
  // If no message arrives for a day, none will arrive.
  Task<Unit> next_message() {
    std::stop_source over;
    std::stop_token over_token = over.get_token();
    TaskScope patience(loop_);
    Task<Unit> losing = lose_patience(over, patience.stop());
    patience.spawn(std::move(losing));
    while (!has_message() && !over.stop_requested()) {
      peer_.received_more().reset();
      Result<Unit> came = co_await peer_.received_more().wait(over_token);
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
  Wire wire_;
  TaskScope scope_;
  std::unique_ptr<fixture::Fixture> fixture_;
  std::size_t read_ = 0;
};

}  // namespace

Played play_in_memory(const Transcript& transcript, unsigned seed) {
  MemoryConnection<Lines> connection(transcript, seed);
  return play(transcript, connection);
}

Played play_in_frames(const Transcript& transcript, unsigned seed) {
  MemoryConnection<FrameSplitter> connection(transcript, seed);
  return play(transcript, connection);
}

}  // namespace snapgen::transcripts
