#pragma once
// command_tools: reads tools without C++, which a server loads at startup. The files follow the same rules as
// those of compiled tools, but become data instead of code.
#include <memory>
#include <string>
#include <vector>

#include "codegen/emit/listing.h"
#include "codegen/front/check.h"
#include "codegen/front/load.h"
#include "runtime/json/schema/compile.h"

namespace snapgen::codegen {

struct CommandTool {
  std::string name, safe_name, family;
  std::string file;  // The path of the schema file, as in SourceText.
  std::string tier;
  std::vector<std::string> errors;  // The codes in x-snapgen.errors.
  std::optional<RateLimit> rate;
  std::string task;  // The value of "task" in x-snapgen.
  std::uint32_t deadline_ms = 0;
  bool needs_workspace = false;
  Listing listing;
  // Plans that check everything a reader would check, including rules that hosts do not see. `output` is null
  // without an output schema.
  std::unique_ptr<json::OwnedPlan> input, output;
  std::vector<std::pair<std::string, std::string>>
      defaults;  // Default values, as pairs: member of the input, canonical JSON.
  RunCommand run_command;
};

struct CommandToolSet {
  std::vector<std::string> findings;  // If there are any findings, `tools` is empty.
  std::vector<CommandTool> tools;     // The tools, sorted by name.
};

// Compiles the files. Every tool file must have x-snapgen.run. There may be message files to which tools
// refer.
CommandToolSet compile_command_tools(std::vector<SourceText> texts, const Settings& settings);

}  // namespace snapgen::codegen
