#pragma once
// Starts a server as a host would, and asks it who it is.
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/base/result.h"

namespace snapgen::tools {

struct ServerStart {
  std::vector<std::string> command;      // The program, absolute or in PATH, and its arguments.
  std::vector<std::string> environment;  // NAME=value, besides this process's own.
  std::string folder;                    // Where it runs.
  std::int64_t deadline_ms = 10'000;
};

struct StartedServer {
  std::string name;
  std::string version;
  std::int64_t took_ms = 0;  // Until it had answered.
};

// Sends `initialize` and waits for the answer; then closes the server's input and ends it, with all that it
// started. Errors: unavailable, one sentence: it does not start, ended (with its last line on the standard
// error), was silent, or answered something else.
Result<StartedServer> start_and_ask(const ServerStart& start);

}  // namespace snapgen::tools
