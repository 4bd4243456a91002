#pragma once
// Failures: what did not fit, while a value is evaluated, and how it is said. Part of the evaluator.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/json/schema/plan.h"
#include "runtime/json/tree.h"

namespace snapgen::json {

struct Failure {
  std::size_t offset;  // Of the value in the text.
  std::string_view keyword;
  std::string message;
};
using Failures = std::vector<Failure>;

// With their pointers, in the order of the text.
std::vector<Violation> violations(std::string_view text, Failures& failures);

// Whether the failures of an alternative say more of what was meant than those of another; none say nothing.
bool is_nearer(const Failures& failures, const Failures& than);

bool is_constant(const PlanConstant& constant, Value value);

std::string type_message(std::uint32_t types, Value value);
std::string constants_message(std::span<const PlanConstant> allowed, Value value);
std::string count_message(bool at_most, std::size_t limit, std::string_view unit, std::size_t found);
std::string contains_message(bool at_most, std::size_t limit, std::size_t found);
std::string number_message(std::string_view relation, std::string_view limit, Value value);
std::string none_fits_message(std::size_t count, const Failures& nearest);
// Of a member that no keyword names, with the name that was probably meant.
std::string unknown_message(const Plan& plan, std::span<const std::uint32_t> names, std::string_view key);
// Of a member or item that nothing evaluates.
std::string unknown_message(Value owner, Value value);

}  // namespace snapgen::json
