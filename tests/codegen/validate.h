#pragma once
// validate: whether a JSON tree fits a schema, by interpretation: the oracle that tests compare generated
// readers and the answers of tools with. It shares nothing with the plans and readers but the schema's own
// model.
#include <string>
#include <vector>

#include "codegen/schema.h"
#include "runtime/json/document.h"

namespace snapgen::codegen {

struct Misfit {
  std::string pointer;  // From the value that was validated.
  std::string keyword;
  std::string message;
};

std::vector<Misfit> validate(const Schema& schema, const json::Node& value);

}  // namespace snapgen::codegen
