#pragma once
// validate: an interpreting validator, with which tests compare generated readers and tool results. It shares
// only the schema model with the plans and readers.
#include <string>
#include <vector>

#include "codegen/front/schema.h"
#include "runtime/json/document.h"

namespace snapgen::codegen {

struct Misfit {
  std::string pointer;  // Starts at the validated value.
  std::string keyword;
  std::string message;
};

std::vector<Misfit> validate(const Schema& schema, const json::Node& value);

}  // namespace snapgen::codegen
