#pragma once
// Files of a workspace that control what the server or an AI host may do. Tools never change them, because a
// model must not rewrite its own rules. The user's global settings can permit it by name (WriteRules).
#include <string_view>

namespace snapgen::core {

// Whether `path` is a protected file, or is in a protected folder, in any letter case and at any depth.
bool is_protected_path(std::string_view path);

// Whether `path` is a folder that can contain protected files: `.claude`, `a/.snapback`.
bool is_above_protected(std::string_view path);

}  // namespace snapgen::core
