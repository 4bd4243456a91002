#pragma once
// Runs `snapgen-server` and `snap mcp`: the event loop, the tools and the transports.
#include <optional>
#include <string>
#include <vector>

#include "tools/server/assembly.h"

namespace snapgen::tools {

struct ServeOptions : AssemblyRequest {
  bool stdio = false;
  std::optional<std::string> http_address;    // The address for MCP over HTTP: [HOST:]PORT.
  std::optional<std::string> bridge_address;  // The address of the bridge: [HOST:]PORT.
  std::vector<std::string> origins;           // Web pages that may connect over HTTP or WebSocket.
  bool confined = true;  // True to let the process write only to the workspace, if the kernel supports it.
};

// Runs until the host closes standard input or a signal arrives. With `stdio`, call it before anything opens
// a descriptor. Logs errors. Returns the exit code: 0; 1 for failure; 2 for invalid arguments.
int serve(ServeOptions serving);

}  // namespace snapgen::tools
