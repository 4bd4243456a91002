#pragma once
// Judges: the interpreting validator for the schema of each generated reader, and values with which both are
// compared.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/json/schema/compile.h"
#include "tests/readers/schema_sets.h"
#include "tests/readers/values.h"

namespace snapgen::readers {

class Judges {
 public:
  Judges();

  // The number of readers in table().
  std::size_t count() const { return judges_.size(); }
  // Returns the interpreter's violations for a value; empty if it is valid.
  std::vector<json::Violation> violations(std::size_t number, std::string_view text) const;
  std::string value(std::size_t number, const Values::Below& below) const;
  // Schemas of objects that reject additional members without having a keyword for it, such as tool
  // arguments.
  std::vector<codegen::SourceLocation> closed() const;

 private:
  struct Judge {
    std::size_t set = 0;
    const json::Node* schema = nullptr;
    std::shared_ptr<const json::OwnedPlan> plan;
    std::uint32_t root = 0;
  };
  SchemaSets sets_;
  std::vector<std::shared_ptr<json::SchemaResources>> resources_;  // one for each set
  std::vector<std::vector<std::string>> words_;                    // one for each set
  std::vector<Judge> judges_;
};

}  // namespace snapgen::readers
