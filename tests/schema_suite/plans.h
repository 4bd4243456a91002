#pragma once
// The compiled validators of the suites.
#include <span>

#include "runtime/json/schema/plan.h"

namespace snapgen::schema_suite {

// Validators in the order of the suite's groups; null if a schema could not be compiled.
std::span<const json::Plan* const> plans_corpus();
std::span<const json::Plan* const> plans_corpus7();
std::span<const json::Plan* const> plans_official();   // Empty if this machine does not have the suite.
std::span<const json::Plan* const> plans_official7();  // Empty if this machine does not have the suite.

}  // namespace snapgen::schema_suite
