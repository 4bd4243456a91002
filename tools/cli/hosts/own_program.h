#pragma once
// This program, as hosts shall start it.
#include <string>

namespace snapgen::tools {

// The absolute path of the running executable, by the name `snap` if it stands beside it under that name;
// empty if the system does not tell.
std::string own_program();

// Whether both lead to one file.
bool is_same_file(const std::string& a, const std::string& b);

}  // namespace snapgen::tools
