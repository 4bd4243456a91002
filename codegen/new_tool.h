#pragma once
// new_tool: what a new tool begins with: a schema, a handler and calls that test it, which work as they are.
#include <map>
#include <string>
#include <vector>

#include "runtime/base/result.h"

namespace snapgen::codegen {

struct ExistingTool {
  std::string name;    // snapshot.create
  std::string family;  // substrate
};

struct NewTool {
  std::string name;        // As documents spell it: snapshot.touch
  std::string family;      // Empty: that of the tools whose names begin alike, or else the only one.
  std::string schemas;     // Folders, from the project's root: schemas
  std::string handlers;    // tools
  std::string tests;       // tests/tools
  std::string name_space;  // snapgen::tools
  std::vector<std::string> families;  // That exist.
  std::vector<ExistingTool> tools;
};

struct NewToolFiles {
  std::string family;
  std::string schema, handler, test;         // Paths.
  std::map<std::string, std::string> texts;  // By path.
};

// Errors: invalid_argument, with what is wrong with the name, or why the family is not clear.
Result<NewToolFiles> new_tool(const NewTool& wanted);

}  // namespace snapgen::codegen
