#pragma once
// The path of this program for hosts' entries.
#include <string>

namespace snapgen::tools {

// The absolute path of the running executable, by its name `snap` or `snapback` if it has one beside it;
// empty if the system does not report it.
std::string own_program();

// Whether the two paths lead to the same file.
bool is_same_file(const std::string& a, const std::string& b);

}  // namespace snapgen::tools
