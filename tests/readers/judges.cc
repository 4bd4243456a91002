#include "tests/readers/judges.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "codegen/front/check.h"
#include "codegen/front/resolve.h"
#include "runtime/json/schema/evaluate.h"

namespace snapgen::readers {

Judges::Judges() {
  for (std::size_t i = 0; i < sets_.sets().size(); ++i) {
    const codegen::StageResults& set = *sets_.sets()[i];
    json::SchemaProblems problems;
    resources_.push_back(codegen::make_schema_resources(set.sources, problems));
    words_.push_back({"a", "b", "", "x-a", "Zebra", "src/main.rs", "2026-01-31", "😀"});
    std::map<const codegen::File*, std::vector<const json::Node*>> roots;
    for (const auto& file : set.sources.files) Values::collect_words(file->document.root, words_.back());
    for (const auto& [unit, type] : SchemaSets::types(set)) roots[unit->file].push_back(type->schema->node);
    std::map<const codegen::File*, std::shared_ptr<const json::OwnedPlan>> plans;
    for (const auto& [file, schemas] : roots)
      plans[file] = json::compile_plan(*resources_.back(), schemas,
                                       {.formats_asserted = codegen::formats_asserted(*file),
                                        .rejects_unknown_members =
                                            [&set](const json::Node& schema) {
                                              return set.checked.closed_inputs.count(&schema) != 0 ||
                                                     set.model.closed_objects.count(&schema) != 0;
                                            }},
                                       problems);
    if (!problems.empty()) throw std::runtime_error(problems.front().message);
    std::map<const codegen::File*, std::uint32_t> next;
    for (const auto& [unit, type] : SchemaSets::types(set))
      judges_.push_back(
          {.set = i, .schema = type->schema->node, .plan = plans[unit->file], .root = next[unit->file]++});
    std::sort(words_.back().begin(), words_.back().end());
    words_.back().erase(std::unique(words_.back().begin(), words_.back().end()), words_.back().end());
  }
}

std::vector<json::Violation> Judges::violations(std::size_t number, std::string_view text) const {
  return json::evaluate(judges_[number].plan->plan(), text, judges_[number].root);
}

std::string Judges::value(std::size_t number, const Values::Below& below) const {
  const Judge& judge = judges_[number];
  return Values(*resources_[judge.set], words_[judge.set], below).of(*judge.schema);
}

std::vector<codegen::SourceLocation> Judges::closed() const {
  std::vector<codegen::SourceLocation> found;
  for (const auto& set : sets_.sets())
    for (const auto& [node, at] : set->resolved.schemas)
      if (set->checked.closed_inputs.count(node) || set->model.closed_objects.count(node))
        found.push_back(at.location);
  return found;
}

}  // namespace snapgen::readers
