#pragma once
// Converts a tool's error to text for models: "CODE: sentence, and what to do", followed by details that a
// next call needs.
#include <string>
#include <string_view>

namespace snapgen::tools {

// Converts `error`, the JSON of an error of any family. Any other text is returned unchanged.
std::string error_text(std::string_view error);

// Returns lines with the calls that an answer proposes. `actions` is its next_actions, a JSON array of
// schemas/facade/next_action.json.
std::string next_actions_text(std::string_view actions);

}  // namespace snapgen::tools
