#pragma once
// emit_plan: writes a compiled schema as constant C++ data.
#include <string>

#include "runtime/json/schema/plan.h"

namespace snapgen::codegen {

// Returns definitions for an unnamed namespace within snapgen; the last is `const json::Plan NAME`. They need
// runtime/json/schema/plan.h.
std::string emit_plan(const json::Plan& plan, const std::string& name);

}  // namespace snapgen::codegen
