#pragma once
// Files of a workspace that decide what the server or an AI host may do. No tool changes them: a model must
// not rewrite its own rules. The user's global settings can allow it by name (WriteRules).
#include <string_view>

namespace snapgen::core {

// Whether `path` is such a file, or is in such a folder, in any letter case and below any folder.
bool is_protected_path(std::string_view path);

// Whether `path` is a folder in which such files are: `.claude`, `a/.snapback`.
bool is_above_protected(std::string_view path);

}  // namespace snapgen::core
