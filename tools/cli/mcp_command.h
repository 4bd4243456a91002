#pragma once
// `snap mcp` and `snapgen-server`: serve MCP.
#include "tools/cli/command.h"

namespace snapgen::tools {

// `snap mcp --stdio`, `--http PLACE`, `--ws PLACE`, or several of them; `snap mcp http --port N` is a form of
// the second. The default is --stdio, except at a terminal, where the help is printed with exit code 2.
void add_mcp(CLI::App& program, Chosen& chosen);

// Adds the options of `snap mcp` to the program itself. Without a transport: the help, and exit code 2.
void add_serving(CLI::App& program, Chosen& chosen);

}  // namespace snapgen::tools
