#pragma once
// author: the commands of the schema compiler for those who write schema files: check, new, explain, diff.
#include <functional>

namespace CLI {
class App;
}

namespace snapgen::codegen {

// Adds them. Parsing a command line that names one sets `run`, which returns the exit code.
void add_author_commands(CLI::App& app, std::function<int()>& run);

}  // namespace snapgen::codegen
