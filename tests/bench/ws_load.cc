// ws_load: starts a WebSocket server, sends messages over many connections, and prints the cost as one JSON
// object.
//
//   ws_load flood   [--connections C] [--window W] [--bytes B] [--seconds S] [--mcp yes] -- COMMAND...
//       messages per second
//   ws_load latency [--bytes B] [--count N] [--mcp yes] -- COMMAND...
//       one connection, one message at a time
//   ws_load idle    [--connections C] [--seconds S] -- COMMAND...
//       bytes of memory for each idle connection
//   ws_load hold    [--connections C] [--seconds S] -- COMMAND...
//       the intervals at which the server pings each of many connections that only answer its pings
//
// The server prints `ws://127.0.0.1:PORT/` on its standard output. It echoes messages. With --mcp it is the
// fixture server, and each message is a call of its echo tool of B bytes in total. Every answer's length is
// checked, and its text once.
#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/bench/child.h"

namespace bench {
namespace {

struct Options {
  std::string mode;
  std::size_t connections = 64;
  std::size_t window = 16;
  std::size_t bytes = 120;
  std::size_t count = 20'000;
  double seconds = 2;
  bool mcp = false;
  std::vector<std::string> command;
};

Options parse(int count, char** values) {
  Options options;
  if (count < 2) fail("a mode is missing; tests/bench/ws_load.cc lists them");
  options.mode = values[1];
  int i = 2;
  for (; i + 1 < count && std::strcmp(values[i], "--") != 0; i += 2) {
    const std::string_view name = values[i];
    const char* value = values[i + 1];
    if (name == "--connections") options.connections = std::strtoul(value, nullptr, 10);
    if (name == "--window") options.window = std::strtoul(value, nullptr, 10);
    if (name == "--bytes") options.bytes = std::strtoul(value, nullptr, 10);
    if (name == "--count") options.count = std::strtoul(value, nullptr, 10);
    if (name == "--seconds") options.seconds = std::strtod(value, nullptr);
    if (name == "--mcp") options.mcp = std::string_view(value) == "yes";
  }
  for (++i; i < count; ++i) options.command.emplace_back(values[i]);
  if (options.command.empty()) fail("the command of a server is missing");
  return options;
}

std::string masked_text(std::string_view payload) {
  constexpr std::array<char, 4> mask = {0x12, 0x34, 0x56, 0x78};
  std::string out = "\x81";
  const bool small = payload.size() < 126;
  const bool medium = payload.size() < 65536;
  out.push_back(static_cast<char>(0x80 | (small ? static_cast<int>(payload.size()) : (medium ? 126 : 127))));
  const int length_bytes = small ? 0 : (medium ? 2 : 8);
  for (int at = length_bytes - 1; at >= 0; --at) out.push_back(static_cast<char>(payload.size() >> (8 * at)));
  out.append(mask.data(), mask.size());
  for (std::size_t at = 0; at != payload.size(); ++at)
    out.push_back(static_cast<char>(payload[at] ^ mask[at % 4]));
  return out;
}

// The messages that one connection sends repeatedly. Ids differ among those in flight.
std::vector<std::string> messages(const Options& options) {
  std::vector<std::string> out;
  for (std::size_t id = 0; id != options.window; ++id) {
    if (!options.mcp) {
      out.emplace_back(options.bytes, 'a');
      continue;
    }
    std::string message =
        "{\"jsonrpc\":\"2.0\",\"id\":" + std::to_string(1000 + id) +
        ",\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":{\"text\":\"";
    const std::string_view end = "\"}}}";
    if (message.size() + end.size() < options.bytes)
      message.append(options.bytes - message.size() - end.size(), 'a');
    out.push_back(message.append(end));
  }
  return out;
}

class Connection {
 public:
  Connection(std::uint16_t port, bool mcp) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd_ < 0 || ::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0)
      fail(std::string("cannot connect: ") + std::strerror(errno));
    const int on = 1;
    ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    const std::string request =
        "GET / HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
        "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n" +
        (mcp ? "Sec-WebSocket-Protocol: mcp\r\n" : "") + "\r\n";
    if (::write(fd_, request.data(), request.size()) != static_cast<ssize_t>(request.size()))
      fail("the handshake cannot be sent");
    std::string answer;
    while (answer.find("\r\n\r\n") == std::string::npos) {
      char byte = 0;
      if (::read(fd_, &byte, 1) != 1) fail("the server hung up in the handshake");
      answer.push_back(byte);
    }
    if (!answer.starts_with("HTTP/1.1 101 ")) fail("no 101 but " + answer);
  }
  Connection(const Connection&) = delete;
  ~Connection() { ::close(fd_); }
  int fd() const { return fd_; }

  void send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) fail("the server hung up");
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
  }
  // Reads received bytes, or waits for some. Returns the number of completed messages.
  std::size_t receive() {
    static std::array<char, 256 * 1024> buffer;
    const ssize_t got = ::recv(fd_, buffer.data(), buffer.size(), 0);
    if (got <= 0) fail("the server hung up");
    std::string_view bytes(buffer.data(), static_cast<std::size_t>(got));
    std::size_t ended = 0;
    while (!bytes.empty()) {
      if (payload_left_ > 0) {
        const std::size_t taken = std::min(bytes.size(), payload_left_);
        bytes.remove_prefix(taken);
        payload_left_ -= taken;
        ended += payload_left_ == 0 && data_;
        continue;
      }
      header_.push_back(bytes.front());
      bytes.remove_prefix(1);
      if (header_.size() < 2) continue;
      const std::size_t length = static_cast<unsigned char>(header_[1]);
      const std::size_t more = length == 126 ? 2 : (length == 127 ? 8 : 0);
      if (header_.size() < 2 + more) continue;
      payload_left_ = more == 0 ? length : 0;
      for (std::size_t at = 0; at != more; ++at)
        payload_left_ = payload_left_ << 8 | static_cast<unsigned char>(header_[2 + at]);
      data_ = (header_[0] & 15) == 1;
      if ((header_[0] & 15) == 8) fail("the server closed the connection");
      ended += payload_left_ == 0 && data_;
      header_.clear();
    }
    return ended;
  }

 private:
  int fd_;
  std::string header_;
  std::size_t payload_left_ = 0;
  bool data_ = false;
};

// Permits many sockets, in this process and the server.
void allow_descriptors() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

std::uint16_t port_of(Child& child) {
  const std::string line = child.line();
  const std::size_t colon = line.rfind(':');
  return colon == std::string::npos
             ? 0
             : static_cast<std::uint16_t>(std::strtoul(line.c_str() + colon + 1, nullptr, 10));
}

using Connections = std::vector<std::unique_ptr<Connection>>;

Connections connect_all(std::uint16_t port, const Options& options) {
  Connections out;
  for (std::size_t i = 0; i != options.connections; ++i)
    out.push_back(std::make_unique<Connection>(port, options.mcp));
  return out;
}

void flood(const Options& options) {
  Child child(options.command);
  const Connections connections = connect_all(port_of(child), options);
  // All frames in order, twice, so that the buffer has any number of frames after any frame.
  std::string frames;
  std::vector<std::size_t> begins;
  const std::vector<std::string> texts = messages(options);
  for (std::size_t i = 0; i != 2 * texts.size(); ++i) {
    begins.push_back(frames.size());
    frames += masked_text(texts[i % texts.size()]);
  }
  begins.push_back(frames.size());
  const int poll = ::epoll_create1(EPOLL_CLOEXEC);
  std::vector<std::size_t> next(connections.size(), 0);
  const auto send = [&](std::size_t index, std::size_t count) {
    const std::size_t first = next[index];
    connections[index]->send(
        std::string_view(frames).substr(begins[first], begins[first + count] - begins[first]));
    next[index] = (first + count) % options.window;
  };
  for (std::size_t i = 0; i != connections.size(); ++i) {
    epoll_event event{.events = EPOLLIN, .data = {.u64 = i}};
    ::epoll_ctl(poll, EPOLL_CTL_ADD, connections[i]->fd(), &event);
    send(i, options.window);
  }
  std::size_t answered = 0;
  std::array<epoll_event, 64> events;
  const auto run = [&](double seconds) {
    const Clock::time_point end =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    while (Clock::now() < end) {
      const int ready = ::epoll_wait(poll, events.data(), static_cast<int>(events.size()), 1000);
      for (int i = 0; i < ready; ++i) {
        const std::size_t index = events[static_cast<std::size_t>(i)].data.u64;
        const std::size_t ended = connections[index]->receive();
        answered += ended;
        if (ended > 0) send(index, ended);
      }
    }
  };
  run(options.seconds / 4);
  answered = 0;
  const double cpu_before = child.cpu_seconds();
  const Clock::time_point begin = Clock::now();
  run(options.seconds);
  const double passed = std::chrono::duration<double>(Clock::now() - begin).count();
  const double cpu = child.cpu_seconds() - cpu_before;
  std::printf("{\"messages_per_s\":%.0f,\"cpu_us\":%.3f}\n", static_cast<double>(answered) / passed,
              cpu * 1e6 / static_cast<double>(std::max<std::size_t>(answered, 1)));
  ::close(poll);
}

void latency(Options options) {
  options.window = 1;
  Child child(options.command);
  Connection connection(port_of(child), options.mcp);
  const std::string frame = masked_text(messages(options).front());
  std::vector<double> times;
  for (std::size_t i = 0; i != options.count + options.count / 10; ++i) {
    const Clock::time_point begin = Clock::now();
    connection.send(frame);
    while (connection.receive() == 0) {
    }
    if (i >= options.count / 10)
      times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
  }
  std::ranges::sort(times);
  std::printf("{\"p50_us\":%.2f,\"p99_us\":%.2f}\n", times[times.size() / 2], times[times.size() * 99 / 100]);
}

void idle(const Options& options) {
  allow_descriptors();
  Child child(options.command);
  const std::uint16_t port = port_of(child);
  {
    // Memory that only the first connection allocates is not counted for each connection.
    const Connection first(port, options.mcp);
  }
  const long before = child.memory().rss_kib;
  const Connections connections = connect_all(port, options);
  std::this_thread::sleep_for(std::chrono::duration<double>(options.seconds));
  const long after = child.memory().rss_kib;
  std::printf("{\"bytes_per_connection\":%.0f}\n",
              static_cast<double>(after - before) * 1024 / static_cast<double>(connections.size()));
}

// Answers pings, and records the times between two pings on the same connection.
class Heartbeats {
 public:
  void receive(int fd, std::size_t index) {
    std::array<char, 4096> buffer;
    const ssize_t got = ::recv(fd, buffer.data(), buffer.size(), 0);
    if (got <= 0) fail("the server hung up");
    std::string_view bytes(buffer.data(), static_cast<std::size_t>(got));
    while (bytes.size() >= 2) {
      const std::size_t size = static_cast<unsigned char>(bytes[1]);
      if (bytes[0] != '\x89' || size > 125 || bytes.size() < 2 + size) fail("that is no whole ping");
      ping(fd, index, bytes.substr(2, size));
      bytes.remove_prefix(2 + size);
    }
  }
  std::vector<double>& gaps() { return gaps_; }

 private:
  void ping(int fd, std::size_t index, std::string_view payload) {
    const Clock::time_point now = Clock::now();
    if (last_.size() <= index) last_.resize(index + 1);
    if (last_[index] != Clock::time_point())
      gaps_.push_back(std::chrono::duration<double, std::milli>(now - last_[index]).count());
    last_[index] = now;
    std::string pong = "\x8a";
    pong.push_back(static_cast<char>(0x80 | payload.size()));
    pong.append(4, '\0');
    pong += payload;
    if (::send(fd, pong.data(), pong.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(pong.size()))
      fail("the server hung up");
  }

  std::vector<Clock::time_point> last_;
  std::vector<double> gaps_;
};

void hold(const Options& options) {
  allow_descriptors();
  Child child(options.command);
  const Connections connections = connect_all(port_of(child), options);
  const int poll = ::epoll_create1(EPOLL_CLOEXEC);
  for (std::size_t i = 0; i != connections.size(); ++i) {
    epoll_event event{.events = EPOLLIN, .data = {.u64 = i}};
    ::epoll_ctl(poll, EPOLL_CTL_ADD, connections[i]->fd(), &event);
  }
  Heartbeats heartbeats;
  std::array<epoll_event, 256> events;
  const Clock::time_point end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                   std::chrono::duration<double>(options.seconds));
  while (Clock::now() < end) {
    const int ready = ::epoll_wait(poll, events.data(), static_cast<int>(events.size()), 100);
    for (int i = 0; i < ready; ++i) {
      const std::size_t index = events[static_cast<std::size_t>(i)].data.u64;
      heartbeats.receive(connections[index]->fd(), index);
    }
  }
  ::close(poll);
  std::vector<double>& gaps = heartbeats.gaps();
  if (gaps.size() < connections.size()) fail("not every connection was pinged twice");
  std::ranges::sort(gaps);
  std::printf("{\"p50_ms\":%.1f,\"p99_ms\":%.1f,\"max_ms\":%.1f}\n", gaps[gaps.size() / 2],
              gaps[gaps.size() * 99 / 100], gaps.back());
}

}  // namespace
}  // namespace bench

int main(int count, char** values) {
  const bench::Options options = bench::parse(count, values);
  if (options.mode == "flood") {
    bench::flood(options);
  } else if (options.mode == "latency") {
    bench::latency(options);
  } else if (options.mode == "idle") {
    bench::idle(options);
  } else if (options.mode == "hold") {
    bench::hold(options);
  } else {
    bench::fail("there is no mode " + options.mode);
  }
  return 0;
}
