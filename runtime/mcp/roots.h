#pragma once
// Roots are the folders that a client works in.
#include <vector>

#include "runtime/mcp/context.h"
#include "schemas/mcp/root.h"

namespace snapgen::mcp {

// `patience`: see Question::patience. Errors: unsupported (no roots capability, or this request cannot ask);
// unavailable (the client refused, did not answer in time, or its answer is unreadable); cancelled.
Task<std::vector<Root>> roots(Context& context, Millis patience = Millis(0));

// The two halves of roots(), for a caller that asks several questions together (Context::ask()).
Result<Question> roots_question(const Context& context, std::string key);
Result<std::vector<Root>> roots_answer(std::string_view answer);

}  // namespace snapgen::mcp
