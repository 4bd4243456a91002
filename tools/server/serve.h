#pragma once
// Serving: runs `snapgen-server` and `snap mcp`, from the event loop to the transports.
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/log.h"
#include "tools/server/answers/answers.h"

namespace snapgen::tools {

struct Serving {
  bool stdio = false;
  std::optional<std::string> http;   // The address: [HOST:]PORT.
  std::optional<std::string> ws;     // The address of the bridge.
  std::vector<std::string> origins;  // Web pages that may connect over HTTP or WebSocket.
  std::optional<std::string> workspace;
  std::optional<std::string> profile;   // Nullopt: as in the settings, or every tool that can work.
  std::optional<std::string> tools;     // A folder of tools without C++.
  std::optional<bool> dotted_names;     // List snapshot.create instead of snapshot_create.
  std::optional<AnswerChoice> answers;  // Nullopt: as in the settings, or the host's row.
  bool confined = true;  // If the kernel supports it, the process can write only to the workspace.
  Severity log_level = Severity::warning;
};

// Runs until the host closes standard input or a signal arrives. With `stdio`, call it before anything opens
// a descriptor. Logs errors. Returns the exit code: 0; 1 for failure; 2 for invalid arguments.
int serve(Serving serving);

}  // namespace snapgen::tools
