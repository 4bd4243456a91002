#pragma once
// SimAcceptor: an Acceptor whose peers are MemoryPeers of a test, at a pace that the test chooses.
//
//   SimAcceptor acceptor(loop);
//   std::shared_ptr<MemoryPeer> client = acceptor.connect(seeded_pace(random));
//   client->send("GET / HTTP/1.1\r\n...");
#include <deque>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "runtime/async/acceptor.h"
#include "runtime/async/port.h"
#include "runtime/async/ready_queue.h"
#include "runtime/async/stream.h"
#include "tests/transport/memory.h"

namespace snapgen::sim {

class SimAcceptor final : public Acceptor {
 public:
  explicit SimAcceptor(ReadyQueue& loop) : loop_(loop) {}
  SimAcceptor(SimAcceptor&&) = delete;
  ~SimAcceptor() override { loop_.port().cancel(bell_); }

  // Connects a peer, which lives as long as either end. Closing the server's end disconnects it.
  std::shared_ptr<MemoryPeer> connect(MemoryPeer::Pace pace) {
    auto peer = std::make_shared<MemoryPeer>(loop_, std::move(pace));
    waiting_.push_back(peer);
    plan();
    return peer;
  }

  void set_listener(Listener* listener) override { listener_ = listener; }
  void watch_for_peers(bool on) override {
    watching_ = on;
    plan();
  }
  Result<std::unique_ptr<Stream>> accept() override {
    if (waiting_.empty()) return std::unique_ptr<Stream>();
    auto stream = std::make_unique<End>(std::move(waiting_.front()));
    waiting_.pop_front();
    return std::unique_ptr<Stream>(std::move(stream));
  }
  const Address& address() const override { return address_; }

 private:
  struct End final : Stream {
    explicit End(std::shared_ptr<MemoryPeer> peer) : peer(std::move(peer)) {}
    ~End() override { peer->end(); }
    void set_listener(Listener* listener) override { peer->set_listener(listener); }
    void watch_readable(bool on) override { peer->watch_readable(on); }
    void watch_writable(bool on) override { peer->watch_writable(on); }
    Transferred read(std::span<char> into) override { return peer->read(into); }
    Transferred write(std::string_view bytes) override { return peer->write(bytes); }
    void end() override { peer->end(); }
    std::shared_ptr<MemoryPeer> peer;
  };
  struct Bell final : Alarm {
    explicit Bell(SimAcceptor& acceptor) : acceptor(acceptor) {}
    void ring() override {
      if (acceptor.watching_ && acceptor.listener_) acceptor.listener_->on_waiting_peer();
      acceptor.plan();
    }
    SimAcceptor& acceptor;
  };
  void plan() {
    if (watching_ && !waiting_.empty() && !bell_.is_set()) loop_.port().start(bell_, Millis(0));
  }

  ReadyQueue& loop_;
  Address address_{.host = "127.0.0.1", .port = 8080};
  std::deque<std::shared_ptr<MemoryPeer>> waiting_;
  Listener* listener_ = nullptr;
  bool watching_ = false;
  Bell bell_{*this};
};

}  // namespace snapgen::sim
