#pragma once
// resolve: the second stage. Finds every place in the files where a schema stands, and what each `$ref`
// means.
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "codegen/load.h"
#include "runtime/json/schema/inner.h"
#include "runtime/json/schema/resources.h"

namespace snapgen::codegen {

struct SchemaAt {
  SourceLocation place;
  const json::Node* node = nullptr;
};

struct Resolved {
  std::map<const json::Node*, SchemaAt> schemas;  // Every schema of every file.
  std::map<const json::Node*, const json::Node*>
      targets;                                 // From a schema that has a `$ref` to what it means.
  std::map<const json::Node*, bool> referred;  // Schemas that some `$ref` means.
  std::map<const json::Node*, bool> opaque;    // Schemas of others that get no shape.
  // Every schema with its name and dialect; null where no schema has a name but its place.
  std::shared_ptr<json::SchemaResources> named;
  bool dynamic = false;  // What some $dynamicRef means depends on the way that led to it.
};

// A `$ref` is a path to another file, relative to its own, a JSON Pointer behind `#`, or both; or the `$id`
// or the anchor of a schema. What it means must be a schema of a file that was loaded, and following `$ref`s
// must come to an end. A `$dynamicRef` is among the targets where only one schema has its anchor.
Resolved resolve(const Sources& sources, Findings& findings);
// Of schemas of others: what a reference means, `named` says.
Resolved resolve_foreign(const Sources& sources, std::shared_ptr<json::SchemaResources> named,
                         Findings& findings);

// All files by their paths, with every schema in them, for the general validator.
std::shared_ptr<json::SchemaResources> add_resources(const Sources& sources, json::SchemaProblems& problems);
// Whether the schema is of draft 7, where a $ref stands alone whatever is beside it.
bool is_draft7(const Resolved& resolved, const json::Node& schema);

// The pointer tokens of an inner schema appended to a place.
SourceLocation place_of(const SourceLocation& outer, const json::InnerSchema& inner);

}  // namespace snapgen::codegen
