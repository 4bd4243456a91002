#pragma once
// Keywords: reads one JSON object of a schema file, keyword by keyword. Part of the check stage.
//
// The list is closed: it has every keyword of draft 2020-12, and any other is a finding. A limit that is not
// understood would be promised to clients but not enforced. Constraints that no struct can express are stored
// in `validator_constraints`.
#include <functional>
#include <vector>

#include "codegen/schema.h"

namespace snapgen::codegen {

struct KeywordContext {
  Findings& findings;
  // Returns the schema at a node, which may not have been read yet.
  std::function<const Schema*(const json::Node&, const SourceLocation&)> schema;
  bool formats_asserted = false;
  bool file_root = false;  // `$schema` and the file's x-snapgen are allowed.
  bool foreign = false;    // A foreign schema: unknown keywords and x-snapgen are ignored.
  bool draft7 = false;     // Draft 7: `items` may be a list, and keywords beside a `$ref` are ignored.
  bool referred = false;   // Its $ref or $dynamicRef has exactly one possible target.
};

// One schema's own keywords, and the schemas to merge with it.
struct OwnKeywords {
  Schema own;
  std::vector<const Schema*> all_of;
  bool closed_when_merged = false;  // unevaluatedProperties is false.
  bool open_when_merged = false;    // unevaluatedProperties is true.
};

OwnKeywords read_keywords(const json::Node& node, const SourceLocation& place, const KeywordContext& context);

// Every known keyword, sorted.
std::vector<std::string_view> known_keywords();

Constant constant_of(const json::Node& node);

}  // namespace snapgen::codegen
