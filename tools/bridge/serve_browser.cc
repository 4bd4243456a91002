#include "tools/bridge/serve_browser.h"

#include <utility>

namespace snapgen::tools::bridge {
namespace {

// Removes the connection from the hub, for whatever reason it ends.
struct Leaving {
  Hub& hub;
  BrowserConnection& connection;
  ~Leaving() { hub.remove_connection(connection); }
};

// Returns the text of a frame. An unreadable frame counts as an invalid message.
std::string_view text_of(const Frame& frame) {
  return frame.kind == Frame::Kind::message ? frame.text : std::string_view();
}

}  // namespace

Task<Unit> serve_browser(Hub& hub, Channel& channel, std::stop_token stop) {
  BrowserConnection connection(hub, channel);
  const Leaving leaving{hub, connection};
  const std::stop_callback forward(std::move(stop), [&connection] { connection.stop_source.request_stop(); });
  const std::stop_token over = connection.stop_source.get_token();
  hub.loop().port().start(connection, Millis(hub.options().limits.handshake_ms));
  bool greeted = false;
  for (;;) {
    Task<bool> waiting = channel.wait(over);
    Result<bool> more = co_await std::move(waiting);
    if (!more || !*more || over.stop_requested()) break;
    Frame frame;
    while (!over.stop_requested() && channel.next(frame)) {
      if (greeted && frame.kind == Frame::Kind::oversize) {
        hub.receive_oversize(connection, frame.bytes);
      } else if (greeted) {
        hub.receive(connection, text_of(frame));
      } else {
        hub.receive_first_message(connection, text_of(frame));
      }
      greeted = true;
    }
  }
  if (const std::string_view why = channel.end_reason(); !why.empty())
    connection.end(Error(ErrorCode::unavailable, std::string(why)));
  if (connection.reason) co_return *connection.reason;
  co_return Unit{};
}

}  // namespace snapgen::tools::bridge
