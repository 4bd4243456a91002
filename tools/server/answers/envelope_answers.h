#pragma once
// Converts answers to text for models, for families with a common envelope and for tools that are unknown to
// this server.
#include <string>

#include "tools/server/answers/unformatted_answer.h"

namespace snapgen::tools {

// Returns the summary, the other members, and the proposed calls of a facade tool.
std::string facade_answer(const UnformattedAnswer& answered);
// Returns the answer of the browser or of the bridge.
std::string bridge_answer(const UnformattedAnswer& answered);
// Returns all structured content, whatever its schema.
std::string plain_answer(const UnformattedAnswer& answered);

}  // namespace snapgen::tools
