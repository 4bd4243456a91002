#include "codegen/emit/short_schema.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "runtime/json/document.h"

namespace snapgen::codegen {
namespace {

using json::Kind;
using json::Member;
using json::Node;

constexpr std::array<std::string_view, 9> silent = {"examples",      "maxItems", "maxLength",
                                                    "maxProperties", "minItems", "minLength",
                                                    "minProperties", "pattern",  "title"};
// Larger bounds are omitted, because they do not affect what a model writes.
constexpr double bound_max = 100'000;

Node text_node(std::string text) {
  Node node;
  node.kind = Kind::string;
  node.text = std::move(text);
  return node;
}

Node object_node(std::vector<Member> members = {}) {
  Node node;
  node.kind = Kind::object;
  node.members = std::move(members);
  return node;
}

Node array_node(std::vector<Node> items) {
  Node node;
  node.kind = Kind::array;
  node.items = std::move(items);
  return node;
}

Node* member_of(Node& object, std::string_view key) {
  for (Member& each : object.members)
    if (each.key == key) return &each.value;
  return nullptr;
}

void set(Node& object, std::string_view key, Node value) {
  if (Node* there = member_of(object, key))
    *there = std::move(value);
  else
    object.members.push_back({.key = std::string(key), .value = std::move(value)});
}

void drop(Node& object, std::string_view key) {
  std::erase_if(object.members, [&](const Member& each) { return each.key == key; });
}

std::string text_of(const Node* node) { return node && node->is(Kind::string) ? node->text : std::string(); }

bool requires_member(const Node& schema, const std::string& name) {
  const Node* required = schema.find("required");
  return required &&
         std::ranges::any_of(required->items, [&](const Node& each) { return each.text == name; });
}

// Converts {"anyOf": [{"const": "a", "description": "..."}, ...]} to one enumeration, with all descriptions.
bool as_enumeration(Node& schema, const Node& alternatives) {
  std::vector<Node> values;
  std::string description = text_of(schema.find("description"));
  for (const Node& each : alternatives.items) {
    const Node* value = each.find("const");
    if (!value || !value->is(Kind::string)) return false;
    values.push_back(*value);
    const std::string about = text_of(each.find("description"));
    if (!about.empty()) description += (description.empty() ? "" : " ") + value->text + ": " + about;
  }
  set(schema, "enum", array_node(std::move(values)));
  set(schema, "type", text_node("string"));
  if (!description.empty()) set(schema, "description", text_node(description));
  return true;
}

// Returns the property whose constant distinguishes the alternatives; empty if there is none.
std::string tag_of(const Node& alternatives) {
  const Node* first = alternatives.items.empty() ? nullptr : alternatives.items[0].find("properties");
  if (!first) return {};
  for (const Member& candidate : first->members) {
    const bool in_all = std::ranges::all_of(alternatives.items, [&](const Node& each) {
      const Node* properties = each.find("properties");
      const Node* property = properties ? properties->find(candidate.key) : nullptr;
      return property && property->find("const") && text_of(each.find("type")) == "object";
    });
    if (in_all) return candidate.key;
  }
  return {};
}

// Returns the common part of two different schemas of one property.
Node common_of(const Node& a, const Node& b) {
  if (json::equal(a, b)) return a;
  const std::string type = text_of(a.find("type"));
  if (type.empty() || type != text_of(b.find("type"))) return object_node();
  return object_node({{.key = "type", .value = text_node(type)}});
}

// Adds to `properties` those of each alternative. Two different schemas of one property become their common
// part.
void merge_properties(Node& properties, const Node& alternative) {
  const Node* own = alternative.find("properties");
  if (!own) return;
  for (const Member& property : own->members) {
    const Node* there = properties.find(property.key);
    set(properties, property.key, there ? common_of(*there, property.value) : property.value);
  }
}

// Returns the properties that all alternatives require.
Node required_by_all(const Node& properties, const std::vector<Node>& alternatives) {
  std::vector<Node> required;
  for (const Member& property : properties.members) {
    const bool always = std::ranges::all_of(
        alternatives, [&](const Node& each) { return requires_member(each, property.key); });
    if (always) required.push_back(text_node(property.key));
  }
  return array_node(std::move(required));
}

// Merges objects that a constant distinguishes: {kind: "a"} and {kind: "b"} become one {kind: "a" | "b"}.
bool as_one_object(Node& schema, const Node& alternatives) {
  const std::string tag = tag_of(alternatives);
  if (tag.empty()) return false;
  std::vector<Node> tags;
  Node properties = object_node();
  for (const Node& each : alternatives.items) {
    tags.push_back(*each.find("properties")->find(tag)->find("const"));
    merge_properties(properties, each);
  }
  set(properties, tag,
      object_node({{.key = "enum", .value = array_node(std::move(tags))},
                   {.key = "type", .value = text_node("string")}}));
  Node required = required_by_all(properties, alternatives.items);
  set(schema, "type", text_node("object"));
  set(schema, "properties", std::move(properties));
  set(schema, "required", std::move(required));
  return true;
}

bool says_nothing(const Member& keyword) {
  const Node& value = keyword.value;
  if (std::ranges::find(silent, keyword.key) != silent.end()) return true;
  if (keyword.key == "default") return value.is(Kind::boolean) && !value.boolean;
  if (keyword.key != "minimum" && keyword.key != "maximum") return false;
  const double bound = value.number().value_or(0);
  return std::fabs(bound) >= bound_max || (keyword.key == "minimum" && (bound == 0 || bound == 1));
}

Node brief(Node schema, int level);

Node brief_properties(const Node& properties, int level) {
  Node out = object_node();
  for (const Member& each : properties.members) set(out, each.key, brief(each.value, level));
  return out;
}

Node brief(Node schema, int level) {
  if (!schema.is(Kind::object)) return schema;
  for (const char* keyword : {"anyOf", "oneOf"}) {
    const Node* found = schema.find(keyword);
    if (!found) continue;
    const Node alternatives = *found;
    if (as_enumeration(schema, alternatives) || as_one_object(schema, alternatives)) drop(schema, keyword);
  }
  const bool whole = level < brief_depth_max;
  Node out = object_node();
  for (const Member& each : schema.members) {
    if (says_nothing(each)) continue;
    const std::string& key = each.key;
    if (key == "properties") {
      set(out, key, whole ? brief_properties(each.value, level + 1) : object_node());
    } else if (key == "items") {
      Node items = whole ? brief(each.value, level + 1) : object_node();
      if (schema.find("description")) drop(items, "description");
      set(out, key, std::move(items));
    } else if (key == "anyOf" || key == "oneOf") {
      std::vector<Node> items;
      for (const Node& item : each.value.items) items.push_back(brief(item, level + 1));
      if (whole) set(out, key, array_node(std::move(items)));
    } else if (key == "additionalProperties") {
      if (!each.value.members.empty() && whole) set(out, key, brief(each.value, level + 1));
    } else if (key != "required" || whole) {
      set(out, key, each.value);
    }
  }
  return out;
}

// Returns whether this kind of result is a failure, which is returned with isError, and therefore as text.
bool is_failure(const Node& kind) {
  const Node* properties = kind.find("properties");
  const Node* error = properties ? properties->find("error") : nullptr;
  return error && text_of(error->find("type")) == "object" && requires_member(kind, "error");
}

// Returns the brief schema of one kind of result.
Node brief_answer(const Node& schema) {
  Node out = object_node();
  Node constants = object_node();
  const Node* properties = schema.find("properties");
  if (properties)
    for (const Member& each : properties->members)
      if (const Node* value = each.value.find("const"))
        set(constants, each.key, object_node({{.key = "const", .value = *value}}));
  if (!constants.members.empty()) set(out, "properties", std::move(constants));
  const Node* required = schema.find("required");
  if (required && !required->items.empty()) set(out, "required", *required);
  return out;
}

}  // namespace

std::string brief_input(const std::string& published) {
  Node root = brief(json::parse_document(published).root, 0);
  // An object without `properties` gets an empty one, because some hosts require it.
  if (!root.find("properties")) set(root, "properties", object_node());
  return json::canonical_text(root);
}

std::string brief_output(const std::string& published) {
  const Node root = json::parse_document(published).root;
  Node out = brief_answer(root);
  set(out, "type", text_node("object"));
  if (const Node* kinds = root.find("oneOf")) {
    std::vector<Node> items;
    for (const Node& each : kinds->items)
      if (!is_failure(each)) items.push_back(brief_answer(each));
    if (items.size() == 1) {
      out = std::move(items[0]);
      set(out, "type", text_node("object"));
    } else {
      set(out, "oneOf", array_node(std::move(items)));
    }
  } else if (!out.find("properties")) {
    set(out, "properties", object_node());
  }
  return json::canonical_text(out);
}

std::string merged_output(const std::string& published) {
  const Node root = json::parse_document(published).root;
  std::vector<Node> kinds{root};
  for (const char* keyword : {"anyOf", "oneOf"})
    if (const Node* found = root.find(keyword)) kinds = found->items;
  std::erase_if(kinds, is_failure);
  Node properties = object_node();
  for (const Node& each : kinds) merge_properties(properties, each);
  Node required = required_by_all(properties, kinds);
  return json::canonical_text(object_node({{.key = "properties", .value = brief_properties(properties, 1)},
                                           {.key = "required", .value = std::move(required)},
                                           {.key = "type", .value = text_node("object")}}));
}

std::string brief_annotations(const std::string& annotations) {
  if (annotations.empty()) return annotations;
  const Node root = json::parse_document(annotations).root;
  const auto says = [&](std::string_view hint, bool usual) {
    const Node* found = root.find(hint);
    return found ? found->boolean : usual;
  };
  const bool reads_only = says("readOnlyHint", false);
  Node out = object_node();
  for (const Member& each : root.members) {
    const bool usual = each.key == "destructiveHint" || each.key == "openWorldHint";
    const bool of_writes = each.key == "destructiveHint" || each.key == "idempotentHint";
    if (each.value.is(Kind::boolean) && (each.value.boolean == usual || (of_writes && reads_only))) continue;
    set(out, each.key, each.value);
  }
  return json::canonical_text(out);
}

}  // namespace snapgen::codegen
