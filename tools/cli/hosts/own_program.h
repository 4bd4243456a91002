#pragma once
// Finds the path of this program, which hosts' entries name.
#include <string>

namespace snapgen::tools {

// Returns the absolute path of the running executable. If it has a link `snap` or `snapback` beside it,
// returns that path. Empty if the system does not report it.
std::string own_program_path();

// Returns whether the two paths lead to the same file.
bool is_same_file(const std::string& a, const std::string& b);

}  // namespace snapgen::tools
