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

// The limit of nested evaluations; more is a violation. It exceeds depth_max, because several nested schemas
// may check the same level of a text.
inline constexpr int evaluation_depth_max = 1200;

// Whether the value is valid by the root schema with the index `root`. Stops at the first violation.
bool fits(const Plan& plan, Value value, std::uint32_t root = 0);

// Returns all violations in text order, at most violations_max. The text of the value's tree must still
// exist. A valid value takes no longer than with fits().
std::vector<Violation> evaluate(const Plan& plan, Value value, std::uint32_t root = 0);
// Returns the violations with offsets instead of pointers, unordered and possibly with repetitions.
Failures failures(const Plan& plan, Value value, std::uint32_t root = 0);
// Parses and checks a text. Syntax errors and duplicate keys are also violations ("syntax", "duplicate").
std::vector<Violation> evaluate(const Plan& plan, std::string_view text, std::uint32_t root = 0);

}  // namespace snapgen::json
