#pragma once
// Converts paths for display. Tools return some names in base64 (engine/files/path.h).
#include <string>
#include <string_view>

namespace snapgen::tools {

// Returns the name itself if it is text, also if tools encode it, such as a\b and ~x. Names that are not
// UTF-8, contain control characters, or begin with base64: remain in base64, which
// ToolCaller::resolve_paths() accepts.
std::string displayed_path(std::string_view text);

}  // namespace snapgen::tools
