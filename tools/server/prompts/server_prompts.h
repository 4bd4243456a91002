#pragma once
// ServerPrompts: pieces of work that people begin through their host, each a message that says how this
// server's tools are used for it. What the profile does not show is not spoken of.
#include <string>
#include <string_view>
#include <vector>

#include "runtime/mcp/prompt_set.h"
#include "runtime/mcp/server.h"

namespace snapgen::tools {

class TreeChooser;

class ServerPrompts final : public mcp::PromptSet {
 public:
  explicit ServerPrompts(TreeChooser& chooser) : chooser_(chooser) {}
  // Called once, before anything is asked: whose tools the prompts speak of.
  void speak_of(const mcp::Server& server) { server_ = &server; }

  std::vector<mcp::Prompt> prompts() override;
  Task<mcp::GetPromptResult> get(mcp::Context& context, mcp::GetPromptParams asked) override;
  bool completes() const override { return true; }
  Task<mcp::Completion> complete(mcp::Context& context, const mcp::CompleteParams& asked) override;

 private:
  TreeChooser& chooser_;  // Finds the work tree that a client's prompts are about.
  const mcp::Server* server_ = nullptr;
};

}  // namespace snapgen::tools
