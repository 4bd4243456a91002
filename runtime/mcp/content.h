#pragma once
// The types that a tool may return besides its output: plain text, content blocks, an output with a summary.
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
  std::vector<ResourceLink> links{};  // To content that is too large for the output.
};

// Any content blocks, with an optional structured result.
struct Content {
  std::string blocks = "[]";  // a JSON array of ContentBlock objects, canonical
  bool is_error = false;
  std::optional<json::Raw> structured;
};

}  // namespace snapgen::mcp
