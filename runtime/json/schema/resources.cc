#include "runtime/json/schema/resources.h"

#include <algorithm>
#include <array>

#include "runtime/json/schema/keyword.h"
#include "runtime/json/writer.h"

namespace snapgen::json {
namespace {

constexpr std::string_view draft2020 = "https://json-schema.org/draft/2020-12/schema";
constexpr std::string_view draft7 = "http://json-schema.org/draft-07/schema";
constexpr std::string_view vocabulary_prefix = "https://json-schema.org/draft/2020-12/vocab/";

const std::string* text_of(const Node& schema, std::string_view keyword) {
  const Node* found = schema.find(keyword);
  return found && found->is(Kind::string) ? &found->text : nullptr;
}

std::string without_empty_fragment(std::string uri) {
  if (uri.ends_with('#')) uri.pop_back();
  return uri;
}

}  // namespace

void SchemaResources::add(const std::string& uri, const Node& root, SchemaProblems& problems) {
  if (by_uri_.contains(uri) || resource_by_schema_.contains(&root)) return;
  const auto document = static_cast<std::uint32_t>(document_uris_.size());
  document_uris_.push_back(uri);
  const Dialect dialect = dialect_of(root, default_dialect_, document, problems);
  const std::uint32_t resource = add_resource(uri, root, document, dialect);
  by_uri_.emplace(uri, resource);
  add_schemas(root, resource, true, problems);
}

std::uint32_t SchemaResources::add_resource(std::string uri, const Node& root, std::uint32_t document,
                                            const Dialect& dialect) {
  resources_.push_back(std::make_unique<SchemaResource>());
  SchemaResource& made = *resources_.back();
  made.uri = std::move(uri);
  made.root = &root;
  made.document_index = document;
  made.dialect = dialect;
  return static_cast<std::uint32_t>(resources_.size() - 1);
}

void SchemaResources::add_schemas(const Node& node, std::uint32_t resource, bool root,
                                  SchemaProblems& problems) {
  const bool lone_reference = resources_[resource]->dialect.is_draft7 && node.find("$ref");
  const std::string* id = lone_reference ? nullptr : text_of(node, "$id");
  if (id) {
    const SchemaResource& outer = *resources_[resource];
    const std::string uri = without_empty_fragment(resolved_uri(outer.uri, *id));
    const SplitUri split = split_uri(uri);
    if (!split.fragment.empty() && !outer.dialect.is_draft7) {
      problems.push_back({document_uris_[outer.document_index], node.find("$id")->offset,
                          "\"$id\" has a fragment; write \"$anchor\": " + quoted(split.fragment)});
    }
    if (split.resource != outer.uri) {
      if (root) {
        resources_[resource]->uri = split.resource;
      } else {
        const std::uint32_t document = outer.document_index;
        const Dialect dialect = dialect_of(node, outer.dialect, document, problems);
        resource = add_resource(split.resource, node, document, dialect);
      }
      if (!by_uri_.emplace(split.resource, resource).second) {
        problems.push_back({document_uris_[resources_[resource]->document_index], node.find("$id")->offset,
                            "the \"$id\" " + quoted(split.resource) + " is already used by another schema"});
      }
    }
    if (!split.fragment.empty()) resources_[resource]->anchors.emplace(split.fragment, &node);
  }
  resource_by_schema_[&node] = resource;
  if (!resources_[resource]->dialect.is_draft7) {
    add_anchor(node, "$anchor", resource, problems);
    add_anchor(node, "$dynamicAnchor", resource, problems);
  }
  add_subschemas(node, resource, problems);
}

void SchemaResources::add_subschemas(const Node& node, std::uint32_t resource, SchemaProblems& problems) {
  for (const Subschema& inner : subschemas(node)) add_schemas(*inner.node, resource, false, problems);
}

void SchemaResources::add_anchor(const Node& node, std::string_view keyword, std::uint32_t resource,
                                 SchemaProblems& problems) {
  const std::string* name = text_of(node, keyword);
  if (!name) return;
  SchemaResource& owner = *resources_[resource];
  const auto [entry, is_new] = owner.anchors.emplace(*name, &node);
  if (!is_new && entry->second != &node) {
    problems.push_back(
        {document_uris_[owner.document_index], node.find(keyword)->offset,
         "the anchor " + quoted(*name) + " is already used by another schema of " + quoted(owner.uri)});
  }
  if (keyword == "$dynamicAnchor") owner.dynamic_anchors.emplace(*name, &node);
}

Dialect SchemaResources::dialect_of(const Node& schema, const Dialect& default_dialect,
                                    std::uint32_t document, SchemaProblems& problems) {
  const std::string* uri = text_of(schema, "$schema");
  // If "$schema" is a file path, it is for editors and does not select a draft.
  if (uri && uri->find(':') == std::string::npos) return default_dialect;
  return uri ? dialect_named(without_empty_fragment(*uri), *schema.find("$schema"), document, problems)
             : default_dialect;
}

Dialect SchemaResources::dialect_named(const std::string& uri, const Node& node, std::uint32_t document,
                                       SchemaProblems& problems) {
  const auto wrong = [&](std::string message) {
    problems.push_back({document_uris_[document], node.offset, std::move(message)});
    return default_dialect_;
  };
  if (uri == draft2020) return {};
  if (uri == draft7 || uri == "https://json-schema.org/draft-07/schema") return {.is_draft7 = true};
  if (uri.find("://json-schema.org/") != std::string::npos)
    return wrong("\"$schema\" names a draft that is not supported; 2020-12 (" + quoted(draft2020) +
                 ") and 7 (" + quoted(std::string(draft7) + "#") + ") are");
  // `$vocabulary` of a custom metaschema lists the vocabularies that schemas with this `$schema` use.
  const std::optional<std::uint32_t> found = resource_named(uri, problems);
  if (!found) return wrong("\"$schema\" names " + quoted(uri) + ", which is not known");
  const Node* vocabularies = resources_[*found]->root->find("$vocabulary");
  if (!vocabularies) return resources_[*found]->dialect;
  Dialect out{.has_applicators = false, .has_unevaluated = false, .has_validation = false};
  for (const Member& each : vocabularies->members) {
    const std::string_view name = each.key;
    const std::string_view known =
        name.starts_with(vocabulary_prefix) ? name.substr(vocabulary_prefix.size()) : std::string_view();
    if (known == "applicator")
      out.has_applicators = true;
    else if (known == "unevaluated")
      out.has_unevaluated = true;
    else if (known == "validation")
      out.has_validation = true;
    else if (known == "format-assertion")
      out.asserts_formats = true;
    else if (known.empty() && each.value.boolean)
      return wrong("\"$schema\" requires the vocabulary " + quoted(name) + ", which is not known");
  }
  return out;
}

std::optional<std::uint32_t> SchemaResources::resource_named(const std::string& uri,
                                                             SchemaProblems& problems) {
  if (const auto found = by_uri_.find(uri); found != by_uri_.end()) return found->second;
  const Node* root = nullptr;
  for (const Metaschema& each : metaschemas()) {
    if (each.uri != uri) continue;
    auto& document = metaschemas_[each.uri];
    document = std::make_unique<Document>(parse_document(each.text));
    root = &document->root;
  }
  if (!root && fetch_) root = fetch_(uri);
  if (!root) return std::nullopt;
  add(uri, *root, problems);
  const auto found = by_uri_.find(uri);
  return found == by_uri_.end() ? std::optional(resource_by_schema_.at(root)) : found->second;
}

const Node* SchemaResources::find_by_pointer(std::uint32_t resource, std::string_view pointer,
                                             SchemaProblems& problems) {
  const Node* node = resources_[resource]->root;
  while (node && !pointer.empty()) {
    pointer.remove_prefix(1);
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    node = child_at_token(*node, pointer.substr(0, end));
    pointer.remove_prefix(end);
    if (const auto known = resource_by_schema_.find(node); known != resource_by_schema_.end())
      resource = known->second;
  }
  // A value of an unknown keyword is a schema if a reference points to it.
  if (node && can_be_schema(*node) && !resource_by_schema_.contains(node))
    add_schemas(*node, resource, false, problems);
  return node;
}

SchemaResources::Target SchemaResources::resolve(const Node& from, const Node& origin,
                                                 const std::string& reference, SchemaProblems& problems) {
  const SchemaResource& base = *resources_[resource_index_of(from)];
  const auto nothing = [&](std::string message) {
    problems.push_back({document_uris_[base.document_index], origin.offset, std::move(message)});
    return Target{};
  };
  const SplitUri uri = split_uri(resolved_uri(base.uri, reference));
  const std::optional<std::uint32_t> resource =
      uri.resource == base.uri ? resource_index_of(from) : resource_named(uri.resource, problems);
  if (!resource)
    return nothing(quoted(reference) + " is unknown: no schema has the URI " + quoted(uri.resource));
  if (uri.fragment.empty() || uri.fragment.starts_with('/')) {
    const Node* node = find_by_pointer(*resource, uri.fragment, problems);
    if (!node)
      return nothing("there is nothing at \"#" + uri.fragment + "\"" +
                     (uri.resource == base.uri ? "" : " in " + quoted(uri.resource)));
    if (!can_be_schema(*node)) return nothing(quoted(reference) + " does not point to a schema");
    return {.node = node};
  }
  const SchemaResource& owner = *resources_[*resource];
  if (const auto found = owner.dynamic_anchors.find(uri.fragment); found != owner.dynamic_anchors.end())
    return {.node = found->second, .dynamic_anchor = uri.fragment};
  if (const auto found = owner.anchors.find(uri.fragment); found != owner.anchors.end())
    return {.node = found->second};
  return nothing("no schema has the anchor " + quoted(uri.fragment) +
                 (uri.resource == base.uri ? "" : " in " + quoted(uri.resource)));
}

namespace {

constexpr std::array<std::string_view, 12> one_schema = {"additionalItems",
                                                         "additionalProperties",
                                                         "contains",
                                                         "contentSchema",
                                                         "else",
                                                         "if",
                                                         "items",
                                                         "not",
                                                         "propertyNames",
                                                         "then",
                                                         "unevaluatedItems",
                                                         "unevaluatedProperties"};
constexpr std::array<std::string_view, 4> schema_list = {"allOf", "anyOf", "oneOf", "prefixItems"};
constexpr std::array<std::string_view, 6> schema_map = {
    "$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"};

}  // namespace

bool can_be_schema(const Node& node) { return node.is(Kind::object) || node.is(Kind::boolean); }

std::vector<Subschema> subschemas(const Node& schema) {
  std::vector<Subschema> found;
  for (const Member& member : schema.members) {
    // In draft 7, "items" may be a list.
    const bool list = member.key == "items" && member.value.is(Kind::array);
    const auto see = [&](const Node& node, bool single, std::string name, std::size_t name_offset) {
      if (can_be_schema(node))
        found.push_back({.keyword = member.key,
                         .single = single,
                         .name = std::move(name),
                         .name_offset = name_offset,
                         .node = &node});
    };
    if (!list && contains_keyword(member.key, one_schema)) {
      see(member.value, true, "", 0);
    } else if (list || contains_keyword(member.key, schema_list)) {
      for (std::size_t i = 0; i < member.value.items.size(); ++i)
        see(member.value.items[i], false, std::to_string(i), 0);
    } else if (contains_keyword(member.key, schema_map)) {
      for (const Member& each : member.value.members) see(each.value, false, each.key, each.key_offset);
    }
  }
  return found;
}

}  // namespace snapgen::json
