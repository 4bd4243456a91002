#pragma once
// command_tools: tools without C++, as a server loads them at its start: the same files by the same rules,
// and what is left to do at run time as data instead of code.
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
  std::string task;  // As x-snapgen has it.
  std::uint32_t deadline_ms = 0;
  bool needs_workspace = false;
  Listing listing;
  // All that a reader would check, also what hosts are not shown. Without an output schema there is no plan
  // for it.
  std::unique_ptr<json::OwnedPlan> input, output;
  std::vector<std::pair<std::string, std::string>>
      defaults;  // Of the input's members: name, canonical value.
  Run run;
};

struct CommandToolSet {
  std::vector<std::string> findings;  // If there are any, there are no tools.
  std::vector<CommandTool> tools;     // In order of name.
};

// A file that is a tool says x-snapgen.run; messages may stand beside tools and be referred to.
CommandToolSet load_command_tools(std::vector<SourceText> texts, const Settings& settings);

}  // namespace snapgen::codegen
