#pragma once
// `snap mcp` and `snapgen-server`: serve MCP.
#include "tools/cli/command.h"

namespace snapgen::tools {

// Adds `snap mcp --stdio`, `--http PLACE` and `--ws PLACE`, which can be combined; `snap mcp http --port N`
// is another form of --http. The default is --stdio, except at a terminal, where the help is printed with
// exit code 2.
void add_mcp_command(CLI::App& program, Invocation& invocation);

// Adds the options of `snap mcp` to the program itself. Without a transport, it prints the help with exit
// code 2.
void add_serve_options(CLI::App& program, Invocation& invocation);

}  // namespace snapgen::tools
