#pragma once
// new_tool: makes the files of a new tool: a working schema, handler and test calls.
#include <map>
#include <string>
#include <vector>

#include "runtime/base/result.h"

namespace snapgen::codegen {

struct ExistingTool {
  std::string name;    // The tool's name, such as snapshot.create.
  std::string family;  // The tool's family, such as substrate.
};

struct NewToolRequest {
  std::string name;        // The name in documents, such as snapshot.touch.
  std::string family;      // The family. If empty, that of tools with a similar name, or else the only one.
  std::string schemas;     // The schemas' folder from the project's root, such as schemas.
  std::string handlers;    // The handlers' folder from the project's root, such as tools.
  std::string tests;       // The tests' folder from the project's root, such as tests/tools.
  std::string name_space;  // The namespace of the handlers, such as snapgen::tools.
  std::vector<std::string> families;  // The families that exist already.
  std::vector<ExistingTool> tools;
};

struct NewToolFiles {
  std::string family;
  std::string schema, handler, test;         // Paths of the files.
  std::map<std::string, std::string> texts;  // The content of each file, by path.
};

// Makes the files. Errors: invalid_argument (the name is invalid, or the family is ambiguous).
Result<NewToolFiles> make_new_tool(const NewToolRequest& wanted);

// Makes the files of a new family, whose name is `wanted.family`, by path: the build file of its schemas and
// the function that writes its errors. Errors: invalid_argument (the name is invalid, or taken).
Result<std::map<std::string, std::string>> make_new_family(const NewToolRequest& wanted);

}  // namespace snapgen::codegen
