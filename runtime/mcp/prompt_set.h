#pragma once
// PromptSet: the prompts a server offers, if it does.
//
// The list is asked for whenever a client asks; keep it cheap. get() is a coroutine as a tool's handler is.
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
  // In the order in which clients see them, the same every time.
  virtual std::vector<Prompt> prompts() = 0;
  // `not_found` if there is no such prompt, `invalid_argument` if an argument is missing.
  virtual Task<GetPromptResult> get(Context& context, GetPromptParams asked) = 0;

  virtual bool completes() const { return false; }
  // `asked.ref` names a prompt. `not_found` if there is no such prompt.
  virtual Task<Completion> complete(Context& context, const CompleteParams& asked);

 protected:
  ~PromptSet() = default;
};

}  // namespace snapgen::mcp
