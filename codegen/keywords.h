#pragma once
// Keywords: what one JSON object of a schema file says, keyword by keyword. Part of the check stage.
//
// The list is closed: it has every keyword of draft 2020-12, and one that is not on it is a finding, since a
// limit that is not understood must not be promised to clients and then not kept. What is said in no struct
// is in `beyond`.
#include <functional>
#include <vector>

#include "codegen/schema.h"

namespace snapgen::codegen {

struct KeywordContext {
  Findings& findings;
  // The schema that stands at a node, which may not be read yet.
  std::function<const Schema*(const json::Node&, const SourceLocation&)> schema;
  bool formats_asserted = false;
  bool file_root = false;  // `$schema` and the file's own x-snapgen may stand here.
  bool foreign =
      false;  // A schema of others: a keyword that is not known says nothing, and neither does x-snapgen.
  bool draft7 = false;    // Its draft: `items` may be a list, and beside a `$ref` nothing counts.
  bool referred = false;  // The $ref or $dynamicRef of this schema is known to mean one schema.
};

// What one schema says by itself, and which schemas are to be merged with it.
struct Said {
  Schema own;
  std::vector<const Schema*> all_of;
  bool closed_when_merged = false;  // unevaluatedProperties is false.
  bool open_when_merged = false;    // It is true.
};

Said read_keywords(const json::Node& node, const SourceLocation& place, const KeywordContext& context);

// Every keyword that is known, sorted.
std::vector<std::string_view> known_keywords();

Constant constant_of(const json::Node& node);

}  // namespace snapgen::codegen
