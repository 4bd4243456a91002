#pragma once
// Roots are the folders that a client works in.
#include <vector>

#include "runtime/mcp/context.h"
#include "schemas/mcp/root.h"

namespace snapgen::mcp {

// Asks the client for its roots. `patience` is the time a stateful client has to answer; zero: see
// Question::patience.
// Errors: unsupported (the client has no roots capability, or this request cannot ask); unavailable (it
// refused, did not answer in time, or its answer cannot be read); cancelled.
Task<std::vector<Root>> roots(Context& context, Millis patience = Millis(0));

// The two halves of roots(), for a caller that asks several questions together (Context::ask()).
Result<Question> roots_question(const Context& context, std::string key);
Result<std::vector<Root>> roots_answer(std::string_view answer);

}  // namespace snapgen::mcp
