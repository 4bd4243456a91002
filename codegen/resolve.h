#pragma once
// resolve: the second stage. It finds every schema in the files and the target of every `$ref`.
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
  std::map<const json::Node*, SchemaAt> schemas;           // Every schema of every file.
  std::map<const json::Node*, const json::Node*> targets;  // From each schema with a `$ref` to its target.
  std::map<const json::Node*, bool> referred;              // Schemas that are the target of a `$ref`.
  std::map<const json::Node*, bool> opaque;                // Foreign schemas that get no shape.
  // Every schema with its name and dialect; null if schemas have no names except their location.
  std::shared_ptr<json::SchemaResources> named;
  bool dynamic = false;  // The target of some $dynamicRef depends on the evaluation path.
};

// A `$ref` is a path relative to its file, a JSON Pointer after `#`, or both; or the `$id` or anchor of a
// schema. Its target must be a schema of a loaded file, and chains of `$ref`s must end. A `$dynamicRef` is a
// target only if one schema has its anchor.
Resolved resolve(const Sources& sources, Findings& findings);
// For foreign schemas; `named` resolves their references.
Resolved resolve_foreign(const Sources& sources, std::shared_ptr<json::SchemaResources> named,
                         Findings& findings);

// Adds every file by its path, with all of its schemas, for the general validator.
std::shared_ptr<json::SchemaResources> add_resources(const Sources& sources, json::SchemaProblems& problems);
// Whether the schema is of draft 7, where keywords beside a $ref are ignored.
bool is_draft7(const Resolved& resolved, const json::Node& schema);

// The location of an inner schema.
SourceLocation place_of(const SourceLocation& outer, const json::InnerSchema& inner);

}  // namespace snapgen::codegen
