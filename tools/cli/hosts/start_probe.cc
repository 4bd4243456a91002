#include "tools/cli/hosts/start_probe.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/base/fd.h"
#include "runtime/base/spawn.h"
#include "runtime/json/document.h"
#include "runtime/json/tree.h"
#include "runtime/json/writer.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/base/plain_text.h"
#include "tools/engine/base/utc.h"

extern char** environ;

namespace snapgen::tools {
namespace {

constexpr std::size_t answer_bytes_max = std::size_t{16} << 20;
constexpr std::size_t complaint_bytes_max = std::size_t{64} << 10;
constexpr std::size_t shown_bytes_max = 200;
// A server may list all faults of a folder of tools in its reason.
constexpr std::size_t reason_bytes_max = std::size_t{16} << 10;
constexpr int ending_ms = 2'000;
constexpr std::string_view introduction =
    R"({"id":1,"jsonrpc":"2.0","method":"initialize","params":{"capabilities":{},"clientInfo":{"name":"snap",)"
    R"("version":")" SNAPGEN_VERSION R"("},"protocolVersion":"2025-11-25"}})"
    "\n";

// Returns the last line that is not blank.
std::string last_line(std::string_view text) {
  std::string_view line, last;
  while (core::next_line(text, line))
    if (!core::trimmed(line).empty()) last = core::trimmed(line);
  return core::shortened(last, reason_bytes_max);
}

// Child is a program in a separate process group. The destructor kills the whole group.
class Child {
 public:
  Child() = default;
  Child(Child&&) = delete;
  ~Child() { end(); }

  Result<Unit> start(ServerStart start) {
    Pipe in = make_pipe();
    Pipe out = make_pipe();
    Pipe errors = make_pipe();
    if (!in || !out || !errors)
      return Error(ErrorCode::unavailable,
                   "A pipe cannot be created: " + std::string(std::strerror(errno)) + ".");
    ::posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, in.read_end.get(), 0);
    ::posix_spawn_file_actions_adddup2(&actions, out.write_end.get(), 1);
    ::posix_spawn_file_actions_adddup2(&actions, errors.write_end.get(), 2);
    if (!start.folder.empty()) ::posix_spawn_file_actions_addchdir_np(&actions, start.folder.c_str());
    ::posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    ::sigset_t none, usual;
    ::sigemptyset(&none);
    ::sigemptyset(&usual);
    ::sigaddset(&usual, SIGPIPE);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setsigdefault(&attributes, &usual);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    ::posix_spawnattr_setflags(&attributes,
                               POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    // The host's variables are first: of two variables with the same name, the first one applies.
    std::vector<std::string> environment = std::move(start.environment);
    for (char** each = environ; *each != nullptr; ++each) environment.emplace_back(*each);
    const int failed = ::posix_spawnp(&pid_, start.command.front().c_str(), &actions, &attributes,
                                      null_terminated_pointers(start.command).data(),
                                      null_terminated_pointers(environment).data());
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) {
      pid_ = -1;
      return Error(ErrorCode::unavailable, "The program " + start.command.front() + " cannot be started: " +
                                               std::string(std::strerror(failed)) + ".");
    }
    in_ = std::move(in.write_end);
    out_ = std::move(out.read_end);
    errors_ = std::move(errors.read_end);
    for (const int fd : {in_.get(), out_.get(), errors_.get()}) ::fcntl(fd, F_SETFL, O_NONBLOCK);
    return Unit{};
  }

  int in() const { return in_.get(); }
  int out() const { return out_.get(); }
  int errors() const { return errors_.get(); }

  // Closes the program's input and waits for its end. If it does not end, kills it.
  void end() {
    if (pid_ < 0) return;
    in_.reset();
    const double until = core::steady_ms() + ending_ms;
    while (core::steady_ms() < until) {
      if (::waitpid(pid_, nullptr, WNOHANG) == pid_) {
        ::kill(-pid_, SIGKILL);  // Kills child processes that are still running.
        pid_ = -1;
        return;
      }
      ::poll(nullptr, 0, 5);
    }
    ::kill(-pid_, SIGKILL);
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
  }

 private:
  ::pid_t pid_ = -1;
  Fd in_, out_, errors_;
};

// Appends the available bytes, up to `bytes_max` in total. Returns false if the other end is closed.
bool drain(int fd, std::string& out, std::size_t bytes_max) {
  std::array<char, 16384> bytes{};
  for (;;) {
    const ::ssize_t got = ::read(fd, bytes.data(), bytes.size());
    if (got == 0) return false;
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    if (out.size() < bytes_max) out.append(bytes.data(), static_cast<std::size_t>(got));
  }
}

Error no_answer_error(std::string_view line) {
  return Error(ErrorCode::unavailable,
               "The server did not answer with MCP: " +
                   json::quoted(core::shortened(json::valid_utf8(line) ? line : "bytes", shown_bytes_max)) +
                   ".");
}

Result<StartedServer> understood(std::string_view line) {
  const Error other = no_answer_error(line);
  if (!json::valid_utf8(line)) return other;
  const json::Tree tree(line);
  if (!tree.is_json() || tree.root().kind() != json::Kind::object) return other;
  const json::Value result = tree.root().find("result");
  if (!result.exists() || result.kind() != json::Kind::object) return other;
  const json::Value info = result.find("serverInfo");
  if (!info.exists() || info.kind() != json::Kind::object) return other;
  StartedServer server;
  for (const auto& [name, out] : {std::pair("name", &server.name), std::pair("version", &server.version)}) {
    const json::Value value = info.find(name);
    if (value.exists() && value.kind() == json::Kind::string) *out = value.text();
  }
  return server;
}

// While it lives, SIGPIPE is ignored: writing to a server that has ended must not kill this process.
class IgnoredBrokenPipes {
 public:
  IgnoredBrokenPipes() {
    struct ::sigaction ignored{};
    ignored.sa_handler = SIG_IGN;
    ::sigaction(SIGPIPE, &ignored, &before_);
  }
  IgnoredBrokenPipes(IgnoredBrokenPipes&&) = delete;
  ~IgnoredBrokenPipes() { ::sigaction(SIGPIPE, &before_, nullptr); }

 private:
  struct ::sigaction before_{};
};

// A started server: messages are lines.
class Session {
 public:
  explicit Session(std::int64_t deadline_ms)
      : deadline_ms_(deadline_ms), until_(core::steady_ms() + static_cast<double>(deadline_ms)) {}

  Result<Unit> start(const ServerStart& start) { return child_.start(start); }

  // Sends a text and waits for the next line. Errors: unavailable.
  Result<std::string> ask(std::string_view text) {
    TRY(exchange(text));
    return next_line();
  }
  Result<std::string> next_line() {
    TRY(exchange({}));
    const std::size_t end = answer_.find('\n');
    std::string line = answer_.substr(0, end);
    answer_.erase(0, end + 1);
    return line;
  }
  // Returns the server's first warning, as one more sentence; empty if there was none.
  std::string warning() const {
    constexpr std::string_view word = ": warning: ";
    const std::size_t at = complaints_.find(word);
    if (at == std::string::npos) return {};
    const std::size_t begin = at + word.size();
    return " The server warns: " + complaints_.substr(begin, complaints_.find('\n', begin) - begin);
  }

 private:
  bool has_line() const { return answer_.find('\n') != std::string::npos; }

  // Sends the text, and reads until there is a line.
  Result<Unit> exchange(std::string_view unsent) {
    while (!unsent.empty() || !has_line()) {
      if (!is_open_) return ended_error();
      if (!has_line() && answer_.size() >= answer_bytes_max)
        return Error(ErrorCode::too_large,
                     "The server's answer has more than " + std::to_string(answer_bytes_max >> 20) + " MiB.");
      const double left = until_ - core::steady_ms();
      if (left <= 0)
        return Error(ErrorCode::unavailable,
                     "The server did not answer within " + std::to_string(deadline_ms_ / 1000) + " s.");
      std::array<::pollfd, 3> waits = {
          {{.fd = child_.out(), .events = POLLIN, .revents = 0},
           {.fd = complains_ ? child_.errors() : -1, .events = POLLIN, .revents = 0},
           {.fd = unsent.empty() ? -1 : child_.in(), .events = POLLOUT, .revents = 0}}};
      if (::poll(waits.data(), waits.size(), static_cast<int>(left) + 1) < 0 && errno != EINTR)
        return ended_error();
      if (waits[2].revents != 0) {
        const ::ssize_t sent = ::write(child_.in(), unsent.data(), unsent.size());
        if (sent > 0) unsent.remove_prefix(static_cast<std::size_t>(sent));
        if (sent < 0 && errno != EAGAIN && errno != EINTR) unsent = {};
      }
      if (waits[1].revents != 0) complains_ = drain(child_.errors(), complaints_, complaint_bytes_max);
      if (waits[0].revents != 0) is_open_ = drain(child_.out(), answer_, answer_bytes_max);
    }
    return Unit{};
  }

  Error ended_error() {
    child_.end();
    drain(child_.errors(), complaints_, complaint_bytes_max);
    const std::string reason = last_line(complaints_);
    return Error(ErrorCode::unavailable,
                 "The server ended without an answer" + (reason.empty() ? std::string(".") : ": " + reason));
  }

  std::int64_t deadline_ms_;
  double until_;
  Child child_;
  std::string answer_, complaints_;
  bool is_open_ = true, complains_ = true;
};

}  // namespace

Result<StartedServer> probe_server(const ServerStart& start) {
  const IgnoredBrokenPipes ignored;
  const double begun = core::steady_ms();
  Session session(start.deadline_ms);
  TRY(session.start(start));
  const std::string line = TRY(session.ask(introduction));
  StartedServer server = TRY(understood(line));
  server.took_ms = static_cast<std::int64_t>(core::steady_ms() - begun);
  return server;
}

Result<std::string> ask_server(const ServerStart& start, std::string_view method, std::string_view params) {
  const IgnoredBrokenPipes ignored;
  Session session(start.deadline_ms);
  TRY(session.start(start));
  const std::string greeting = TRY(session.ask(introduction));
  TRY(understood(greeting));
  std::string request = R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
                        "\n"
                        R"({"id":2,"jsonrpc":"2.0","method":)" +
                        json::quoted(method) + R"(,"params":)";
  request.append(params).append("}\n");
  std::string line = TRY(session.ask(request));
  for (;;) {
    const json::Document document = json::parse_document(json::valid_utf8(line) ? line : "");
    if (!document.ok()) return no_answer_error(line);
    const json::Node* id = document.root.find("id");
    const json::Node* result = document.root.find("result");
    const json::Node* error = document.root.find("error");
    // Notifications, and the server's own requests, which this client cannot answer, are passed over.
    const bool is_answer = id && (id->text == "2" || id->is(json::Kind::null));
    if (is_answer && result) return json::canonical_text(*result);
    if (is_answer && error) {
      const json::Node* message = error->find("message");
      return Error(ErrorCode::not_found,
                   (message ? message->text : "The server refused the request.") + session.warning());
    }
    line = TRY(session.next_line());
  }
}

}  // namespace snapgen::tools
