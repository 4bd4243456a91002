#pragma once
// The folders of schema files whose generated readers are compared with other validators: those of this
// server, of the fixture, and the golden ones.
#include <memory>
#include <vector>

#include "codegen/stages/stages.h"

namespace snapgen::readers {

// A type whose reader implements its whole schema. A type that remains after null was separated has none.
struct ReadType {
  const codegen::SourceUnit* unit = nullptr;
  const codegen::Type* type = nullptr;
};

// Reads all folders, in a fixed order. Throws std::runtime_error if a file is invalid.
class SchemaSets {
 public:
  SchemaSets();

  const std::vector<std::unique_ptr<codegen::StageResults>>& sets() const { return sets_; }
  static std::vector<ReadType> types(const codegen::StageResults& set);

 private:
  std::vector<std::unique_ptr<codegen::StageResults>> sets_;
};

}  // namespace snapgen::readers
