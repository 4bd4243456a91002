#pragma once
// Roots: the folders that a client says it works in.
#include <vector>

#include "runtime/mcp/context.h"
#include "schemas/mcp/root.h"

namespace snapgen::mcp {

// `patience`: how long a stateful client has to answer; zero: as long as a call may wait
// (Question::patience). Errors: unsupported (the client does not tell, or this request cannot ask);
// unavailable (it refused, did not answer in time, or its answer can't be read); cancelled.
Task<std::vector<Root>> roots(Context& context, Millis patience = Millis(0));

// The two halves of roots(), for whoever asks several questions at once (Context::ask).
Result<Question> roots_question(const Context& context, std::string key);
Result<std::vector<Root>> roots_answer(std::string_view answer);

}  // namespace snapgen::mcp
