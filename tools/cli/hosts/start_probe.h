#pragma once
// Starts a server as a host would, and asks it.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace snapgen::tools {

struct ServerStart {
  std::vector<std::string> command;      // The program (absolute, or in PATH) and its arguments.
  std::vector<std::string> environment;  // Variables, each NAME=value, in addition to this process's own.
  std::string folder;                    // The working directory.
  std::int64_t deadline_ms = 10'000;
};

struct StartedServer {
  std::string name;
  std::string version;
  std::int64_t took_ms = 0;  // The time until the answer arrived.
};

// Sends `initialize` and waits for the answer; then closes the server's input and kills its process group.
// Errors: unavailable, one sentence: it did not start, ended (with its last line on standard error), did not
// respond, or sent another answer.
Result<StartedServer> probe_server(const ServerStart& start);

// Does the same, then sends one more request, and returns its result as JSON. `params` is a JSON object.
// Errors: as probe_server(); not_found (the server's error: it has no such tool, ...).
Result<std::string> ask_server(const ServerStart& start, std::string_view method, std::string_view params);

}  // namespace snapgen::tools
