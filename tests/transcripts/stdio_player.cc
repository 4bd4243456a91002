#include <array>
#include <csignal>

#include <poll.h>
#include <unistd.h>

#include "tests/transcripts/player.h"
#include "tests/transport/child.h"

namespace snapgen::transcripts {

namespace {

// A server that has sent nothing for this time is expected to send nothing more.
constexpr int patience_ms = 20'000;

class StdioConnection final : public Connection {
 public:
  StdioConnection(const Transcript& transcript, const std::string& program)
      : in_(make_pipe()),
        out_(make_pipe()),
        child_(program, {in_.read_end.get(), out_.write_end.get(), 2}, arguments(transcript)) {
    std::signal(SIGPIPE, SIG_IGN);
    in_.read_end.reset();
    out_.write_end.reset();
  }

  void send(std::string_view bytes) override {
    while (!bytes.empty()) {
      const ssize_t sent = ::write(in_.write_end.get(), bytes.data(), bytes.size());
      if (sent <= 0) return;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
  }
  void end() override { in_.write_end.reset(); }

  std::optional<std::string> receive() override {
    for (;;) {
      const std::size_t end = read_.find('\n');
      if (end != std::string::npos) {
        std::string line = read_.substr(0, end);
        read_.erase(0, end + 1);
        return line;
      }
      pollfd wanted{.fd = out_.read_end.get(), .events = POLLIN, .revents = 0};
      if (::poll(&wanted, 1, patience_ms) != 1) return std::nullopt;
      std::array<char, 65536> buffer;
      const ssize_t got = ::read(out_.read_end.get(), buffer.data(), buffer.size());
      if (got <= 0) return std::nullopt;
      read_.append(buffer.data(), static_cast<std::size_t>(got));
    }
  }

 private:
  static std::vector<std::string> arguments(const Transcript& transcript) {
    std::vector<std::string> out = transcript.options;
    out.insert(out.begin(), "--stdio");
    return out;
  }

  Pipe in_;
  Pipe out_;
  Child child_;
  std::string read_;
};

}  // namespace

Played play_over_stdio(const Transcript& transcript, const std::string& program) {
  StdioConnection connection(transcript, program);
  return play(transcript, connection);
}

}  // namespace snapgen::transcripts
