#include "codegen/front/check.h"

#include <algorithm>
#include <array>
#include <utility>

#include "codegen/front/keywords.h"
#include "codegen/front/merge.h"
#include "codegen/front/read_tool.h"

namespace snapgen::codegen {
namespace {

using json::Kind;
using json::Node;

constexpr std::size_t alternatives_max = 500;

class Checker {
 public:
  Checker(const Sources& sources, const ResolvedSchemas& resolved, Findings& findings)
      : sources_(sources),
        resolved_(resolved),
        findings_(findings),
        merger_(checked_.owned_schemas, findings) {
    merger_.ensure_complete = [this](const Schema& schema) { complete_all(schema); };
  }

  CheckedSchemas run() {
    mark_inputs();
    for (const auto& [node, at] : resolved_.schemas) slot(*node, at.location);
    for (const auto& [node, at] : resolved_.schemas) complete(*checked_.schemas.at(node));
    refuse_endless_alternatives();
    for (const auto& file : sources_.files) {
      definitions(*file);
      if (file->kind == FileKind::message)
        message(*file);
      else
        tool(*file);
    }
    std::ranges::sort(checked_.tools, [](const ToolFile& a, const ToolFile& b) { return a.name < b.name; });
    checked_.input_nodes = std::move(inputs_);
    return std::move(checked_);
  }

 private:
  // Marks input objects, which are closed by default. Schemas in `if`, `not` and similar keywords only test
  // an object that another schema describes, and parts of `allOf` only extend one, so these remain open.
  void mark_inputs() {
    for (const auto& file : sources_.files)
      if (const Node* input = file->document.root.find("inputSchema"); input && file->kind == FileKind::tool)
        mark_input(*input, *file);
  }
  void mark_input(const Node& node, const File& file) {
    if (!inputs_.insert(&node).second) return;
    auto target = resolved_.targets.find(&node);
    if (target != resolved_.targets.end() && resolved_.schemas.at(target->second).location.file == &file)
      mark_input(*target->second, file);
    for (const json::Subschema& inner : json::subschemas(node)) {
      static constexpr std::array<std::string_view, 7> describe = {
          "additionalProperties", "anyOf",       "items",     "oneOf",
          "patternProperties",    "prefixItems", "properties"};
      if (std::ranges::find(describe, inner.keyword) != describe.end()) mark_input(*inner.node, file);
    }
  }

  Schema* slot(const Node& node, const SourceLocation& location) {
    Schema*& found = checked_.schemas[&node];
    if (!found) {
      checked_.owned_schemas.push_back(std::make_unique<Schema>());
      found = checked_.owned_schemas.back().get();
      found->location = location;
      found->node = &node;
    }
    return found;
  }

  // Rejects alternatives that contain themselves, or are too many once they are expanded.
  void refuse_endless_alternatives() {
    for (const auto& schema : checked_.owned_schemas) {
      if (schema->alternatives.empty()) continue;
      std::size_t count = 0;
      if (!endless(*schema, count, 0)) continue;
      findings_.add(schema->location, "the alternatives contain themselves, or are more than " +
                                          std::to_string(alternatives_max));
      schema->alternatives.clear();
      schema->broken = true;
    }
  }
  bool endless(const Schema& schema, std::size_t& count, std::size_t depth) const {
    if (++count > alternatives_max || depth > alternatives_max) return true;
    const Schema& s = codegen::resolved(schema);
    return std::ranges::any_of(s.alternatives,
                               [&](const Schema* each) { return endless(*each, count, depth + 1); });
  }

  // Reads and merges a schema, and every schema in its chain of references.
  void complete_all(const Schema& schema) {
    const Schema* each = &schema;
    while (each) {
      if (each->node) complete(*checked_.schemas.at(each->node));
      each = each->target;
    }
  }

  void complete(Schema& schema) {
    const Node& node = *schema.node;
    if (done_.count(&node)) return;
    if (!open_.insert(&node).second) {
      findings_.add(schema.location, "this schema is merged with itself, which never ends");
      return;
    }
    const File& file = *schema.location.file;
    if (resolved_.opaque_schemas.count(&node)) {
      schema.validator_constraints.push_back({.keyword = "", .node = &node});
      open_.erase(&node);
      done_.insert(&node);
      return;
    }
    KeywordContext context{
        .findings = findings_,
        .schema_at = [this](const Node& inner,
                            const SourceLocation& location) { return slot(inner, location); },
        .formats_asserted = formats_asserted(file),
        .is_file_root = file.kind == FileKind::message && &node == &file.document.root,
        .is_foreign = file.foreign,
        .draft7 = is_draft7(resolved_, node),
        .has_single_target = resolved_.targets.count(&node) != 0};
    OwnKeywords keywords = read_keywords(node, schema.location, context);
    Schema own = std::move(keywords.own);
    auto target = resolved_.targets.find(&node);
    const Schema* referred = target == resolved_.targets.end()
                                 ? nullptr
                                 : slot(*target->second, resolved_.schemas.at(target->second).location);
    bool plain =
        keywords.all_of.empty() && !has_limits(own) && !own.kinds_given && !keywords.closed_when_merged;
    // A dynamic reference depends on the root where reading starts. So if there is one, a file that consists
    // of a reference is not only another name for the target.
    const bool is_root = &node == &file.document.root;
    if (referred && plain && !(is_root && resolved_.has_dynamic_targets)) {
      own.target = referred;
      own.has_single_dynamic_target = !node.find("$ref");
      schema = std::move(own);
    } else {
      std::vector<const Schema*> parts;
      if (referred) parts.push_back(referred);
      parts.insert(parts.end(), keywords.all_of.begin(), keywords.all_of.end());
      schema = merged(std::move(own), parts);
      if (keywords.closed_when_merged && evaluates_by_value(schema)) {
        schema.validator_constraints.push_back(
            {.keyword = "unevaluatedProperties", .node = node.find("unevaluatedProperties")});
        schema.has_other_member_constraints = true;
      } else if (keywords.closed_when_merged) {
        close_merged(schema);
      }
      schema.node = &node;
      close(schema);
    }
    open_.erase(&node);
    done_.insert(&node);
  }

  // Returns whether the set of members that the schema describes depends on the value: on the alternatives it
  // fits, or on a condition.
  bool evaluates_by_value(const Schema& schema) {
    if (schema.has_other_member_constraints || schema.alternatives_keyword == "anyOf") return true;
    for (std::string_view keyword : {"$dynamicRef", "anyOf", "dependentSchemas", "oneOf"})
      if (find_validator_constraint(schema, keyword)) return true;
    const auto adds = [&](const Schema* part) {
      if (!part) return false;
      complete_all(*part);
      const Schema& s = codegen::resolved(*part);
      return !s.validator_constraints.empty() || !s.alternatives.empty() || !s.conditionals.empty() ||
             s.additional != Additional::unspecified ||
             std::ranges::any_of(s.properties,
                                 [&](const Property& each) { return !find_property(schema, each.name); });
    };
    return std::ranges::any_of(schema.conditionals, [&](const Conditional& each) {
      return adds(each.when) || adds(each.then) || adds(each.otherwise);
    });
  }

  // Merges the parts in order, then the keywords beside them, and then each alternative with the result.
  Schema merged(Schema own, const std::vector<const Schema*>& parts) {
    std::vector<const Schema*> choice = std::exchange(own.alternatives, {});
    std::string keyword = own.alternatives_keyword;
    SourceLocation location = own.location;
    Schema all;
    bool first = true;
    for (const Schema* part : parts) {
      complete_all(*part);
      all = first ? codegen::resolved(*part) : merger_.merged(all, *part);
      if (first) all.annotations = part->annotations;
      all.annotations.type.clear();
      first = false;
    }
    if (!first) {
      Schema under = std::move(all);
      under.annotations.title.clear();
      all =
          has_limits(own) || own.kinds_given ? merger_.merged(under, own) : with_notes(std::move(under), own);
    } else {
      all = std::move(own);
    }
    all.location = location;
    if (choice.empty()) return all;
    Schema alternatives;
    alternatives.location = location;
    alternatives.alternatives = std::move(choice);
    alternatives.alternatives_keyword = std::move(keyword);
    Annotations notes = all.annotations;
    const Schema common = all;
    all = merger_.merged(all, alternatives);
    all.annotations = std::move(notes);
    if (common.kinds_given) {
      checked_.owned_schemas.push_back(std::make_unique<Schema>(common));
      all.common_keywords = checked_.owned_schemas.back().get();
    }
    return all;
  }

  static Schema with_notes(Schema schema, const Schema& own) {
    Annotations notes = own.annotations;
    if (notes.description.empty()) notes.description = schema.annotations.description;
    if (!notes.default_value) notes.default_value = schema.annotations.default_value;
    if (notes.brand.empty()) notes.brand = schema.annotations.brand;
    schema.annotations = std::move(notes);
    return schema;
  }

  // Applies unevaluatedProperties: false. Members that one of the merged schemas names are allowed.
  void close_merged(Schema& schema) {
    for (const Schema*& each : schema.alternatives) {
      complete_all(*each);
      Schema closed = codegen::resolved(*each);
      closed.location = each->location;
      closed.node = nullptr;
      if (closed.annotations.title.empty()) closed.annotations.title = each->annotations.title;
      close_merged(closed);
      checked_.owned_schemas.push_back(std::make_unique<Schema>(std::move(closed)));
      each = checked_.owned_schemas.back().get();
    }
    bool object = (schema.kinds & kinds::object) != 0 && schema.alternatives.empty();
    if (!object || (schema.additional != Additional::unspecified && !schema.closed_by_default)) return;
    schema.additional = Additional::closed;
    schema.closed_by_default = false;
  }

  void close(Schema& schema) {
    if (schema.common_keywords && presence_rule(schema)) {
      Schema common = *schema.common_keywords;
      common.node = schema.node;
      close(common);
      checked_.owned_schemas.push_back(std::make_unique<Schema>(std::move(common)));
      schema.common_keywords = checked_.owned_schemas.back().get();
    }
    bool object = (schema.kinds & kinds::object) != 0 && schema.kinds_given;
    if (!object || !inputs_.count(schema.node) || schema.additional != Additional::unspecified ||
        !schema.alternatives.empty())
      return;
    if (schema.values || schema.has_other_member_constraints) return;
    schema.additional = Additional::closed;
    schema.closed_by_default = true;
    checked_.closed_inputs.insert(schema.node);
  }

  void definitions(const File& file) {
    for (const Node* holder : {&file.document.root, file.document.root.find("inputSchema"),
                               file.document.root.find("outputSchema")}) {
      if (!holder || (file.kind == FileKind::message && holder != &file.document.root)) continue;
      for (std::string_view keyword : {"$defs", "definitions"}) {
        const Node* list = holder->find(keyword);
        if (!list) continue;
        for (const json::Member& each : list->members) {
          auto found = checked_.schemas.find(&each.value);
          if (found == checked_.schemas.end()) continue;
          checked_.definitions[&file].push_back({.name = each.key, .schema = found->second});
          if (file.kind == FileKind::tool && findings_.empty() &&
              !resolved_.referenced_schemas.contains(&each.value))
            findings_.add_note(found->second->location, "no schema refers to this definition");
        }
      }
    }
  }

  void message(const File& file) {
    auto found = checked_.schemas.find(&file.document.root);
    if (found == checked_.schemas.end()) return;
    if (!file.foreign) check_message_extension(file, findings_);
    const Schema& schema = *found->second;
    if (schema.target || has_limits(schema) || schema.kinds_given)
      checked_.messages[&file] = &schema;
    else if (!checked_.definitions.count(&file) && !file.broken && !file.foreign)
      findings_.add(schema.location, "the file describes nothing: it has neither a \"type\" nor \"$defs\"");
  }

  void tool(const File& file) {
    auto schema = [&](std::string_view part) -> const Schema* {
      const Node* node = file.document.root.find(part);
      auto found = checked_.schemas.find(node);
      return found == checked_.schemas.end() ? nullptr : found->second;
    };
    checked_.tools.push_back(read_tool(file, schema("inputSchema"), schema("outputSchema"), findings_));
  }

  const Sources& sources_;
  const ResolvedSchemas& resolved_;
  Findings& findings_;
  CheckedSchemas checked_;
  Merger merger_;
  std::set<const Node*> inputs_;
  std::set<const Node*> open_;
  std::set<const Node*> done_;
};

}  // namespace

bool formats_asserted(const File& file) {
  if (file.foreign) return false;
  const Node* extension = file.document.root.find("x-snapgen");
  const Node* formats = extension ? extension->find("formats") : nullptr;
  return formats && formats->is(Kind::string) && formats->text == "assert";
}

CheckedSchemas check(const Sources& sources, const ResolvedSchemas& resolved, Findings& findings) {
  return Checker(sources, resolved, findings).run();
}

}  // namespace snapgen::codegen
