#pragma once
// Failures: the violations that the evaluator finds, and the functions that make their messages.
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

// Returns the failures in text order, with JSON Pointers and without duplicates. Sorts `failures`.
std::vector<Violation> to_violations(std::string_view text, Failures& failures);

// Whether `failures` of one alternative for `value` suggest that it was meant rather than the alternative
// with the failures `than`. Any list is nearer than an empty `than`.
bool is_nearer(Value value, const Failures& failures, const Failures& than);

bool equals_constant(const PlanConstant& constant, Value value);

std::string type_message(std::uint32_t types, Value value);
std::string constants_message(std::span<const PlanConstant> allowed, Value value);
std::string count_message(bool at_most, std::size_t limit, std::string_view unit, std::size_t found);
std::string contains_message(bool at_most, std::size_t limit, std::size_t found);
std::string number_message(std::string_view relation, std::string_view limit, Value value);
// `alternatives` are the schemas of `oneOf` or `anyOf`, and `nearest` are the failures of one of them.
std::string none_fits_message(const Plan& plan, std::span<const std::uint32_t> alternatives, Value value,
                              const Failures& nearest);
// `fitting` are the schemas of `oneOf` that the value fits.
std::string several_fit_message(const Plan& plan, std::span<const std::uint32_t> fitting, Value value);
// Returns the message for a value that fits the schema of `not`.
std::string inverse_message(const Plan& plan, std::uint32_t schema, Value value);
// Returns the message for an unknown member, with the name in `names` that was probably meant.
std::string unknown_member_message(const Plan& plan, std::span<const std::uint32_t> names,
                                   std::string_view key);
// Returns the message for a member or item that unevaluatedProperties or unevaluatedItems rejects.
std::string unevaluated_message(Value owner, Value value);

}  // namespace snapgen::json
