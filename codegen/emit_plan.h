#pragma once
// emit_plan: a compiled schema as constant data of C++.
#include <string>

#include "runtime/json/schema/plan.h"

namespace snapgen::codegen {

// Definitions for an unnamed namespace within snapgen; the last is `const json::Plan NAME`. They need
// runtime/json/schema/plan.h.
std::string emit_plan(const json::Plan& plan, const std::string& name);

}  // namespace snapgen::codegen
