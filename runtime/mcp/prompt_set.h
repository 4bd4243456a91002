#pragma once
// PromptSet is the interface for a server's prompts. prompts() is called for every prompts/list request, so
// it must be cheap.
#include <vector>

#include "runtime/async/task.h"
#include "runtime/mcp/context.h"
#include "schemas/mcp/complete_params.h"
#include "schemas/mcp/completion.h"
#include "schemas/mcp/get_prompt_params.h"
#include "schemas/mcp/get_prompt_result.h"
#include "schemas/mcp/prompt.h"

namespace snapgen::mcp {

class PromptSet {
 public:
  // Returns the prompts in the order that clients see. The order must not change between calls.
  virtual std::vector<Prompt> prompts() = 0;
  // Returns a prompt. Errors: not_found (no such prompt), invalid_argument (an argument is missing).
  virtual Task<GetPromptResult> get(Context& context, GetPromptParams params) = 0;

  virtual bool has_completions() const { return false; }
  // Completes an argument of the prompt that `asked.ref` names. Errors: not_found (no such prompt).
  virtual Task<Completion> complete(Context&, const CompleteParams&) { co_return Completion{}; }

 protected:
  ~PromptSet() = default;
};

}  // namespace snapgen::mcp
