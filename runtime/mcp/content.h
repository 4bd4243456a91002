#pragma once
// What a tool without an output schema returns: plain text, or content blocks of its own making.
#include <optional>
#include <string>

#include "runtime/json/writer.h"

namespace snapgen::mcp {

// One text block.
struct Text {
  std::string text;
};

// Any content blocks, and what goes with them.
struct Content {
  std::string blocks = "[]";  // a JSON array of ContentBlock objects, canonical
  bool is_error = false;
  std::optional<json::Raw> structured;
};

}  // namespace snapgen::mcp
