#include "codegen/front/publish.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "codegen/front/keywords.h"
#include "runtime/json/writer.h"

namespace snapgen::codegen {
namespace {

constexpr std::size_t published_max = 1 << 20;

class Publisher {
 public:
  explicit Publisher(Findings& findings, DefinitionName name_of = {})
      : findings_(findings), name_of_(std::move(name_of)) {}
  Publisher(Findings& findings, RootConditionals conditions)
      : findings_(findings), writes_rules_apart_(conditions == RootConditionals::included) {}

  std::string schema(const Schema& given, bool root) {
    const Schema& s = resolved(given);
    if (name_of_ && !open_.empty()) {
      if (const std::string name = name_of_(s); !name.empty()) return reference(given, name);
    }
    if (!open_.empty() && is_again(given)) return left_open(given, s);
    if (std::ranges::find(open_, &s) != open_.end()) {
      findings_.add(
          given.location,
          "a schema that tools/list shows can't contain itself; limit the depth, or take the part out of it");
      return "{}";
    }
    if (s.never) return "false";
    if (size_ > published_max) return "{}";
    const json::Node* rule = (root || writes_rules_apart_) && s.common_keywords ? presence_rule(s) : nullptr;
    if (rule && root) {
      Schema common = *s.common_keywords;  // Hosts drop tools with alternatives at the root.
      common.annotations = s.annotations;
      return schema(common, root);
    }
    open_.push_back(&s);
    const std::string text = json_object(rule ? with_rule(given, s, *rule) : keywords(given, s, root));
    open_.pop_back();
    size_ += text.size();
    if (size_ > published_max && !said_) {
      said_ = true;
      findings_.add(given.location, "with every \"$ref\" inlined this schema has more than " +
                                        std::to_string(published_max) + " bytes; clients would not read it");
    }
    return text;
  }

 private:
  std::map<std::string, std::string> keywords(const Schema& given, const Schema& s, bool root) {
    std::map<std::string, std::string> members;
    add_annotations(members, given, s);
    add_limits(members, s);
    if ((s.kinds & kinds::array) && s.items) members["items"] = schema(*s.items, false);
    bool is_object = s.kinds_given && (s.kinds & kinds::object) != 0;
    if (is_object || s.properties_given || !s.required.empty()) add_properties(members, s, root);
    add_alternatives(members, s);
    add_validator_constraints(members, s, root);
    if (name_of_) split_union(members, s);
    return members;
  }

  // Returns the keywords beside the alternatives once, not in each alternative.
  std::map<std::string, std::string> with_rule(const Schema& given, const Schema& s, const json::Node& rule) {
    Schema common = *s.common_keywords;
    common.annotations = s.annotations;
    std::map<std::string, std::string> members = keywords(given, common, false);
    members[s.alternatives_keyword] = constant_of(rule).canonical;
    return members;
  }

  static bool is_again(const Schema& given) {
    for (const Schema* each = &given; each; each = each->target)
      if (each->has_single_dynamic_target) return true;
    return false;
  }

  static std::string reference(const Schema& given, const std::string& name) {
    std::map<std::string, std::string> members;
    if (given.target) add_annotations(members, given, given);
    members["$ref"] = json::quoted("#/$defs/" + name);
    return json_object(members);
  }

  // Returns a schema that allows any value of the type. It ends a recursive schema.
  std::string left_open(const Schema& given, const Schema& s) {
    incomplete_ = true;
    std::map<std::string, std::string> members;
    add_annotations(members, given, given);
    if (s.kinds_given && s.kinds != kinds::any) members["type"] = type(s.kinds);
    if (s.kinds_given && s.kinds == kinds::object) members["properties"] = "{}";
    return json_object(members);
  }

  // Calls write() and returns whether its output is incomplete, that is, accepts more than the reader does.
  // That is harmless, except inside a schema that is negated.
  template <class Write>
  bool leaves_open(Write write) {
    const bool before = std::exchange(incomplete_, false);
    write();
    const bool found = incomplete_;
    incomplete_ = before || found;
    return found;
  }

  void add_validator_constraints(std::map<std::string, std::string>& members, const Schema& s, bool root) {
    static const std::set<std::string_view> dropped_at_roots = {
        "$dynamicRef", "anyOf", "dependentSchemas", "not", "oneOf", "unevaluatedProperties"};
    std::vector<std::string> more;  // Further values of keywords that can occur only once.
    for (const ValidatorConstraint& each : s.validator_constraints) {
      if (each.keyword == "$dynamicRef") incomplete_ = true;
      if (each.keyword == "$dynamicRef" || (root && dropped_at_roots.count(each.keyword))) continue;
      std::string text;
      const bool open = leaves_open([&] { text = value(each); });
      const bool turned = each.keyword == "not" || each.keyword == "oneOf" ||
                          (each.keyword == "contains" && find_validator_constraint(s, "maxContains")) ||
                          each.keyword.starts_with("unevaluated");
      if (turned && (open || (incomplete_ && each.keyword.starts_with("unevaluated")))) continue;
      if (!members.emplace(each.keyword, text).second)
        more.push_back("{" + json::quoted(each.keyword) + ":" + text + "}");
    }
    if (more.empty()) return;
    std::string& all = members["allOf"];
    std::string list = json_array(more);
    all = all.empty() ? list : all.substr(0, all.size() - 1) + "," + list.substr(1);
  }

  std::string value(const ValidatorConstraint& constraint) {
    static const std::set<std::string_view> lists = {"anyOf", "oneOf", "prefixItems"};
    static const std::set<std::string_view> maps = {"dependentSchemas", "patternProperties"};
    if (lists.count(constraint.keyword)) {
      std::vector<std::string> all;
      for (const auto& [name, each] : constraint.schemas) all.push_back(schema(*each, false));
      return json_array(all);
    }
    if (maps.count(constraint.keyword)) {
      std::map<std::string, std::string> all;
      for (const auto& [name, each] : constraint.schemas) all[name] = schema(*each, false);
      return json_object(all);
    }
    return constraint.schemas.empty() ? constant_of(*constraint.node).canonical
                                      : schema(*constraint.schemas[0].second, false);
  }

  static void add_annotations(std::map<std::string, std::string>& members, const Schema& given,
                              const Schema& s) {
    for (const Schema* each : {&s, &given}) {
      if (!each->annotations.title.empty()) members["title"] = json::quoted(each->annotations.title);
      if (!each->annotations.description.empty())
        members["description"] = json::quoted(each->annotations.description);
      if (each->annotations.default_value) members["default"] = each->annotations.default_value->canonical;
      for (const auto& [keyword, value] : each->annotations.published_keywords) members[keyword] = value;
    }
  }

  static std::vector<std::string> type_names(Kinds set) {
    std::vector<std::string> names;
    auto add = [&](Kinds bits, const char* name) {
      if (set & bits) names.push_back(json::quoted(name));
    };
    add(kinds::object, "object");
    add(kinds::array, "array");
    add(kinds::string, "string");
    if (set & kinds::fraction)
      names.push_back(json::quoted("number"));
    else
      add(kinds::integer, "integer");
    add(kinds::boolean, "boolean");
    add(kinds::null, "null");
    return names;
  }

  static std::string type(Kinds set) {
    const std::vector<std::string> names = type_names(set);
    return names.size() == 1 ? names[0] : json_array(names);
  }

  // Writes a list of types as alternatives, each with the keywords about it, because Ajv warns of such a
  // list, except of one type and null.
  static void split_union(std::map<std::string, std::string>& members, const Schema& s) {
    static const std::vector<std::pair<Kinds, std::set<std::string>>> keywords = {
        {kinds::object,
         {"additionalProperties", "dependentRequired", "dependentSchemas", "maxProperties", "minProperties",
          "patternProperties", "properties", "propertyNames", "required"}},
        {kinds::array,
         {"contains", "items", "maxContains", "maxItems", "minContains", "minItems", "prefixItems",
          "uniqueItems"}},
        {kinds::string, {"maxLength", "minLength", "pattern"}},
        {kinds::number, {"exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum", "multipleOf"}},
        {kinds::boolean, {}},
        {kinds::null, {}}};
    const bool is_list = type_names(static_cast<Kinds>(s.kinds & ~kinds::null)).size() > 1;
    if (!is_list || !members.contains("type") || members.contains("anyOf")) return;
    members.erase("type");
    std::vector<std::string> alternatives;
    for (const auto& [kind, names] : keywords) {
      std::map<std::string, std::string> alternative;
      for (const std::string& name : names)
        if (auto found = members.extract(name); !found.empty()) alternative.insert(std::move(found));
      if ((s.kinds & kind) == 0) continue;
      alternative["type"] = type(static_cast<Kinds>(s.kinds & kind));
      alternatives.push_back(json_object(alternative));
    }
    members["anyOf"] = json_array(alternatives);
  }

  void add_limits(std::map<std::string, std::string>& members, const Schema& s) const {
    if (s.kinds_given && s.kinds != kinds::any) members["type"] = type(s.kinds);
    if (s.values) {
      std::vector<std::string> values;
      for (const Constant& each : *s.values) values.push_back(each.canonical);
      if (s.constant && values.size() == 1)
        members["const"] = values[0];
      else
        members["enum"] = json_array(values);
    }
    auto count = [&](const char* keyword, const std::optional<std::uint64_t>& value) {
      if (value) members[keyword] = std::to_string(*value);
    };
    count("minLength", s.min_length);
    count("maxLength", s.max_length);
    count("minItems", s.min_items);
    count("maxItems", s.max_items);
    count("minProperties", s.min_properties);
    count("maxProperties", s.max_properties);
    auto number = [&](const char* keyword, const std::optional<Number>& value) {
      if (value) members[keyword] = value->canonical;
    };
    number("minimum", s.minimum);
    number("maximum", s.maximum);
    number("exclusiveMinimum", s.exclusive_minimum);
    number("exclusiveMaximum", s.exclusive_maximum);
    if (!s.format.empty() && !name_of_) members["format"] = json::quoted(s.format);
    if (s.unique_items) members["uniqueItems"] = "true";
    // If a keyword that can occur only once has more values, these are written to allOf.
    std::vector<std::string> more;
    for (std::size_t i = 0; i < s.patterns.size(); ++i) {
      if (i == 0)
        members["pattern"] = json::quoted(s.patterns[i]);
      else
        more.push_back("{\"pattern\":" + json::quoted(s.patterns[i]) + "}");
    }
    for (std::size_t i = 0; i < s.divisors.size(); ++i) {
      if (i == 0)
        members["multipleOf"] = s.divisors[i].canonical;
      else
        more.push_back("{\"multipleOf\":" + s.divisors[i].canonical + "}");
    }
    if (!more.empty()) members["allOf"] = json_array(more);
  }

  void add_properties(std::map<std::string, std::string>& members, const Schema& s, bool root) {
    if (s.values) return;
    std::map<std::string, std::string> named;
    std::vector<std::string> required;
    for (const Property& each : s.properties) {
      if (resolved(*each.schema).never && s.additional == Additional::closed) continue;
      named[each.name] = schema(*each.schema, false);
      if (each.required) required.push_back(json::quoted(each.name));
    }
    for (const std::string& each : s.required) required.push_back(json::quoted(each));
    bool asks_only = !s.kinds_given;
    bool other_kinds = (s.kinds & ~(kinds::object | kinds::null)) != 0;
    if (!named.empty() || (!asks_only && !other_kinds && s.alternatives.empty()))
      members["properties"] = json_object(named);
    std::ranges::sort(required);
    if (!required.empty()) members["required"] = json_array(required);
    if (s.additional == Additional::closed) members["additionalProperties"] = "false";
    if (s.additional == Additional::open) members["additionalProperties"] = "true";
    if (s.additional_schema) members["additionalProperties"] = schema(*s.additional_schema, false);
    if (root) return;
    if (!s.dependent_required.empty()) {
      std::map<std::string, std::string> dependent;
      for (const auto& [name, list] : s.dependent_required) {
        std::vector<std::string> names;
        for (const std::string& each : list) names.push_back(json::quoted(each));
        dependent[name] = json_array(names);
      }
      members["dependentRequired"] = json_object(dependent);
    }
    if (s.conditionals.size() == 1) {
      add_conditional(members, s.conditionals[0]);
    } else if (s.conditionals.size() > 1) {
      std::vector<std::string> all;
      for (const Conditional& each : s.conditionals) {
        std::map<std::string, std::string> one;
        add_conditional(one, each);
        all.push_back(json_object(one));
      }
      members["allOf"] = json_array(all);
    }
  }

  void add_conditional(std::map<std::string, std::string>& members, const Conditional& condition) {
    std::string when;
    if (leaves_open([&] { when = schema(*condition.when, false); })) return;
    members["if"] = when;
    if (condition.then) members["then"] = schema(*condition.then, false);
    if (condition.otherwise) members["else"] = schema(*condition.otherwise, false);
  }

  void add_alternatives(std::map<std::string, std::string>& members, const Schema& s) {
    if (s.alternatives.empty()) return;
    std::vector<std::string> all;
    const bool open = leaves_open([&] {
      for (const Schema* each : s.alternatives) all.push_back(schema(*each, false));
    });
    members[s.alternatives_keyword.empty() ? "oneOf"
            : open                         ? "anyOf"
                                           : s.alternatives_keyword] = json_array(all);
  }

  Findings& findings_;
  DefinitionName name_of_;  // For a bundle.
  bool writes_rules_apart_ = false;
  std::vector<const Schema*> open_;
  std::size_t size_ = 0;  // The size of all output.
  bool said_ = false;
  bool incomplete_ = false;  // The output accepts more than the schema does.
};

// Calls see() once for every schema inside a published one.
template <class See>
void walk(const Schema& given, std::set<const Schema*>& seen, See see) {
  const Schema& s = resolved(given);
  if (!seen.insert(&s).second) return;
  see(s);
  if (s.items) walk(*s.items, seen, see);
  for (const Property& each : s.properties) walk(*each.schema, seen, see);
  if (s.additional_schema) walk(*s.additional_schema, seen, see);
  for (const Schema* each : s.alternatives) walk(*each, seen, see);
}

}  // namespace

std::string json_object(const std::map<std::string, std::string>& members) {
  std::string text = "{";
  for (const auto& [key, value] : members) {
    if (text.size() > 1) text += ",";
    text += json::quoted(key) + ":" + value;
  }
  return text + "}";
}

std::string json_array(const std::vector<std::string>& items) {
  std::string text = "[";
  for (const std::string& each : items) text += (&each == &items.front() ? "" : ",") + each;
  return text + "]";
}

std::string published_schema(const Schema& root, Findings& findings, RootConditionals conditions) {
  return Publisher(findings, conditions).schema(root, conditions == RootConditionals::omitted);
}

std::string bundled_schema(const Schema& root, const DefinitionName& name_of) {
  Findings unused;
  return Publisher(unused, name_of).schema(root, false);
}

void check_arrays_have_items(const ToolFile& tool, Findings& findings) {
  auto see = [&](const Schema& s) {
    if (s.kinds_given && !s.broken && (s.kinds & kinds::array) && !s.items && !s.values &&
        !find_validator_constraint(s, "prefixItems"))
      findings.add(s.location,
                   "\"items\" is missing; hosts drop a tool with an array whose items are not described");
  };
  for (const Schema* root : {tool.input, tool.output}) {
    std::set<const Schema*> seen;
    if (root) walk(*root, seen, see);
  }
}

}  // namespace snapgen::codegen
