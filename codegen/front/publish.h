#pragma once
// publish: makes schemas as tools/list shows them: canonical, `$ref` inlined, `allOf` merged, without
// keywords that hosts reject.
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "codegen/front/check.h"

namespace snapgen::codegen {

// Removes a root's `if`, `dependentRequired`, `dependentSchemas` and `not`, because hosts drop tools that
// have them (the description states them in words). Objects without `properties` get an empty one for hosts
// that require it. A recursive schema cannot be inlined and is a finding. The exception is recursion by
// $dynamicRef, which is shown as any value of its type. A published schema never rejects a
// value that the reader accepts. With conditionals `included`, for comparisons, alternatives that only
// require members are written beside the other keywords, as in the file.
enum class RootConditionals : std::uint8_t { omitted, included };
std::string published_schema(const Schema& root, Findings& findings,
                             RootConditionals conditions = RootConditionals::omitted);

// Returns the name of a schema's definition in a bundle; empty if the schema is written where it is used.
using DefinitionName = std::function<std::string(const Schema&)>;

// Returns a definition for a bundle of plain JSON Schema. It is as published_schema() returns it, but every
// schema inside it that has a name is a reference to `#/$defs/NAME`. It has neither `format`, which
// validators reject or ignore without options, nor a list of types, which Ajv warns of.
std::string bundled_schema(const Schema& root, const DefinitionName& name_of);

// Return an object in canonical form and an array; the values of `members` and `items` are JSON.
std::string json_object(const std::map<std::string, std::string>& members);
std::string json_array(const std::vector<std::string>& items);

// Checks that every array in the published schemas has `items`.
void check_arrays_have_items(const ToolFile& tool, Findings& findings);

}  // namespace snapgen::codegen
