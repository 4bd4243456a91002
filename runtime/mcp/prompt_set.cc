#include "runtime/mcp/prompt_set.h"

namespace snapgen::mcp {

Task<Completion> PromptSet::complete(Context&, const CompleteParams&) { co_return Completion{}; }

}  // namespace snapgen::mcp
