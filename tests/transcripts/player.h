#pragma once
// Player: plays a transcript against a server over any transport.
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
  // Returns the server's next line without its newline; nullopt after the server has ended.
  virtual std::optional<std::string> receive() = 0;
};

// A message of the server and the request it belongs to, for validation against the official schemas.
struct Said {
  std::string revision;
  std::string method;  // The method of the answered request; empty for a notification.
  std::string message;
};

struct Played {
  // each with the line of the transcript; empty if the server behaved as written
  std::vector<std::string> problems;
  // written.
  std::vector<Said> said;
};

Played play(const Transcript& transcript, Connection& connection);

// Plays against the fixture in this process. `seed` determines how bytes are divided; 0: not divided, 1:
// single bytes.
Played play_in_memory(const Transcript& transcript, unsigned seed);
// The same over WebSocket.
Played play_in_frames(const Transcript& transcript, unsigned seed);
// Plays against fixture-server over pipes.
Played play_over_stdio(const Transcript& transcript, const std::string& program);

}  // namespace snapgen::transcripts
