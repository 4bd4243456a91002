#pragma once
// command: the options and the first steps that all commands share which read a folder of schemas.
#include <string>
#include <vector>

#include "codegen/front/load.h"

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

// Adds the options. The arguments must outlive the parsing.
void add_schema_options(CLI::App& command, SchemaArguments& arguments);

// Converts the options. In the result, name_space is empty unless one --namespace applies to all folders.
Settings parse_settings(const SchemaArguments& arguments);

// Reads every schema file. Prints an error and returns false if one cannot be read.
bool read_schemas(const SchemaArguments& arguments, const Settings& settings, std::vector<SourceText>& texts);

// Prints the sentence to standard error and returns the exit code.
int print_failure(const std::string& sentence, int code = 2);

}  // namespace snapgen::codegen
