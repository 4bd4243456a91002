#pragma once
// The answers of the families whose tools share an envelope, and of tools that this server does not know, as
// text for models.
#include <string>

#include "tools/server/answers/answered.h"

namespace snapgen::tools {

// The summary, what the answer has besides, and the calls that it proposes.
std::string facade_text(const Answered& answered);
// What the browser or the bridge answered.
std::string bridge_text(const Answered& answered);
// Structured content of any shape: all of it.
std::string plain_text(const Answered& answered);

}  // namespace snapgen::tools
