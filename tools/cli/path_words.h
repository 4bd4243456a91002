#pragma once
// Paths as people see them. Tools answer with texts of paths, which spell some names in base64
// (engine/files/path.h).
#include <string>
#include <string_view>

namespace snapgen::tools {

// The name itself where it is text: a\b and ~x, which tools spell in base64. What is no text or holds
// control characters, and what itself begins with base64:, is in base64, and can be typed so
// (Caller::paths()).
std::string shown_path(std::string_view text);

}  // namespace snapgen::tools
