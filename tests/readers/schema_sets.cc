#include "tests/readers/schema_sets.h"

#include <set>
#include <stdexcept>
#include <utility>

#include "codegen/author/files.h"

namespace snapgen::readers {

SchemaSets::SchemaSets() {
  const std::vector<codegen::Settings> folders = {
      {.schemas = "schemas", .name_space = "snapgen::tools", .namespaces = {{"schemas/mcp", "snapgen::mcp"}}},
      {.schemas = "tests/fixture/schemas", .name_space = "fixture", .namespaces = {}},
      {.schemas = "tests/codegen/golden", .name_space = "golden", .namespaces = {}}};
  for (const codegen::Settings& folder : folders) {
    std::vector<codegen::SourceText> texts;
    if (!codegen::read_folder(SNAPGEN_SOURCE_ROOT, folder.schemas, true, texts))
      throw std::runtime_error("can't read " + folder.schemas);
    sets_.push_back(std::make_unique<codegen::StageResults>(codegen::run_stages(std::move(texts), folder)));
    const std::vector<std::string> findings = sets_.back()->findings.lines();
    if (!findings.empty()) throw std::runtime_error(findings.front());
  }
}

std::vector<ReadType> SchemaSets::types(const codegen::StageResults& set) {
  std::set<const codegen::Type*> inner;
  for (const auto& type : set.model.types)
    if (type->form == codegen::Type::Form::nullable && type->item->schema->node == type->schema->node)
      inner.insert(type->item);
  std::vector<ReadType> found;
  for (const codegen::SourceUnit& unit : set.model.units)
    for (const codegen::Type* type : unit.types)
      if (type->declared && type->schema->node && !inner.count(type))
        found.push_back({.unit = &unit, .type = type});
  return found;
}

}  // namespace snapgen::readers
