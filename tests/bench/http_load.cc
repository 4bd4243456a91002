// http_load: starts a server that prints its URL on standard output, sends requests over HTTP, and prints the
// cost as one JSON object.
//
//   http_load flood [--connections C] [--count N] -- COMMAND...
//       N echoes (2026-07-28) over C reused connections, one at a time on each
//   http_load idle [--count N] -- COMMAND...
//       N sessions (initialize), each with an idle connection
//   http_load crowd [--count N] -- COMMAND...
//       N idle connections, some in the middle of a request or with an event stream; then echoes, each on
//       a new connection
#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void fail(const std::string& why) {
  std::fprintf(stderr, "http_load: %s\n", why.c_str());
  std::exit(1);
}

std::size_t number(std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) fail("not a number: " + std::string(text));
  return value;
}

// The server runs until the destructor is called.
class Server {
 public:
  explicit Server(char** command) {
    int out[2];
    if (::pipe(out) != 0) fail("pipe");
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(out[1], STDOUT_FILENO);
      ::close(out[0]);
      ::close(out[1]);
      ::execvp(command[0], command);
      ::_exit(127);
    }
    ::close(out[1]);
    std::string url;
    for (char byte = 0; ::read(out[0], &byte, 1) == 1 && byte != '\n';) url += byte;
    out_ = out[0];
    const std::size_t colon = url.rfind(':');
    if (colon == std::string::npos) fail("the server says no URL");
    port_ = static_cast<std::uint16_t>(std::strtoul(url.c_str() + colon + 1, nullptr, 10));
  }
  Server(Server&&) = delete;
  ~Server() {
    ::kill(pid_, SIGTERM);
    ::waitpid(pid_, nullptr, 0);
    ::close(out_);
  }

  int connect() const {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in to = {};
    to.sin_family = AF_INET;
    to.sin_port = htons(port_);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int on = 1;
    if (fd < 0 || ::connect(fd, reinterpret_cast<sockaddr*>(&to), sizeof to) != 0) fail("connect");
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
  }
  // Returns the resident memory of the process as the kernel reports it, in bytes.
  std::size_t resident_bytes() const {
    std::ifstream status("/proc/" + std::to_string(pid_) + "/status");
    for (std::string line; std::getline(status, line);)
      if (line.starts_with("VmRSS:")) return std::strtoul(line.c_str() + 6, nullptr, 10) * 1024;
    fail("the server is gone");
  }
  double cpu_seconds() const {
    std::ifstream stat("/proc/" + std::to_string(pid_) + "/stat");
    std::string line;
    std::getline(stat, line);
    std::size_t at = line.rfind(')') + 2;
    for (int i = 0; i < 11; ++i) at = line.find(' ', at) + 1;
    char* end = nullptr;
    const unsigned long user = std::strtoul(line.c_str() + at, &end, 10);
    const unsigned long system = std::strtoul(end, nullptr, 10);
    return static_cast<double>(user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
  }

 private:
  pid_t pid_ = -1;
  int out_ = -1;
  std::uint16_t port_ = 0;
};

std::string post(std::string_view fields, std::string_view body) {
  std::string out =
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      "Accept: application/json, text/event-stream\r\n";
  out.append(fields).append("Content-Length: ").append(std::to_string(body.size()));
  return out.append("\r\n\r\n").append(body);
}

std::string echo() {
  return post(
      "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: echo\r\n",
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hello"},)"
      R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
      R"("io.modelcontextprotocol/clientCapabilities":{},)"
      R"("io.modelcontextprotocol/clientInfo":{"name":"load","version":"1"}}}})");
}

void send_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) fail("the server takes nothing");
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

// Returns the size of the first response; 0 if it is incomplete.
std::size_t answer_size(const std::string& held) {
  const std::size_t head = held.find("\r\n\r\n");
  if (head == std::string::npos) return 0;
  if (!held.starts_with("HTTP/1.1 200")) fail("an answer of another kind: " + held);
  for (std::size_t line = 0; line < head; line = held.find("\r\n", line) + 2) {
    constexpr std::string_view name = "content-length:";
    if (strncasecmp(held.c_str() + line, name.data(), name.size()) != 0) continue;
    const std::size_t size = head + 4 + std::strtoul(held.c_str() + line + name.size(), nullptr, 10);
    return size <= held.size() ? size : 0;
  }
  fail("an answer without its length: " + held);
}

// Reads received bytes. Returns true after one complete answer, which is removed from `held`.
bool take_answer(int fd, std::string& held, std::string_view part) {
  std::array<char, 16384> chunk;
  const ssize_t size = ::recv(fd, chunk.data(), chunk.size(), 0);
  if (size <= 0) fail("the server closed a connection");
  held.append(chunk.data(), static_cast<std::size_t>(size));
  const std::size_t answer = answer_size(held);
  if (answer == 0) return false;
  if (held.find(part) == std::string::npos) fail("another answer: " + held);
  held.erase(0, answer);
  return true;
}

void flood(const Server& server, std::size_t connections, std::size_t count) {
  const std::string request = echo();
  std::vector<pollfd> polled(connections);
  std::vector<std::string> held(connections);
  for (pollfd& each : polled) each = {.fd = server.connect(), .events = POLLIN, .revents = 0};
  const std::size_t warm_up = count / 10;
  std::size_t sent = 0, answered = 0;
  Clock::time_point begin = Clock::now();
  double cpu_begin = 0;
  for (const pollfd& each : polled) {
    send_all(each.fd, request);
    ++sent;
  }
  while (answered < count + warm_up) {
    if (::poll(polled.data(), polled.size(), 30'000) <= 0) fail("no answer in 30 s");
    for (std::size_t i = 0; i < connections; ++i) {
      if (!polled[i].revents || !take_answer(polled[i].fd, held[i], "\"text\":\"hello\"")) continue;
      if (++answered == warm_up) {
        begin = Clock::now();
        cpu_begin = server.cpu_seconds();
      }
      if (sent >= count + warm_up) continue;
      send_all(polled[i].fd, request);
      ++sent;
    }
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  const double cpu = server.cpu_seconds() - cpu_begin;
  std::printf("{\"calls_per_s\":%.0f,\"cpu_us_per_call\":%.2f}\n", static_cast<double>(count) / seconds,
              cpu * 1e6 / static_cast<double>(count));
}

void idle(const Server& server, std::size_t count) {
  const std::string initialize =
      post({}, R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
               R"("capabilities":{},"clientInfo":{"name":"load","version":"1"}}})");
  const auto open = [&] {
    const int fd = server.connect();
    send_all(fd, initialize);
    for (std::string held; !take_answer(fd, held, "protocolVersion");) {
    }
  };
  open();
  const std::size_t before = server.resident_bytes();
  for (std::size_t i = 0; i < count; ++i) open();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  const std::size_t after = server.resident_bytes();
  std::printf("{\"bytes_per_session\":%.0f}\n",
              static_cast<double>(after - std::min(before, after)) / static_cast<double>(count));
}

// Opens a session on a new connection. Returns the connection and the session's id.
std::pair<int, std::string> open_session(const Server& server) {
  constexpr std::string_view name = "Mcp-Session-Id: ";
  const int fd = server.connect();
  send_all(
      fd,
      post({}, R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
               R"("capabilities":{},"clientInfo":{"name":"load","version":"1"}}})"));
  std::string held;
  std::array<char, 16384> chunk;
  while (answer_size(held) == 0) {
    const ssize_t got = ::recv(fd, chunk.data(), chunk.size(), 0);
    if (got <= 0) fail("the server closed a connection");
    held.append(chunk.data(), static_cast<std::size_t>(got));
  }
  const std::size_t begin = held.find(name);
  if (begin == std::string::npos) fail("no session: " + held);
  const std::size_t id = begin + name.size();
  return {fd, held.substr(id, held.find("\r\n", id) - id)};
}

// Opens an idle connection: one without a request, one with half a head, one with a session, or one with that
// session's event stream.
void open_idle(const Server& server, std::size_t kind) {
  if (kind == 0) {
    server.connect();
  } else if (kind == 1) {
    send_all(server.connect(), "POST /mcp HT");
  } else {
    const auto [fd, session] = open_session(server);
    if (kind == 3)
      send_all(fd, "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nMcp-Session-Id: " +
                       session + "\r\n\r\n");
  }
}

void crowd(const Server& server, std::size_t count) {
  constexpr std::size_t kinds = 4;
  constexpr std::size_t calls = 50;
  for (std::size_t i = 0; i < count; ++i) open_idle(server, i % kinds);
  std::vector<double> took;
  for (std::size_t i = 0; i < calls; ++i) {
    const Clock::time_point begin = Clock::now();
    const int fd = server.connect();
    send_all(fd, echo());
    for (std::string held; !take_answer(fd, held, "\"text\":\"hello\"");) {
    }
    took.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
    ::close(fd);
  }
  std::printf("{\"first_ms\":%.2f,\"longest_ms\":%.2f}\n", took.front(),
              *std::max_element(took.begin(), took.end()));
}

}  // namespace

int main(int size, char** words) {
  std::size_t connections = 64, count = 0;
  int at = 2;
  for (; at + 1 < size && std::strcmp(words[at], "--") != 0; at += 2) {
    const std::string_view name = words[at];
    if (name == "--connections") connections = number(words[at + 1]);
    if (name == "--count") count = number(words[at + 1]);
  }
  if (at + 1 >= size) fail("usage: http_load flood|idle|crowd [--connections C] [--count N] -- COMMAND...");
  rlimit files = {};
  ::getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
  const Server server(words + at + 1);
  const std::string_view mode = words[1];
  if (mode == "flood") flood(server, connections, count ? count : 100'000);
  if (mode == "idle") idle(server, count ? count : 1000);
  if (mode == "crowd") crowd(server, count ? count : 5000);
  return 0;
}
