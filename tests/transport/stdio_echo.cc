// A program that uses stdio as a server does: it echoes each message, except for a few with other responses.
// It ends at the end of its input, when its output is closed, and at a signal.
#include <cstdio>
#include <iostream>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

#include "runtime/async/loop.h"
#include "runtime/base/result.h"
#include "runtime/transport/channel.h"
#include "runtime/transport/line_channel.h"
#include "runtime/transport/stdio.h"
#include "runtime/uv/process.h"
#include "runtime/uv/uv_port.h"

namespace snapgen {
namespace {

constexpr std::size_t unsent_bytes_max = 1 << 20;

void write_to_stdout_as_a_library_would() {
  std::printf("stray printf\n");
  std::fflush(stdout);
  std::cout << "stray cout" << "\n" << std::flush;
  [[maybe_unused]] ssize_t written = ::write(STDOUT_FILENO, "stray write\n", 12);
}

std::string read_stdin_as_a_library_would() {
  int got = std::getchar();
  return got == EOF ? "nothing there" : "stole a byte";
}

void answer(Channel& channel, const Frame& frame) {
  if (frame.kind == Frame::Kind::oversize) return channel.send("<oversize>");
  if (frame.text == "stray") {
    write_to_stdout_as_a_library_would();
    return channel.send(read_stdin_as_a_library_would());
  }
  channel.send(frame.text);
}

Task<Unit> echo(Channel& channel, std::stop_token stop) {
  for (;;) {
    Frame frame;
    while (channel.next(frame)) answer(channel, frame);
    channel.flush();
    if (channel.unsent_bytes() > unsent_bytes_max) {
      Result<bool> drained = co_await channel.wait_drained(unsent_bytes_max / 2, stop);
      static_cast<void>(drained);
    }
    Result<bool> more = co_await channel.wait(stop);
    if (!*more) break;
  }
  Result<bool> drained = co_await channel.wait_drained(0, stop);
  static_cast<void>(drained);
  co_return Unit{};
}

int run() {
  limit_allocator_retention();
  Result<Stdio> stdio = Stdio::take();
  if (!stdio) return 2;
  Result<std::unique_ptr<UvPort>> port = UvPort::create();
  if (!port) return 3;
  Loop loop(**port);
  std::stop_source stop;
  if (!(*port)->stop_on_signals(stop)) return 4;
  Result<std::unique_ptr<Stream>> stream = (*port)->open(stdio->in(), stdio->out());
  if (!stream) return 5;
  LineChannel channel(loop, **stream);
  Result<Unit> ended = loop.run(echo(channel, stop.get_token()));
  return ended ? 0 : 1;
}

}  // namespace
}  // namespace snapgen

int main() { return snapgen::run(); }
