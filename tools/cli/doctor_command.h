#pragma once
// `snap doctor`: whether everything stands as the server and its hosts need it, and what to do where it does
// not.
#include "tools/cli/command.h"

namespace snapgen::tools {

void add_doctor(CLI::App& program, Chosen& chosen);

}  // namespace snapgen::tools
