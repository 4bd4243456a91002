#pragma once
// Keywords: reads one JSON object of a schema file, keyword by keyword. Part of the check stage.
//
// The known keywords are those of draft 2020-12; any other is a finding. Otherwise, a limit that this code
// does not understand would be promised to clients, but not enforced. Constraints that no struct can express
// are stored in `validator_constraints`.
#include <functional>
#include <vector>

#include "codegen/front/schema.h"

namespace snapgen::codegen {

struct KeywordContext {
  Findings& findings;
  // Returns the schema at a node; that schema may not have been read yet.
  std::function<const Schema*(const json::Node&, const SourceLocation&)> schema_at;
  bool formats_asserted = false;
  // The schema is the root of a file, so `$schema` and the file's x-snapgen are allowed.
  bool is_file_root = false;
  bool is_foreign = false;  // The schema is foreign: unknown keywords and x-snapgen are ignored.
  // The schema has draft 7: `items` may be a list, and keywords beside a `$ref` are ignored.
  bool draft7 = false;
  bool has_single_target = false;  // The $ref or $dynamicRef of the schema has exactly one possible target.
};

// The keywords of one schema itself, and the schemas to merge with it.
struct OwnKeywords {
  Schema own;
  std::vector<const Schema*> all_of;
  bool closed_when_merged = false;  // The keyword unevaluatedProperties is false.
  bool open_when_merged = false;    // The keyword unevaluatedProperties is true.
};

OwnKeywords read_keywords(const json::Node& node, const SourceLocation& location,
                          const KeywordContext& context);

// Returns every known keyword, sorted.
std::vector<std::string_view> known_keywords();

Constant constant_of(const json::Node& node);

// Returns the advice for an unsupported or mistaken keyword of JSON Schema; empty if there is none.
std::string_view keyword_advice(std::string_view keyword);

// Returns the JSON type for a name in other languages: integer for `int`. Empty if there is none.
std::string_view json_type_for(std::string_view name);

// Returns the end of a sentence that proposes a format of JSON Schema, if `name` is only similar to one.
std::string similar_format(std::string_view name);

}  // namespace snapgen::codegen
