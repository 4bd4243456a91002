#pragma once
// command: what every command of snapgen takes that reads a folder of schemas, and does first.
#include <string>
#include <vector>

#include "codegen/load.h"

namespace CLI {
class App;
}

namespace snapgen::codegen {

struct SchemaArguments {
  std::string root = ".";
  std::string schemas = "schemas";
  std::vector<std::string> includes;
  std::vector<std::string> namespaces;
};

// The arguments outlive the parsing.
void add_schema_options(CLI::App& command, SchemaArguments& arguments);

// With an empty name_space if no --namespace is for all folders.
Settings settings_of(const SchemaArguments& arguments);

// Every schema file. False if one can't be read, which was said.
bool read_schemas(const SchemaArguments& arguments, const Settings& settings, std::vector<SourceText>& texts);

// Says why, on standard error; the exit code.
int fail(const std::string& sentence, int code = 2);

}  // namespace snapgen::codegen
