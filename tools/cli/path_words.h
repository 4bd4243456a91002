#pragma once
// Displays paths. Tools return some names in base64 (engine/files/path.h).
#include <string>
#include <string_view>

namespace snapgen::tools {

// The name itself if it is text, such as a\b and ~x, which tools encode. Names that are not UTF-8, contain
// control characters, or begin with base64: remain in base64, which Caller::paths() accepts.
std::string shown_path(std::string_view text);

}  // namespace snapgen::tools
