#pragma once
// Serving: the whole of `snapgen-server` and `snap mcp`, from port and loop to transports.
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/log.h"
#include "tools/server/answers/answers.h"

namespace snapgen::tools {

struct Serving {
  bool stdio = false;
  std::optional<std::string> http;   // Where: [HOST:]PORT.
  std::optional<std::string> ws;     // The same, of the bridge.
  std::vector<std::string> origins;  // Of web pages that may ask over HTTP or WebSocket.
  std::optional<std::string> workspace;
  std::optional<std::string> profile;   // None: what the settings say, or every tool that can work.
  std::optional<std::string> tools;     // A folder of tools without C++.
  std::optional<bool> dotted_names;     // snapshot.create, not snapshot_create; none: as the settings say.
  std::optional<AnswerChoice> answers;  // None: as the settings say, or as the host's row does.
  bool confined = true;  // Where the kernel can: this process writes only what is the workspace's.
  Severity log_level = Severity::warning;
};

// Until the host closes standard input, or a signal comes. With `stdio` before anything else opens a
// descriptor. What is wrong is logged. The exit code: 0; 1 if it failed; 2 for invalid arguments.
int serve(Serving serving);

}  // namespace snapgen::tools
