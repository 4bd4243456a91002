#pragma once
// ToolsWithCommands: a set that has the server's compiled tools and tools that are programs (x-snapgen.run).
//
// The arguments and the output of such a program are validated against the schemas of its file. It runs in
// the workspace. Listing and calling work as for compiled tools.
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/emit/command_tools.h"
#include "runtime/async/child.h"
#include "runtime/base/confinement.h"
#include "runtime/base/result.h"
#include "runtime/json/schema/compile.h"
#include "runtime/mcp/call.h"
#include "runtime/mcp/tool.h"

namespace snapgen::tools {

// What the programs of a folder may do.
struct CommandToolPolicy {
  // True if a person chose the folder. Otherwise a repository did, and its tools are listed as destructive
  // ones that may reach anything, whatever their annotations claim.
  bool trusts_annotations = true;
  std::optional<Confinement> confinement;  // Nullopt: the programs are not confined.
  // Called on the thread pool before a program runs; its error is the answer. Null: always permitted.
  std::function<Result<Unit>()> check_permitted;
};

class ToolsWithCommands final : public mcp::ToolSet {
 public:
  // Reads all files FOLDER/FAMILY/x.json. `compiled` must outlive the set. `workspace` is its folder, or the
  // error that every call of a program returns. Errors: invalid_argument, with one problem per line;
  // not_found.
  static Result<std::unique_ptr<ToolsWithCommands>> load(mcp::ToolSet& compiled,
                                                         const std::filesystem::path& folder,
                                                         Result<std::string> workspace,
                                                         CommandToolPolicy policy);

  std::span<const mcp::Tool> all() const override { return tools_; }
  const mcp::Tool* find(std::string_view name) const override;
  std::span<const mcp::Profile> profiles() const override { return profiles_; }
  Task<Unit> call(const mcp::Tool& tool, mcp::Call& call, std::string_view arguments,
                  std::string& result) override;
  mcp::ErrorWriter error_writer(const mcp::Tool& tool) const override;

 private:
  struct Program {
    codegen::CommandTool tool;
    std::string folder;                              // The folder of the file that describes the tool.
    std::vector<std::string_view> rate_values = {};  // Views of the texts in `tool`.
  };

  ToolsWithCommands(mcp::ToolSet& compiled, Result<std::string> workspace, CommandToolPolicy policy)
      : compiled_(compiled), workspace_(std::move(workspace)), policy_(std::move(policy)) {}
  // Adds a tool, or what is wrong with it.
  void add(codegen::CommandTool tool, std::vector<std::string>& faults);
  // Returns a compiled tool of the family; null if there is none.
  const mcp::Tool* compiled_tool_of(std::string_view family) const;
  void make_profiles();
  Task<Unit> run(const mcp::Tool& tool, const Program& program, mcp::Call& call, std::string_view arguments,
                 std::string& result);
  static std::string program_path(const Program& program);
  static std::string fault_of_program(const Program& program);
  Result<ChildCommand> command(const Program& program, std::string_view arguments) const;

  mcp::ToolSet& compiled_;
  Result<std::string> workspace_;
  const CommandToolPolicy policy_;
  std::vector<std::unique_ptr<Program>> programs_;
  std::vector<mcp::Tool> tools_;  // The compiled tools, and after them the programs.
  // The index of each program, by its name in both spellings.
  std::map<std::string, std::size_t, std::less<>> names_;
  std::vector<std::vector<std::uint16_t>> profile_tools_;
  std::vector<std::string> profile_names_;
  std::vector<mcp::Profile> profiles_;
};

}  // namespace snapgen::tools
