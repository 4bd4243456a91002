#pragma once
// The command line of the one executable that is installed under several names.
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/log.h"
#include "tools/cli/store_command.h"
#include "tools/cli/wire_command.h"

namespace snapgen::tools {

struct CommandLine {
  bool stdio = false;
  std::optional<std::string> http;   // Where: [HOST:]PORT.
  std::optional<std::string> ws;     // The same, of the bridge.
  std::vector<std::string> origins;  // Of web pages that may ask over HTTP or WebSocket.
  std::optional<std::string> workspace;
  std::optional<std::string> profile;  // None: what the settings say, or full.
  std::optional<std::string> tools;  // A folder of tools without C++.
  std::optional<bool> dotted_names;  // snapshot.create, not snapshot_create; none: as the settings say.
  Severity log_level = Severity::warning;

  std::optional<StoreCommand> store;  // To be run instead of serving.
  std::optional<WireCommand> wire;    // The same.

  std::optional<int> exit_code;  // There is nothing to serve: what was asked for is printed.
};

// `snapgen-server --stdio`, `--http PLACE`, `--ws PLACE`, or several of them; under any other name `snap mcp
// --stdio`, `snap store ...` or `snap wire ...`. What it prints goes to the standard error, but for --help
// and --version. Without a transport: the help, and exit code 2.
CommandLine parse_command_line(int count, char** values);

}  // namespace snapgen::tools
