#pragma once
// Roots: the folders that a client says it works in.
#include <vector>

#include "runtime/mcp/context.h"
#include "schemas/mcp/root.h"

namespace snapgen::mcp {

// Errors: unsupported (the client does not tell); unavailable (it refused, or its answer can't be read);
// cancelled.
Task<std::vector<Root>> roots(Context& context);

// The two halves of roots(), for whoever asks several questions at once (Context::ask).
Result<Question> roots_question(const Context& context, std::string key);
Result<std::vector<Root>> roots_answer(std::string_view answer);

}  // namespace snapgen::mcp
