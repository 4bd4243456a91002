#pragma once
// evaluate: whether a value fits a schema, by its plan.
#include <cstdint>
#include <string_view>
#include <vector>

#include "runtime/json/reader.h"
#include "runtime/json/schema/failures.h"
#include "runtime/json/schema/plan.h"
#include "runtime/json/tree.h"

namespace snapgen::json {

// Evaluations within each other, of schemas that refer to schemas; deeper is a violation. (A text may be
// depth_max deep, and each of its levels pass several schemas.)
inline constexpr int evaluation_depth_max = 1200;

// `root` is one of the roots that the plan was compiled from.
// Stops at the first thing that does not fit.
bool fits(const Plan& plan, Value value, std::uint32_t root = 0);

// Everything that does not fit, in the order of the text; violations_max at most. The value is one of a tree
// whose text is still there. A value that fits costs no more than by `fits`.
std::vector<Violation> evaluate(const Plan& plan, Value value, std::uint32_t root = 0);
// The same by their places in the text, unordered, and each as often as it was found.
Failures failures(const Plan& plan, Value value, std::uint32_t root = 0);
// The same for a whole text; no JSON and duplicate keys are violations too ("syntax", "duplicate").
std::vector<Violation> evaluate(const Plan& plan, std::string_view text, std::uint32_t root = 0);

}  // namespace snapgen::json
