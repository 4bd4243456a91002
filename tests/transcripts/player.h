#pragma once
// Player: plays a transcript against a server, wherever that server is.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/transcripts/transcript.h"

namespace snapgen::transcripts {

// The client's end of one connection.
class Connection {
 public:
  virtual ~Connection() = default;
  virtual void send(std::string_view bytes) = 0;
  virtual void end() = 0;
  // The server's next line, without its end; nothing once the server has ended.
  virtual std::optional<std::string> receive() = 0;
};

// A message of the server and what it was said about, for whoever checks it against the official schemas.
struct Said {
  std::string revision;
  std::string method;  // Of the request that is answered; empty for a notification.
  std::string message;
};

struct Played {
  std::vector<std::string> problems;  // With the transcript's line; empty if all went as written.
  std::vector<Said> said;
};

Played play(const Transcript& transcript, Connection& connection);

// The fixture in this process, its bytes cut as `seed` says; 0: not cut at all, 1: one at a time.
Played play_in_memory(const Transcript& transcript, unsigned seed);
// The same over WebSocket.
Played play_in_frames(const Transcript& transcript, unsigned seed);
// The fixture-server over pipes.
Played play_over_stdio(const Transcript& transcript, const std::string& program);

}  // namespace snapgen::transcripts
