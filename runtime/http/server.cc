#include "runtime/http/server.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <utility>
#include <vector>

namespace snapgen::http {
namespace {

class Reception final : Acceptor::Listener {
 public:
  Reception(Loop& loop, Acceptor& acceptor, Handler& handler, const ServerLimits& limits,
            std::stop_token stop)
      : loop_(loop),
        acceptor_(acceptor),
        handler_(handler),
        limits_(limits),
        room_{.bytes_max = limits.bodies_bytes},
        stop_(std::move(stop)),
        connections_(loop),
        moved_(loop) {
    acceptor_.set_listener(this);
  }
  Reception(Reception&&) = delete;
  ~Reception() {
    loop_.port().cancel(look_again_);
    acceptor_.watch_for_peers(false);
    acceptor_.set_listener(nullptr);
  }

  Task<Unit> run() {
    while (!stop_.stop_requested()) {
      bool exhausted = false;
      while (connections_.size() < limits_.connections) {
        Result<std::unique_ptr<Stream>> peer = acceptor_.accept();
        exhausted = !peer;
        peer_waits_ = false;
        if (!peer || !*peer) break;
        Task<Unit> serving = serve_peer(*std::move(peer));
        connections_.spawn(std::move(serving));
      }
      if (exhausted) {
        // No file descriptors are left: retry until one is closed, here or in another process.
        constexpr Millis pause{100};
        Result<Unit> slept = co_await Sleep(loop_, stop_, pause);
        static_cast<void>(slept);
        continue;
      }
      if (peer_waits_) make_room();
      acceptor_.watch_for_peers(!peer_waits_);
      moved_.reset();
      Result<Unit> came = co_await moved_.wait(stop_);
      static_cast<void>(came);
    }
    acceptor_.watch_for_peers(false);
    co_await connections_.join();
    co_return Unit{};
  }

 private:
  using Turn = std::list<Connection*>::iterator;

  struct LookAgain final : Alarm {
    explicit LookAgain(Event& moved) : moved(moved) {}
    void ring() override { moved.set(); }
    Event& moved;
  };

  void on_waiting_peer() override {
    acceptor_.watch_for_peers(false);
    peer_waits_ = true;
    moved_.set();
  }

  // Kinds of connections that may be closed to make room, in the order in which they are closed.
  enum class Rest : std::uint8_t { never_asked, idle, event_stream, stalled, none };

  static Rest rest_of(const Connection& connection) {
    if (connection.is_idle() && connection.has_sent_request()) return Rest::idle;
    // A new connection without a request is closed only after a short time, because its peer has just
    // connected to send one.
    if (connection.is_idle()) return connection.is_stalled() ? Rest::never_asked : Rest::none;
    if (connection.is_resting()) return Rest::event_stream;
    return connection.is_stalled() ? Rest::stalled : Rest::none;
  }

  // Closes several connections together, because more peers may wait in the kernel's backlog. If all
  // connections are busy, none is closed, and the check is repeated after a short time.
  void make_room() {
    if (leaving_ > 0) return;
    constexpr std::size_t part = 64;  // One in `part` connections is closed.
    const std::size_t wanted = std::max<std::size_t>(1, limits_.connections / part);
    std::array<std::vector<Connection*>, static_cast<std::size_t>(Rest::none)> by_rest;
    for (Connection* each : by_turn_) {
      const Rest rest = rest_of(*each);
      if (rest == Rest::none) continue;
      std::vector<Connection*>& same = by_rest[static_cast<std::size_t>(rest)];
      if (same.size() < wanted) same.push_back(each);
      if (rest == Rest::never_asked && same.size() == wanted) break;
    }
    for (const std::vector<Connection*>& same : by_rest) {
      for (Connection* each : same) {
        if (leaving_ == wanted) return;
        each->evict();
        ++leaving_;
      }
    }
    constexpr Millis soon{100};
    if (leaving_ == 0 && !look_again_.is_set()) loop_.port().start(look_again_, soon);
  }

  Task<Unit> serve_peer(std::unique_ptr<Stream> stream) {
    {
      Connection connection(loop_, std::move(stream), limits_.connection, room_);
      const auto turn = by_turn_.insert(by_turn_.end(), &connection);
      Task<Unit> serving = serve_requests(connection, turn);
      Result<Unit> served = co_await std::move(serving);
      static_cast<void>(served);
      by_turn_.erase(turn);
      if (connection.is_evicted()) --leaving_;
    }
    moved_.set();
    co_return Unit{};
  }

  Task<Unit> serve_requests(Connection& connection, Turn turn) {
    do {
      by_turn_.splice(by_turn_.end(), by_turn_, turn);
      // This connection is about to become idle, so run() may close it for the waiting peer.
      if (peer_waits_) moved_.set();
      Task<bool> waiting = connection.next_head(stop_);
      Result<bool> more = co_await std::move(waiting);
      if (!more || !*more) break;
      connection.add_fields(handler_.fields_of_all(connection.head()));
      std::optional<Denial> denial = handler_.deny(connection.head());
      if (denial) {
        if (!connection.has_body()) connection.close_afterwards();
        connection.answer(denial->status, denial->fields, denial->body);
        connection.flush();
        continue;
      }
      Task<bool> reading = connection.read_body(stop_);
      Result<bool> whole = co_await std::move(reading);
      if (!whole || !*whole) break;
      Task<Unit> handling = handler_.handle(connection, stop_);
      Result<Unit> handled = co_await std::move(handling);
      static_cast<void>(handled);
      if (connection.is_handed_over()) co_return Unit{};
      connection.flush();
    } while (connection.keep_alive() && !connection.is_gone());
    Task<Unit> ending = connection.finish(stop_);
    Result<Unit> ended = co_await std::move(ending);
    co_return ended;
  }

  Loop& loop_;
  Acceptor& acceptor_;
  Handler& handler_;
  const ServerLimits& limits_;
  BodyMemory room_;
  std::stop_token stop_;
  Scope connections_;
  std::list<Connection*> by_turn_;  // By the time of the last request, or of connecting; oldest first.
  bool peer_waits_ = false;         // A peer waits to be accepted.
  std::size_t leaving_ = 0;         // Connections that are closing because of evict().
  Event moved_;
  LookAgain look_again_{moved_};
};

}  // namespace

Task<Unit> serve(Loop& loop, Acceptor& acceptor, Handler& handler, const ServerLimits& limits,
                 std::stop_token stop) {
  Reception reception(loop, acceptor, handler, limits, std::move(stop));
  Task<Unit> running = reception.run();
  Result<Unit> ended = co_await std::move(running);
  co_return ended;
}

}  // namespace snapgen::http
