#pragma once
// Answers of families with a common envelope, and of tools unknown to this server, as text for models.
#include <string>

#include "tools/server/answers/unformatted_answer.h"

namespace snapgen::tools {

// The summary, the other members, and the proposed calls.
std::string facade_text(const UnformattedAnswer& answered);
// The answer of the browser or the bridge.
std::string bridge_text(const UnformattedAnswer& answered);
// All structured content, whatever its schema.
std::string plain_text(const UnformattedAnswer& answered);

}  // namespace snapgen::tools
