#pragma once
// Schema documents, and the schemas in them that `$id`, `$anchor` and `$dynamicAnchor` name.
//
// Documents are added under their URI, or fetched when a reference names an unknown one. The metaschemas of
// drafts 2020-12 and 7 are built in. `$schema`, or else a default, selects the dialect: one of those drafts,
// or the vocabularies of a custom metaschema. Any other draft is a problem.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/json/document.h"

namespace snapgen::json {

// subschemas() finds the schemas directly within a schema, by the keywords of drafts 2020-12 and 7.
// Whether `node` can be a schema: an object, true or false.
bool can_be_schema(const Node& node);

struct Subschema {
  std::string_view keyword;
  bool single = false;  // The keyword has one schema, neither a list nor a map.
  std::string name;     // The key in a map; the index in a list.
  std::size_t name_offset = 0;
  const Node* node = nullptr;
};

// Returns the schemas in document order, without nodes that cannot be schemas. `schema` must outlive them.
std::vector<Subschema> subschemas(const Node& schema);

// An error in a schema document.
struct SchemaProblem {
  std::string document;    // The document's URI.
  std::size_t offset = 0;  // The offset in the document's text.
  std::string message;     // One sentence that describes the error.
};
using SchemaProblems = std::vector<SchemaProblem>;

struct Dialect {
  bool is_draft7 = false;
  bool has_applicators = true;
  bool has_unevaluated = true;
  bool has_validation = true;
  bool asserts_formats = false;
};

struct SchemaResource {
  std::string uri;  // The base URI of the references in it.
  const Node* root = nullptr;
  std::uint32_t document_index = 0;
  Dialect dialect;
  std::map<std::string, const Node*, std::less<>> anchors;  // Static and dynamic ones.
  std::map<std::string, const Node*, std::less<>> dynamic_anchors;
};

class SchemaResources {
 public:
  // Returns the root of the document with this URI (without fragment), or null. Whoever provides the function
  // owns the document.
  using Fetch = std::function<const Node*(const std::string& uri)>;

  explicit SchemaResources(Dialect default_dialect = {}, Fetch fetch = nullptr)
      : default_dialect_(default_dialect), fetch_(std::move(fetch)) {}

  // Adds a document, which must outlive this object. Adding it again has no effect.
  void add(const std::string& uri, const Node& root, SchemaProblems& problems);

  struct Target {
    const Node* node = nullptr;
    std::string dynamic_anchor;  // Set if the reference uses a dynamic anchor.
  };
  // Resolves a `reference` found in the schema `from`. If there is no target, the node is null and a problem
  // is added at `place`.
  Target resolve(const Node& from, const Node& node, const std::string& reference, SchemaProblems& problems);

  bool has_schema(const Node& schema) const { return resource_by_schema_.contains(&schema); }
  // Returns the index of a schema's resource. holds(schema) must be true.
  std::uint32_t resource_index_of(const Node& schema) const { return resource_by_schema_.at(&schema); }
  const SchemaResource& resource(std::uint32_t index) const { return *resources_[index]; }
  const std::string& document_uri_of(const Node& schema) const {
    return document_uris_[resources_[resource_index_of(schema)]->document_index];
  }

 private:
  std::uint32_t add_resource(std::string uri, const Node& root, std::uint32_t document,
                             const Dialect& dialect);
  void add_schemas(const Node& node, std::uint32_t resource, bool root, SchemaProblems& problems);
  void add_subschemas(const Node& node, std::uint32_t resource, SchemaProblems& problems);
  void add_anchor(const Node& node, std::string_view keyword, std::uint32_t resource,
                  SchemaProblems& problems);
  Dialect dialect_of(const Node& schema, const Dialect& default_dialect, std::uint32_t document,
                     SchemaProblems& problems);
  Dialect dialect_named(const std::string& uri, const Node& node, std::uint32_t document,
                        SchemaProblems& problems);
  std::optional<std::uint32_t> resource_named(const std::string& uri, SchemaProblems& problems);
  const Node* find_by_pointer(std::uint32_t resource, std::string_view pointer, SchemaProblems& problems);

  Dialect default_dialect_;
  Fetch fetch_;
  std::vector<std::unique_ptr<SchemaResource>> resources_;
  std::vector<std::string> document_uris_;
  std::map<std::string, std::uint32_t, std::less<>> by_uri_;
  std::unordered_map<const Node*, std::uint32_t> resource_by_schema_;  // The resource of each known schema.
  std::map<std::string_view, std::unique_ptr<Document>> metaschemas_;
};

// The metaschemas of JSON Schema draft 2020-12, with its vocabularies, and of draft 7, as texts.
struct Metaschema {
  std::string_view uri;
  std::string_view text;
};

std::span<const Metaschema> metaschemas();

// URIs as names of schemas: the part of RFC 3986 section 5 that schemas need.
// Resolves `reference` against `base` (section 5.2.2) and removes dot segments. A base without a scheme is
// treated as a path.
std::string resolved_uri(std::string_view base, std::string_view reference);

struct SplitUri {
  std::string resource;  // The URI without its fragment.
  std::string fragment;  // The fragment without `#`, percent-decoded.
};
SplitUri split_uri(std::string_view uri);

}  // namespace snapgen::json
