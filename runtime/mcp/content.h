#pragma once
// What a tool returns besides its output: plain text, content blocks of its own making, a summary.
#include <optional>
#include <string>

#include "runtime/json/writer.h"

namespace snapgen::mcp {

// One text block.
struct Text {
  std::string text;
};

// What a tool returns whose result is shown in words, too. `summary`: a sentence or two.
template <class Output>
struct Summarized {
  Output output;
  std::string summary;
};

// Any content blocks, and what goes with them.
struct Content {
  std::string blocks = "[]";  // a JSON array of ContentBlock objects, canonical
  bool is_error = false;
  std::optional<json::Raw> structured;
};

}  // namespace snapgen::mcp
