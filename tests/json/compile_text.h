#pragma once
// compile_plan() for a schema text, for tests of plans.
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/base/result.h"
#include "runtime/json/schema/compile.h"

namespace snapgen::json {

// Compiles a schema text that refers only to itself and to metaschemas. Errors: invalid_argument (the first
// problem, as `line:column: /pointer: sentence`).
inline Result<std::unique_ptr<OwnedPlan>> compile_plan(std::string_view schema,
                                                       const PlanOptions& options = {}) {
  const auto problem_error = [&](std::size_t offset, const std::string& message) {
    const LineColumn place = line_column_at(schema, offset);
    const std::string pointer = parse_document(schema).ok() ? pointer_at(schema, offset) : std::string();
    return Error(ErrorCode::invalid_argument, std::to_string(place.line) + ":" +
                                                  std::to_string(place.column) + ": " +
                                                  (pointer.empty() ? "" : pointer + ": ") + message);
  };
  const Document document = parse_document(schema);
  if (!document.ok())
    return problem_error(document.problems.front().offset, document.problems.front().message);
  if (!document.root.is(Kind::object) && !document.root.is(Kind::boolean))
    return problem_error(0, "a schema is an object, true or false");
  SchemaResources resources;
  SchemaProblems problems;
  resources.add("", document.root, problems);
  std::unique_ptr<OwnedPlan> plan = compile_plan(resources, {&document.root}, options, problems);
  if (!problems.empty()) return problem_error(problems.front().offset, problems.front().message);
  return plan;
}

}  // namespace snapgen::json
