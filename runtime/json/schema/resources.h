#pragma once
// Resources: schema documents and what in them has a name of its own: `$id`, `$anchor`, `$dynamicAnchor`.
//
// Documents are added under the URI that they were found at, or fetched when a reference names one that is
// not here. The metaschemas of drafts 2020-12 and 7 are always here. What `$schema` says, or else a default,
// chooses the dialect: one of those drafts, or the vocabularies of a custom metaschema. Any other draft is a
// problem.
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/json/document.h"

namespace snapgen::json {

// What is wrong with a schema.
struct SchemaProblem {
  std::string document;    // The URI that the document was added under.
  std::size_t offset = 0;  // In its text.
  std::string message;     // One sentence.
};
using SchemaProblems = std::vector<SchemaProblem>;

struct Dialect {
  bool draft7 = false;
  bool applicator = true;
  bool unevaluated = true;
  bool validation = true;
  bool format_assertion = false;
};

struct SchemaResource {
  std::string uri;  // What references in it are relative to.
  const Node* root = nullptr;
  std::uint32_t document = 0;
  Dialect dialect;
  std::map<std::string, const Node*, std::less<>> anchors;  // Of both kinds.
  std::map<std::string, const Node*, std::less<>> dynamic_anchors;
};

class SchemaResources {
 public:
  // The document that a URI (without a fragment) names, or null. It stays with whoever gave it.
  using Fetch = std::function<const Node*(const std::string& uri)>;

  explicit SchemaResources(Dialect otherwise = {}, Fetch fetch = nullptr)
      : otherwise_(otherwise), fetch_(std::move(fetch)) {}

  // The document outlives this. Added twice, it is there once.
  void add(const std::string& uri, const Node& root, SchemaProblems& problems);

  struct Target {
    const Node* node = nullptr;
    std::string dynamic_anchor;  // If that is what the reference names it by.
  };
  // What `reference`, which stands in the schema `from`, means. Null: there is nothing, which is a problem at
  // `place`.
  Target find(const Node& from, const Node& place, const std::string& reference, SchemaProblems& problems);

  bool holds(const Node& schema) const { return info_.contains(&schema); }
  // Of a schema that it holds.
  std::uint32_t resource_of(const Node& schema) const { return info_.at(&schema); }
  const SchemaResource& resource(std::uint32_t index) const { return *resources_[index]; }
  const std::string& document_of(const Node& schema) const {
    return documents_[resources_[resource_of(schema)]->document];
  }

 private:
  std::uint32_t new_resource(std::string uri, const Node& root, std::uint32_t document,
                             const Dialect& dialect);
  void scan(const Node& node, std::uint32_t resource, bool root, SchemaProblems& problems);
  void scan_inner(const Node& node, std::uint32_t resource, SchemaProblems& problems);
  void anchor(const Node& node, std::string_view keyword, std::uint32_t resource, SchemaProblems& problems);
  Dialect dialect_of(const Node& schema, const Dialect& otherwise, std::uint32_t document,
                     SchemaProblems& problems);
  Dialect dialect_named(const std::string& uri, const Node& place, std::uint32_t document,
                        SchemaProblems& problems);
  std::optional<std::uint32_t> resource_named(const std::string& uri, SchemaProblems& problems);
  const Node* follow(std::uint32_t resource, std::string_view pointer, SchemaProblems& problems);

  Dialect otherwise_;
  Fetch fetch_;
  std::vector<std::unique_ptr<SchemaResource>> resources_;
  std::vector<std::string> documents_;
  std::map<std::string, std::uint32_t, std::less<>> by_uri_;
  std::unordered_map<const Node*, std::uint32_t> info_;  // Every schema known, and its resource.
  std::map<std::string_view, std::unique_ptr<Document>> metaschemas_;
};

}  // namespace snapgen::json
