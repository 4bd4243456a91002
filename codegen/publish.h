#pragma once
// publish: schemas as tools/list shows them: canonical, every `$ref` inlined, `allOf` merged, without what
// hosts refuse.
#include <cstdint>
#include <map>
#include <string>

#include "codegen/check.h"

namespace snapgen::codegen {

// A root's `if`, `dependentRequired`, `dependentSchemas` and `not` are left out: hosts drop tools that have
// them. (The description says in words what they ask.) An object without `properties` gets an empty one,
// since some hosts want it. A schema that contains itself can't be inlined and is a finding, but for what a
// $dynamicRef brings back, which is shown once and then as any value of its type: what is published may
// refuse less than the reader does, never more.
enum class RootConditions : std::uint8_t { left_out, kept };
std::string published(const Schema& root, Findings& findings,
                      RootConditions conditions = RootConditions::left_out);

// A canonical object of these values, which are JSON.
std::string json_object(const std::map<std::string, std::string>& members);

// Published schemas have `items` in every array.
void check_published(const ToolFile& tool, Findings& findings);

}  // namespace snapgen::codegen
