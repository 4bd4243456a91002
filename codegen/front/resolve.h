#pragma once
// resolve: the second stage. It finds every schema in the files and the target of every `$ref`.
#include <map>
#include <memory>

#include "codegen/front/load.h"
#include "runtime/json/schema/resources.h"

namespace snapgen::codegen {

struct LocatedSchema {
  SourceLocation location;
  const json::Node* node = nullptr;
};

struct ResolvedSchemas {
  std::map<const json::Node*, LocatedSchema> schemas;      // All schemas in all files.
  std::map<const json::Node*, const json::Node*> targets;  // The target of each schema that has a `$ref`.
  std::map<const json::Node*, bool> referenced_schemas;    // Schemas that are the target of a `$ref`.
  std::map<const json::Node*, bool> opaque_schemas;        // Foreign schemas that cannot become structs.
  // Every schema with its name and dialect. Null if schemas are named only by their location.
  std::shared_ptr<json::SchemaResources> resources;
  bool has_dynamic_targets = false;  // The target of a $dynamicRef depends on the evaluation path.
};

// Finds the target of every reference. A `$ref` is a path relative to its file, a JSON Pointer after `#`, or
// both; or the `$id` or anchor of a schema. Its target must be a schema of a loaded file, and chains of
// `$ref` must end. A `$dynamicRef` has a target only if one schema has its anchor.
ResolvedSchemas resolve(const Sources& sources, Findings& findings);
// Does as resolve(), for foreign schemas, whose references `named` resolves.
ResolvedSchemas resolve_foreign(const Sources& sources, std::shared_ptr<json::SchemaResources> named,
                                Findings& findings);

// Makes the resources of the general validator: every file by its path, with all of its schemas.
std::shared_ptr<json::SchemaResources> make_schema_resources(const Sources& sources,
                                                             json::SchemaProblems& problems);
// Returns whether the schema has draft 7, in which keywords beside a $ref are ignored.
bool is_draft7(const ResolvedSchemas& resolved, const json::Node& schema);

// Returns the location of an inner schema.
SourceLocation subschema_location(const SourceLocation& outer, const json::Subschema& inner);

}  // namespace snapgen::codegen
