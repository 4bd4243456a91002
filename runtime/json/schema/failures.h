#pragma once
// Failures: the violations found during an evaluation, and their messages. Part of the evaluator.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/json/schema/plan.h"
#include "runtime/json/tree.h"

namespace snapgen::json {

struct Failure {
  std::size_t offset;  // The value's offset in the text.
  std::string_view keyword;
  std::string message;
};
using Failures = std::vector<Failure>;

// Adds pointers and sorts by text order.
std::vector<Violation> violations(std::string_view text, Failures& failures);

// Whether the failures of one alternative suggest that it is the intended one rather than another. Any list
// is nearer than an empty `than`.
bool is_nearer(const Failures& failures, const Failures& than);

bool is_constant(const PlanConstant& constant, Value value);

std::string type_message(std::uint32_t types, Value value);
std::string constants_message(std::span<const PlanConstant> allowed, Value value);
std::string count_message(bool at_most, std::size_t limit, std::string_view unit, std::size_t found);
std::string contains_message(bool at_most, std::size_t limit, std::size_t found);
std::string number_message(std::string_view relation, std::string_view limit, Value value);
std::string none_fits_message(std::size_t count, const Failures& nearest);
// For a member that no keyword describes; proposes the name that was probably meant.
std::string unknown_message(const Plan& plan, std::span<const std::uint32_t> names, std::string_view key);
// For a member or item that no keyword evaluates.
std::string unknown_message(Value owner, Value value);

}  // namespace snapgen::json
