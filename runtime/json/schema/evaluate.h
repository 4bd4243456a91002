#pragma once
// evaluate: checks a value against a schema's plan.
#include <cstdint>
#include <string_view>
#include <vector>

#include "runtime/json/reader.h"
#include "runtime/json/schema/failures.h"
#include "runtime/json/schema/plan.h"
#include "runtime/json/tree.h"

namespace snapgen::json {

// Limit of nested evaluations; deeper is a violation. It exceeds depth_max because each level of a text may
// be checked by several schemas.
inline constexpr int evaluation_depth_max = 1200;

// `root` is one of the roots that the plan was compiled from. Stops at the first violation.
bool fits(const Plan& plan, Value value, std::uint32_t root = 0);

// Returns all violations in text order, at most violations_max. The text of the value's tree must still
// exist. A valid value costs no more than with `fits`.
std::vector<Violation> evaluate(const Plan& plan, Value value, std::uint32_t root = 0);
// As above, by offset, unordered and possibly with repetitions.
Failures failures(const Plan& plan, Value value, std::uint32_t root = 0);
// As above for a whole text; syntax errors and duplicate keys are also violations ("syntax", "duplicate").
std::vector<Violation> evaluate(const Plan& plan, std::string_view text, std::uint32_t root = 0);

}  // namespace snapgen::json
