#pragma once
// The compiled validators of the suites.
#include <span>

#include "runtime/json/schema/plan.h"

namespace snapgen::schema_suite {

// Validators in the order of the suite's groups; null if a schema could not be compiled.
std::span<const json::Plan* const> plans_corpus();
std::span<const json::Plan* const> plans_corpus7();
std::span<const json::Plan* const> plans_official();   // Empty if the suite is not on the machine.
std::span<const json::Plan* const> plans_official7();  // The same.

}  // namespace snapgen::schema_suite
