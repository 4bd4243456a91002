#pragma once
// ask_alone: a question that is asked by itself. For the headers that know the questions.
#include <string>

#include "runtime/mcp/context.h"

namespace snapgen::mcp {

// Errors: as Context::ask().
Task<std::string> ask_alone(Context& context, Question question);

}  // namespace snapgen::mcp
