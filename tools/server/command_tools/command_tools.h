#pragma once
// CommandTools: the tools of the server, and beside them those that are programs (x-snapgen.run), in one set.
//
// A call of such a tool is checked by the schemas of its file, run in the workspace, and its output is
// checked again. It is listed, called and refused like any other.
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/command_tools.h"
#include "runtime/async/child.h"
#include "runtime/base/result.h"
#include "runtime/json/schema/compile.h"
#include "runtime/mcp/call.h"
#include "runtime/mcp/tool.h"

namespace snapgen::tools {

class CommandTools final : public mcp::ToolSet {
 public:
  // Reads FOLDER/FAMILY/x.json. `compiled` outlives the set. `workspace`: its folder, or why there is none,
  // which every call of a program then answers. Errors: invalid_argument, with every finding on a line of its
  // own; not_found.
  static Result<std::unique_ptr<CommandTools>> load(mcp::ToolSet& compiled,
                                                    const std::filesystem::path& folder,
                                                    Result<std::string> workspace);

  std::span<const mcp::Tool> all() const override { return tools_; }
  const mcp::Tool* find(std::string_view name) const override;
  std::span<const mcp::Profile> profiles() const override { return profiles_; }
  Task<Unit> call(const mcp::Tool& tool, mcp::Call& call, std::string_view arguments,
                  std::string& result) override;
  void fail(const mcp::Tool& tool, const Error& error, std::string& result) const override;

 private:
  struct Program {
    codegen::CommandTool tool;
    std::string folder;  // Of its file.
  };

  CommandTools(mcp::ToolSet& compiled, Result<std::string> workspace)
      : compiled_(compiled), workspace_(std::move(workspace)) {}
  Result<Unit> add(codegen::CommandTool tool, const std::filesystem::path& root);
  void make_profiles();
  Task<Unit> run(const mcp::Tool& tool, const Program& program, mcp::Call& call, std::string_view arguments,
                 std::string& result);
  Result<Command> command(const Program& program, std::string_view arguments) const;

  mcp::ToolSet& compiled_;
  Result<std::string> workspace_;
  std::vector<std::unique_ptr<Program>> programs_;
  std::vector<mcp::Tool> tools_;  // The compiled ones in their order, then the programs.
  std::map<std::string, std::size_t, std::less<>> names_;  // Of programs, in both spellings.
  std::vector<std::vector<std::uint16_t>> profile_tools_;
  std::vector<std::string> profile_names_;
  std::vector<mcp::Profile> profiles_;
};

}  // namespace snapgen::tools
