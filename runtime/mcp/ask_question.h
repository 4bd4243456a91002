#pragma once
// ask_question() sends a single question to the client. sampling.h, elicitation.h and roots.h use it.
#include <string>

#include "runtime/mcp/context.h"

namespace snapgen::mcp {

// Returns the client's result as JSON. Errors: the same as Context::ask().
Task<std::string> ask_question(Context& context, Question question);

}  // namespace snapgen::mcp
