#pragma once
// What a tool returns besides its output: plain text, content blocks of its own making, a summary.
#include <optional>
#include <string>
#include <vector>

#include "runtime/json/writer.h"
#include "schemas/mcp/resource_link.h"

namespace snapgen::mcp {

// One text block.
struct Text {
  std::string text;
};

// What a tool returns whose result is shown in words, too.
template <class Output>
struct Summarized {
  Output output;
  std::string summary;                // A sentence or two; may be empty.
  std::vector<ResourceLink> links{};  // To what is too large to stand in the output.
};

// Any content blocks, and what goes with them.
struct Content {
  std::string blocks = "[]";  // a JSON array of ContentBlock objects, canonical
  bool is_error = false;
  std::optional<json::Raw> structured;
};

}  // namespace snapgen::mcp
