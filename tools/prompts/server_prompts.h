#pragma once
// ServerPrompts: pieces of work that people begin through their host, each a message that says how this
// server's tools are used for it. What the profile does not show is not spoken of.
#include <string>
#include <string_view>
#include <vector>

#include "runtime/mcp/prompt_set.h"
#include "runtime/mcp/server.h"
#include "tools/app.h"

namespace snapgen::tools {

class ServerPrompts final : public mcp::PromptSet {
 public:
  explicit ServerPrompts(App& app) : app_(app) {}
  // Called once, before anything is asked: whose tools the prompts speak of.
  void speak_of(const mcp::Server& server) { server_ = &server; }

  std::vector<mcp::Prompt> prompts() override;
  Task<mcp::GetPromptResult> get(mcp::Context& context, mcp::GetPromptParams asked) override;
  bool completes() const override { return true; }
  Task<mcp::Completion> complete(mcp::Context& context, const mcp::CompleteParams& asked) override;

 private:
  App& app_;
  const mcp::Server* server_ = nullptr;
};

}  // namespace snapgen::tools
