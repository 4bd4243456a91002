#pragma once
// Roots are the folders that a client works in.
#include <vector>

#include "runtime/mcp/context.h"
#include "schemas/mcp/root.h"

namespace snapgen::mcp {

// Asks the client for its roots. For `timeout` see Question. Errors: unsupported (no roots capability, or
// this request cannot ask); unavailable (the client refused, did not answer in time, or its answer is
// unreadable); cancelled.
Task<std::vector<Root>> ask_for_roots(Context& context, Millis timeout = Millis(0));

// These two make the question of roots() and read its answer. Use them to ask several questions together
// (Context::ask()).
Result<Question> roots_question(const Context& context, std::string key);
Result<std::vector<Root>> roots_answer(std::string_view answer);

}  // namespace snapgen::mcp
