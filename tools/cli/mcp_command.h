#pragma once
// `snap mcp`, and the whole of `snapgen-server`: serving MCP.
#include "tools/cli/command.h"

namespace snapgen::tools {

// `snap mcp --stdio`, `--http PLACE`, `--ws PLACE`, or several of them; `snap mcp http --port N` is the
// second in words. Without any of them: --stdio, but for a person at a terminal, who gets the help and exit
// code 2.
void add_mcp(CLI::App& program, Chosen& chosen);

// The same options on the program itself. Without a transport: the help, and exit code 2.
void add_serving(CLI::App& program, Chosen& chosen);

}  // namespace snapgen::tools
