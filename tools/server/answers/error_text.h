#pragma once
// An error of a tool as text for models: "CODE: sentence, and what to do", and below it what a next call
// needs.
#include <string>
#include <string_view>

namespace snapgen::tools {

// `error`: the JSON of an error in the form of any family. A text that is none is returned as it is.
std::string error_text(std::string_view error);

// Lines that name the calls an answer proposes. `actions`: its next_actions, a JSON array of
// schemas/facade/next_action.json.
std::string proposals_text(std::string_view actions);

}  // namespace snapgen::tools
