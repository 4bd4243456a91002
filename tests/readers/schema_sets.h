#pragma once
// The folders of schema files whose generated readers are compared with other validators: this server's, the
// fixture's and the golden ones.
#include <memory>
#include <vector>

#include "codegen/understand.h"

namespace snapgen::readers {

// A type that has a reader of its own, which reads all that its schema says: not what is left of a schema
// when null is told apart.
struct ReadType {
  const codegen::Unit* unit = nullptr;
  const codegen::Type* type = nullptr;
};

// Everything that the folders say, in one order wherever it is asked for. Throws std::runtime_error with
// what is wrong with the files.
class SchemaSets {
 public:
  SchemaSets();

  const std::vector<std::unique_ptr<codegen::Understood>>& sets() const { return sets_; }
  static std::vector<ReadType> types(const codegen::Understood& set);

 private:
  std::vector<std::unique_ptr<codegen::Understood>> sets_;
};

}  // namespace snapgen::readers
