// UvPort's sockets. They are bound and accepted directly; libuv only polls them. Accepted sockets become
// UvStreams.
#include <cassert>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <uv.h>

#include "runtime/async/acceptor.h"
#include "runtime/async/port.h"
#include "runtime/async/stream.h"
#include "runtime/base/fd.h"
#include "runtime/base/result.h"
#include "runtime/uv/state.h"
#include "runtime/uv/uv_port.h"
#include "runtime/uv/uv_stream.h"

namespace snapgen {
namespace {

// The size of the kernel's backlog. It is large, because a peer that finds it full only retries after 1 s,
// and then after 2 s more.
constexpr int peers_waiting_max = 4096;

struct SocketAddress {
  sockaddr_storage storage = {};
  socklen_t size = 0;

  sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
  sockaddr_in& v4() { return reinterpret_cast<sockaddr_in&>(storage); }
  sockaddr_in6& v6() { return reinterpret_cast<sockaddr_in6&>(storage); }
  std::uint16_t port() { return ntohs(storage.ss_family == AF_INET ? v4().sin_port : v6().sin6_port); }
};

Result<SocketAddress> socket_address(const Address& address) {
  SocketAddress out;
  if (inet_pton(AF_INET, address.host.c_str(), &out.v4().sin_addr) == 1) {
    out.v4().sin_family = AF_INET;
    out.v4().sin_port = htons(address.port);
    out.size = sizeof(sockaddr_in);
    return out;
  }
  if (inet_pton(AF_INET6, address.host.c_str(), &out.v6().sin6_addr) == 1) {
    out.v6().sin6_family = AF_INET6;
    out.v6().sin6_port = htons(address.port);
    out.size = sizeof(sockaddr_in6);
    return out;
  }
  return Error(ErrorCode::invalid_argument,
               address.host + " is not an IPv4 or IPv6 address. Use one such as 127.0.0.1 or ::1.");
}

class UvAcceptor final : public Acceptor {
 public:
  static Result<std::unique_ptr<Acceptor>> create(UvPort& port, UvPort::State& state,
                                                  const Address& address) {
    SocketAddress bound = TRY(socket_address(address));
    std::unique_ptr<UvAcceptor> made(new UvAcceptor(port, state));
    made->socket_ = Fd(::socket(bound.storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    const int fd = made->socket_.get();
    const int on = 1;
    // Allows to bind while connections of an earlier server are closing, but not while another server
    // listens.
    if (fd < 0 || ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        (bound.storage.ss_family == AF_INET6 &&
         ::setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on) != 0) ||
        ::bind(fd, bound.get(), bound.size) != 0 || ::listen(fd, peers_waiting_max) != 0 ||
        ::getsockname(fd, bound.get(), &bound.size) != 0) {
      const std::string why = std::strerror(errno);
      return Error(ErrorCode::unavailable, "The server cannot listen on " + address.host + ", port " +
                                               std::to_string(address.port) + ": " + why + ".");
    }
    made->address_ = {.host = address.host, .port = bound.port()};
    TRY(made->open());
    return std::unique_ptr<Acceptor>(std::move(made));
  }
  UvAcceptor(UvAcceptor&&) = delete;
  ~UvAcceptor() override {
    if (!poll_) return;
    poll_->data = nullptr;
    const auto closed = [](uv_handle_t* handle) { delete reinterpret_cast<uv_poll_t*>(handle); };
    uv_close(reinterpret_cast<uv_handle_t*>(poll_), closed);
  }

  void set_listener(Listener* listener) override { listener_ = listener; }
  void watch_for_peers(bool on) override {
    if (std::exchange(watching_, on) == on) return;
    const auto on_event = [](uv_poll_t* handle, int, int) {
      auto* self = static_cast<UvAcceptor*>(handle->data);
      if (self && self->listener_) self->listener_->on_waiting_peer();
    };
    const int code = on ? uv_poll_start(poll_, UV_READABLE, on_event) : uv_poll_stop(poll_);
    assert(code == 0);
    static_cast<void>(code);
  }
  Result<std::unique_ptr<Stream>> accept() override {
    for (;;) {
      Fd peer(::accept4(socket_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
      if (peer.get() >= 0) {
        const int on = 1;
        // Each write is a complete response, which Nagle's algorithm would only delay.
        ::setsockopt(peer.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        return UvStream::create(port_, state_, std::move(peer));
      }
      if (errno == EAGAIN || errno == EWOULDBLOCK) return std::unique_ptr<Stream>();
      if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
        return uv_error("accept4", uv_translate_sys_error(errno));
      // After EINTR, ECONNABORTED and other errors of a peer that has disconnected, try the next peer.
    }
  }
  const Address& address() const override { return address_; }

 private:
  UvAcceptor(UvPort& port, UvPort::State& state) : port_(port), state_(state) {}
  Result<Unit> open() {
    auto made = std::make_unique<uv_poll_t>();
    if (const int code = uv_poll_init(&state_.loop, made.get(), socket_.get()))
      return uv_error("uv_poll_init", code);
    poll_ = made.release();
    poll_->data = this;
    return Unit{};
  }

  UvPort& port_;
  UvPort::State& state_;
  Fd socket_;
  Address address_;
  Listener* listener_ = nullptr;
  uv_poll_t* poll_ = nullptr;  // After the destructor, libuv owns it until it is closed.
  bool watching_ = false;
};

}  // namespace

Result<std::unique_ptr<Acceptor>> UvPort::listen(const Address& address) {
  assert(std::this_thread::get_id() == state_->thread);
  return UvAcceptor::create(*this, *state_, address);
}

}  // namespace snapgen
