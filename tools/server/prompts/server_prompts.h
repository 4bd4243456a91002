#pragma once
// ServerPrompts: prompts for common tasks, each a message that explains how to use this server's tools. It
// mentions only tools that the profile lists.
#include <vector>

#include "runtime/mcp/prompt_set.h"
#include "runtime/mcp/server.h"

namespace snapgen::tools {

class TreeChooser;

class ServerPrompts final : public mcp::PromptSet {
 public:
  explicit ServerPrompts(TreeChooser& chooser) : chooser_(chooser) {}
  // Sets the server whose listed tools the prompts mention. Call it once before the first request.
  void set_server(const mcp::Server& server) { server_ = &server; }

  std::vector<mcp::Prompt> prompts() override;
  Task<mcp::GetPromptResult> get(mcp::Context& context, mcp::GetPromptParams params) override;
  bool has_completions() const override { return true; }
  Task<mcp::Completion> complete(mcp::Context& context, const mcp::CompleteParams& params) override;

 private:
  TreeChooser& chooser_;  // Finds the work tree of the client that requests a prompt.
  const mcp::Server* server_ = nullptr;
};

}  // namespace snapgen::tools
