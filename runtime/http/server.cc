#include "runtime/http/server.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <list>
#include <memory>
#include <utility>
#include <vector>

namespace snapgen::http {
namespace {

class ConnectionServer final : Acceptor::Listener {
 public:
  ConnectionServer(Loop& loop, Acceptor& acceptor, Handler& handler, const ServerLimits& limits,
                   std::stop_token stop)
      : loop_(loop),
        acceptor_(acceptor),
        handler_(handler),
        limits_(limits),
        body_memory_{.bytes_max = limits.body_memory_bytes_max},
        stop_(std::move(stop)),
        connections_(loop),
        changed_(loop) {
    acceptor_.set_listener(this);
  }
  ConnectionServer(ConnectionServer&&) = delete;
  ~ConnectionServer() {
    loop_.port().cancel(retry_alarm_);
    acceptor_.watch_for_peers(false);
    acceptor_.set_listener(nullptr);
  }

  Task<Unit> run() {
    while (!stop_.stop_requested()) {
      bool exhausted = false;
      while (connections_.size() < limits_.connections_max) {
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
      changed_.reset();
      Result<Unit> done = co_await changed_.wait(stop_);
      static_cast<void>(done);
    }
    acceptor_.watch_for_peers(false);
    co_await connections_.join();
    co_return Unit{};
  }

 private:
  using Turn = std::list<Connection*>::iterator;

  struct RetryAlarm final : Alarm {
    explicit RetryAlarm(Event& moved) : moved(moved) {}
    void ring() override { moved.set(); }
    Event& moved;
  };

  void on_waiting_peer() override {
    acceptor_.watch_for_peers(false);
    peer_waits_ = true;
    changed_.set();
  }

  // Kinds of connections that may be closed to make room, in the order in which they are closed.
  enum class EvictionRank : std::uint8_t { never_asked, idle, event_stream, stalled, none };

  static EvictionRank eviction_rank_of(const Connection& connection) {
    if (connection.is_idle() && connection.has_sent_request()) return EvictionRank::idle;
    // A new connection without a request is closed only after a short time, because its peer has just
    // connected to send one.
    if (connection.is_idle()) return connection.is_stalled() ? EvictionRank::never_asked : EvictionRank::none;
    if (connection.is_idle_stream()) return EvictionRank::event_stream;
    return connection.is_stalled() ? EvictionRank::stalled : EvictionRank::none;
  }

  // Closes several connections together, because more peers may wait in the kernel's backlog. If all
  // connections are busy, none is closed, and the check is repeated after a short time.
  void make_room() {
    if (evicted_count_ > 0) return;
    constexpr std::size_t part = 64;  // One in `part` connections is closed.
    const std::size_t wanted = std::max<std::size_t>(1, limits_.connections_max / part);
    std::array<std::vector<Connection*>, static_cast<std::size_t>(EvictionRank::none)> by_rank;
    for (Connection* each : by_last_request_) {
      const EvictionRank rank = eviction_rank_of(*each);
      if (rank == EvictionRank::none) continue;
      std::vector<Connection*>& same = by_rank[static_cast<std::size_t>(rank)];
      if (same.size() < wanted) same.push_back(each);
      if (rank == EvictionRank::never_asked && same.size() == wanted) break;
    }
    for (const std::vector<Connection*>& same : by_rank) {
      for (Connection* each : same) {
        if (evicted_count_ == wanted) return;
        each->evict();
        ++evicted_count_;
      }
    }
    constexpr Millis soon{100};
    if (evicted_count_ == 0 && !retry_alarm_.is_set()) loop_.port().start(retry_alarm_, soon);
  }

  Task<Unit> serve_peer(std::unique_ptr<Stream> stream) {
    {
      Connection connection(loop_, std::move(stream), limits_.connection, body_memory_);
      const auto turn = by_last_request_.insert(by_last_request_.end(), &connection);
      Task<Unit> serving = serve_requests(connection, turn);
      Result<Unit> served = co_await std::move(serving);
      static_cast<void>(served);
      by_last_request_.erase(turn);
      if (connection.is_evicted()) --evicted_count_;
    }
    changed_.set();
    co_return Unit{};
  }

  Task<Unit> serve_requests(Connection& connection, Turn turn) {
    do {
      by_last_request_.splice(by_last_request_.end(), by_last_request_, turn);
      // This connection is about to become idle, so run() may close it for the waiting peer.
      if (peer_waits_) changed_.set();
      Task<bool> waiting = connection.next_head(stop_);
      Result<bool> more = co_await std::move(waiting);
      if (!more || !*more) break;
      connection.set_response_fields(handler_.response_fields(connection.head()));
      std::optional<Denial> denial = handler_.deny(connection.head());
      if (denial) {
        if (!connection.is_request_complete()) connection.close_after_response();
        connection.write_response(denial->status, denial->fields, denial->body);
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
    } while (connection.is_persistent() && !connection.is_peer_gone());
    Task<Unit> ending = connection.close_gracefully(stop_);
    Result<Unit> ended = co_await std::move(ending);
    co_return ended;
  }

  Loop& loop_;
  Acceptor& acceptor_;
  Handler& handler_;
  const ServerLimits& limits_;
  BodyMemoryBudget body_memory_;
  std::stop_token stop_;
  TaskScope connections_;
  std::list<Connection*>
      by_last_request_;            // By the time of the last request, or of connecting; oldest first.
  bool peer_waits_ = false;        // A peer waits to be accepted.
  std::size_t evicted_count_ = 0;  // Connections that are closing because of evict().
  Event changed_;
  RetryAlarm retry_alarm_{changed_};
};

}  // namespace

Task<Unit> serve(Loop& loop, Acceptor& acceptor, Handler& handler, const ServerLimits& limits,
                 std::stop_token stop) {
  ConnectionServer reception(loop, acceptor, handler, limits, std::move(stop));
  Task<Unit> running = reception.run();
  Result<Unit> ended = co_await std::move(running);
  co_return ended;
}

}  // namespace snapgen::http
