#pragma once
// new_tool: the template of a new tool: a working schema, handler and test calls.
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
  std::string name;                   // As in documents: snapshot.touch
  std::string family;                 // Empty: that of tools with a similar name, or else the only one.
  std::string schemas;                // Folders, from the project's root: schemas
  std::string handlers;               // tools
  std::string tests;                  // tests/tools
  std::string name_space;             // snapgen::tools
  std::vector<std::string> families;  // The existing families.
  std::vector<ExistingTool> tools;
};

struct NewToolFiles {
  std::string family;
  std::string schema, handler, test;         // Paths.
  std::map<std::string, std::string> texts;  // By path.
};

// Errors: invalid_argument (the name is invalid, or the family is ambiguous).
Result<NewToolFiles> new_tool(const NewTool& wanted);

}  // namespace snapgen::codegen
