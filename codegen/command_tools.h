#pragma once
// command_tools: tools without C++, which a server loads at startup. The files follow the same rules as
// compiled ones, but become data instead of code.
#include <memory>
#include <string>
#include <vector>

#include "codegen/check.h"
#include "codegen/listing.h"
#include "codegen/load.h"
#include "runtime/json/schema/compile.h"

namespace snapgen::codegen {

struct CommandTool {
  std::string name, safe_name, family;
  std::string file;  // As in SourceText.
  std::string tier;
  std::optional<Rate> rate;
  std::string task;  // As in x-snapgen.
  std::uint32_t deadline_ms = 0;
  bool needs_workspace = false;
  Listing listing;
  // Plans for everything a reader would check, including rules that hosts do not see. `output` is null
  // without an output schema.
  std::unique_ptr<json::OwnedPlan> input, output;
  std::vector<std::pair<std::string, std::string>>
      defaults;  // For members of the input: name, canonical value.
  Run run;
};

struct CommandToolSet {
  std::vector<std::string> findings;  // If there are any, `tools` is empty.
  std::vector<CommandTool> tools;     // In order of name.
};

// Every tool file needs x-snapgen.run. Message files may be among them as targets of references.
CommandToolSet load_command_tools(std::vector<SourceText> texts, const Settings& settings);

}  // namespace snapgen::codegen
