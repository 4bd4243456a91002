#pragma once
// author: the compiler's commands for authors of schema files: check, new, explain, diff.
#include <functional>

namespace CLI {
class App;
}

namespace snapgen::codegen {

// Adds the commands. Parsing a command line with one of them stores it in `run`, which returns the exit code.
void add_author_commands(CLI::App& app, std::function<int()>& run);

}  // namespace snapgen::codegen
