#pragma once
// The types that a tool's handler may return instead of just an output: plain text, content blocks, or an
// output with a summary.
#include <optional>
#include <string>
#include <vector>

#include "runtime/json/writer.h"
#include "schemas/mcp/resource_link.h"

namespace snapgen::mcp {

struct Text {
  std::string text;
};

// An output with a summary for readers.
template <class Output>
struct Summarized {
  Output output;
  std::string summary;                // One or two sentences; may be empty.
  std::vector<ResourceLink> links{};  // Links to content too large for the output.
};

// Any content blocks, with an optional structured result.
struct Content {
  std::string blocks = "[]";  // a JSON array of ContentBlock objects, in canonical form
  bool is_error = false;
  std::optional<json::Raw> structured;
};

}  // namespace snapgen::mcp
