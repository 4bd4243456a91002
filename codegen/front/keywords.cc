#include "codegen/front/keywords.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "codegen/front/name.h"
#include "runtime/json/format.h"
#include "runtime/json/number.h"
#include "runtime/json/pattern.h"

namespace snapgen::codegen {
namespace {

using json::Kind;
using json::Node;

class KeywordReader {
 public:
  KeywordReader(const Node& node, const SourceLocation& location, const KeywordContext& context)
      : node_(node), location_(location), context_(context) {
    own_.location = location;
    own_.node = &node;
  }

  OwnKeywords run() {
    if (node_.is(Kind::boolean)) {
      own_.never = !node_.boolean;
      return std::move(keywords_);
    }
    const bool reference_alone = context_.draft7 && node_.find("$ref");
    for (const json::Member& member : node_.members)
      if (!reference_alone || member.key == "$ref" || member.key == "definitions")
        read_keyword(member.key, member);
    finish();
    return std::move(keywords_);
  }

  static std::vector<std::string_view> names() {
    std::vector<std::string_view> all;
    for (const Known& each : known()) all.push_back(each.keyword);
    return all;
  }

 private:
  using Read = void (KeywordReader::*)(const json::Member&);

  struct Known {
    std::string_view keyword;
    Read read;
  };
  static const std::vector<Known>& known() {
    using R = KeywordReader;
    static const std::vector<Known> all = {{"$anchor", &R::check_schema_name},
                                           {"$comment", &R::ignore},
                                           {"$defs", &R::read_definitions},
                                           {"$dynamicAnchor", &R::check_schema_name},
                                           {"$dynamicRef", &R::read_dynamic_reference},
                                           {"$id", &R::check_schema_name},
                                           {"$ref", &R::read_reference},
                                           {"$vocabulary", &R::ignore},
                                           {"additionalProperties", &R::read_additional},
                                           {"allOf", &R::read_all_of},
                                           {"anyOf", &R::read_alternatives},
                                           {"const", &R::read_constant},
                                           {"contains", &R::add_schema_constraint},
                                           {"contentEncoding", &R::read_header},
                                           {"contentMediaType", &R::read_header},
                                           {"contentSchema", &R::read_content_schema},
                                           {"default", &R::read_default_value},
                                           {"dependentRequired", &R::read_dependent_required},
                                           {"dependentSchemas", &R::add_schema_map_constraint},
                                           {"deprecated", &R::read_flag},
                                           {"description", &R::read_description},
                                           {"else", &R::read_conditional},
                                           {"enum", &R::read_enumeration},
                                           {"examples", &R::read_examples},
                                           {"exclusiveMaximum", &R::read_number},
                                           {"exclusiveMinimum", &R::read_number},
                                           {"format", &R::read_format},
                                           {"if", &R::read_conditional},
                                           {"items", &R::read_items},
                                           {"maxContains", &R::add_count_constraint},
                                           {"maxItems", &R::read_count},
                                           {"maxLength", &R::read_count},
                                           {"maxProperties", &R::read_count},
                                           {"maximum", &R::read_number},
                                           {"minContains", &R::add_count_constraint},
                                           {"minItems", &R::read_count},
                                           {"minLength", &R::read_count},
                                           {"minProperties", &R::read_count},
                                           {"minimum", &R::read_number},
                                           {"multipleOf", &R::read_number},
                                           {"not", &R::add_schema_constraint},
                                           {"oneOf", &R::read_alternatives},
                                           {"pattern", &R::read_pattern},
                                           {"patternProperties", &R::read_pattern_properties},
                                           {"prefixItems", &R::add_schema_list_constraint},
                                           {"properties", &R::read_properties},
                                           {"propertyNames", &R::add_schema_constraint},
                                           {"readOnly", &R::read_flag},
                                           {"required", &R::read_required},
                                           {"then", &R::read_conditional},
                                           {"title", &R::read_title},
                                           {"type", &R::read_type},
                                           {"unevaluatedItems", &R::add_schema_constraint},
                                           {"unevaluatedProperties", &R::read_unevaluated},
                                           {"uniqueItems", &R::read_unique_items},
                                           {"writeOnly", &R::read_flag},
                                           {"x-mcp-header", &R::read_header},
                                           {"x-snapgen", &R::read_extension}};
    return all;
  }

  void read_keyword(const std::string& name, const json::Member& member) {
    if (context_.is_file_root && name == "$schema") return;
    if (context_.is_foreign && read_foreign_keyword(name, member)) return;
    for (const Known& each : known()) {
      if (each.keyword != name) continue;
      (this->*each.read)(member);
      return;
    }
    SourceLocation at = inner_location(location_, name, member.key_offset);
    if (std::string_view instead = keyword_advice(name); !instead.empty()) {
      context_.findings.add(at, "\"" + name + "\" is not supported; " + std::string(instead));
      return;
    }
    context_.findings.add(
        at, "\"" + name + "\" is not a keyword that is known here" + suggestion_clause(name, names()));
  }

  // Reads keywords that only foreign schemas have. Returns true if the keyword needs no further processing.
  bool read_foreign_keyword(const std::string& name, const json::Member& member) {
    if (name.starts_with("x-")) return true;
    if (name == "definitions") return read_definitions(member), true;
    if (context_.draft7) {
      static constexpr std::array<std::string_view, 16> later = {
          "$anchor",           "$defs",
          "$dynamicAnchor",    "$dynamicRef",
          "$vocabulary",       "contentSchema",
          "dependentRequired", "dependentSchemas",
          "deprecated",        "maxContains",
          "minContains",       "prefixItems",
          "unevaluatedItems",  "unevaluatedProperties"};
      if (std::ranges::find(later, name) != later.end()) return true;
      if (name == "dependencies") return add_validator_constraint(member), true;
      if (name == "items" && member.value.is(Kind::array)) {
        add_schema_list_constraint(member);
        own_.validator_constraints.back().keyword = "prefixItems";
        return true;
      }
      if (name == "additionalItems") return true;
    }
    const std::vector<std::string_view> all = names();
    return std::ranges::find(all, name) == all.end();
  }

  void add_finding(const json::Member& member, std::string sentence) {
    context_.findings.add(inner_location(location_, member.key, member.value.offset), std::move(sentence));
  }
  bool expect_kind(const json::Member& member, Kind kind, std::string_view words) {
    if (member.value.is(kind)) return true;
    add_finding(member, "\"" + member.key + "\" is not " + std::string(words));
    return false;
  }

  void ignore(const json::Member&) {}
  void check_schema_name(const json::Member& m) { expect_kind(m, Kind::string, "a string"); }

  // ---- Constraints that no struct can express

  ValidatorConstraint& add_validator_constraint(const json::Member& m) {
    own_.validator_constraints.push_back({.keyword = m.key, .node = &m.value});
    return own_.validator_constraints.back();
  }
  void read_dynamic_reference(const json::Member& m) {
    if (expect_kind(m, Kind::string, "a string") && !context_.has_single_target) add_validator_constraint(m);
  }
  void add_count_constraint(const json::Member& m) {
    const std::optional<std::int64_t> value = m.value.integer();
    if (!m.value.is(Kind::number) || !value || *value < 0)
      return add_finding(m, "\"" + m.key + "\" is not an integer from 0");
    if (node_.find("contains")) add_validator_constraint(m);
  }
  void add_schema_constraint(const json::Member& m) {
    if (const Schema* schema = inner_schema(m)) add_validator_constraint(m).schemas.emplace_back("", schema);
  }
  void add_schema_list_constraint(const json::Member& m) {
    const std::vector<const Schema*> all = schema_list(m);
    ValidatorConstraint& made = add_validator_constraint(m);
    for (std::size_t i = 0; i < all.size(); ++i) made.schemas.emplace_back(std::to_string(i), all[i]);
  }
  void add_schema_map_constraint(const json::Member& m) {
    if (!expect_kind(m, Kind::object, "an object")) return;
    SourceLocation at = inner_location(location_, m.key, m.value.offset);
    ValidatorConstraint& made = add_validator_constraint(m);
    for (const json::Member& each : m.value.members)
      if (const Schema* schema = inner_schema(each.value, inner_location(at, each.key, each.value.offset)))
        made.schemas.emplace_back(each.key, schema);
  }
  void read_pattern_properties(const json::Member& m) {
    add_schema_map_constraint(m);
    own_.has_other_member_constraints = true;
    SourceLocation at = inner_location(location_, m.key, m.value.offset);
    for (const json::Member& each : m.value.members)
      if (std::optional<std::string> problem = json::pattern_error(each.key))
        context_.findings.add(inner_location(at, each.key, each.key_offset),
                              "\"patternProperties\": " + *problem);
  }
  void read_content_schema(const json::Member& m) {
    if (inner_schema(m)) copy_to_listing(m);
  }
  void read_title(const json::Member& m) {
    if (expect_kind(m, Kind::string, "a string")) own_.annotations.title = m.value.text;
  }
  void read_description(const json::Member& m) {
    if (expect_kind(m, Kind::string, "a string")) own_.annotations.description = m.value.text;
  }
  void read_default_value(const json::Member& m) { own_.annotations.default_value = constant_of(m.value); }
  void copy_to_listing(const json::Member& m) {
    own_.annotations.published_keywords.emplace_back(m.key, constant_of(m.value).canonical);
  }
  void read_flag(const json::Member& m) {
    if (expect_kind(m, Kind::boolean, "true or false")) copy_to_listing(m);
  }
  void read_examples(const json::Member& m) {
    if (expect_kind(m, Kind::array, "an array")) copy_to_listing(m);
  }
  void read_header(const json::Member& m) {
    if (expect_kind(m, Kind::string, "a string")) copy_to_listing(m);
  }

  void read_type(const json::Member& m) {
    own_.kinds_given = true;
    own_.kinds = 0;
    if (m.value.is(Kind::string)) {
      type_of_name(m, m.value);
    } else if (m.value.is(Kind::array) && !m.value.items.empty()) {
      for (const Node& each : m.value.items) type_of_name(m, each);
      refuse_equal_types(m);
    } else {
      add_finding(m, "\"type\" is the name of a type, or a list of such names");
    }
    if (own_.kinds != 0) return;
    own_.kinds = kinds::any;
    own_.broken = true;
  }
  void refuse_equal_types(const json::Member& m) {
    const std::vector<Node>& all = m.value.items;
    for (auto each = all.begin(); each != all.end(); ++each)
      if (!context_.is_foreign && std::ranges::count(all.begin(), each, each->text, &Node::text) != 0)
        add_finding(m, "\"" + each->text + "\" is listed twice");
  }
  void type_of_name(const json::Member& m, const Node& name) {
    static constexpr std::array<std::pair<std::string_view, Kinds>, 7> types = {{{"array", kinds::array},
                                                                                 {"boolean", kinds::boolean},
                                                                                 {"integer", kinds::integer},
                                                                                 {"null", kinds::null},
                                                                                 {"number", kinds::number},
                                                                                 {"object", kinds::object},
                                                                                 {"string", kinds::string}}};
    std::vector<std::string_view> names;
    for (const auto& [known, bits] : types) {
      names.push_back(known);
      if (!name.is(Kind::string) || name.text != known) continue;
      own_.kinds = static_cast<Kinds>(own_.kinds | bits);
      return;
    }
    std::string proposal = suggestion_clause(name.text, names);
    if (std::string_view ours = json_type_for(name.text); !ours.empty())
      proposal = "; did you mean \"" + std::string(ours) + "\"?";
    add_finding(
        m, "\"" + name.text +
               "\" is not a type; the types are array, boolean, integer, null, number, object and string" +
               proposal);
  }

  void set_values(const std::vector<const Node*>& nodes) {
    std::vector<Constant> found;
    Kinds kinds = 0;
    for (const Node* node : nodes) {
      Constant value = constant_of(*node);
      kinds = static_cast<Kinds>(kinds | value.kinds);
      if (std::ranges::find(found, value) == found.end()) found.push_back(std::move(value));
    }
    if (own_.values) {
      std::vector<Constant> both;
      for (const Constant& each : *own_.values)
        if (std::ranges::find(found, each) != found.end()) both.push_back(each);
      found = std::move(both);
    }
    own_.values = std::move(found);
  }
  void read_constant(const json::Member& m) {
    set_values({&m.value});
    own_.constant = true;
  }
  void read_enumeration(const json::Member& m) {
    if (!expect_kind(m, Kind::array, "an array")) return;
    if (m.value.items.empty()) return add_finding(m, "\"enum\" is empty, so no value fits");
    std::vector<const Node*> nodes;
    for (const Node& each : m.value.items) {
      for (const Node* before : nodes)
        if (!context_.is_foreign && json::equal(*before, each))
          add_finding(m, "\"enum\" has the value " + constant_of(each).canonical + " twice");
      nodes.push_back(&each);
    }
    set_values(nodes);
  }

  void read_count(const json::Member& m) {
    std::optional<std::int64_t> value = m.value.integer();
    if (!m.value.is(Kind::number) || !value || *value < 0)
      return add_finding(m, "\"" + m.key + "\" is not an integer from 0");
    auto limit = static_cast<std::uint64_t>(*value);
    if (m.key == "minLength") own_.min_length = limit;
    if (m.key == "maxLength") own_.max_length = limit;
    if (m.key == "minItems") own_.min_items = limit;
    if (m.key == "maxItems") own_.max_items = limit;
    if (m.key == "minProperties") own_.min_properties = limit;
    if (m.key == "maxProperties") own_.max_properties = limit;
  }

  void read_number(const json::Member& m) {
    if (!expect_kind(m, Kind::number, "a number")) return;
    Number value{.value = m.value.number().value_or(0),
                 .text = m.value.text,
                 .canonical = json::canonical_number(m.value.text).value_or(m.value.text)};
    if (m.key == "minimum") own_.minimum = value;
    if (m.key == "maximum") own_.maximum = value;
    if (m.key == "exclusiveMinimum") own_.exclusive_minimum = value;
    if (m.key == "exclusiveMaximum") own_.exclusive_maximum = value;
    if (m.key != "multipleOf") return;
    if (value.value <= 0) return add_finding(m, "\"multipleOf\" is not a number above 0");
    own_.divisors.push_back(value);
  }

  void read_pattern(const json::Member& m) {
    if (!expect_kind(m, Kind::string, "a string")) return;
    if (std::optional<std::string> problem = json::pattern_error(m.value.text))
      return add_finding(m, "\"pattern\": " + *problem);
    own_.patterns.push_back(m.value.text);
  }
  void read_format(const json::Member& m) {
    if (!expect_kind(m, Kind::string, "a string")) return;
    own_.format = m.value.text;
    const std::string meant = context_.is_foreign ? std::string() : similar_format(own_.format);
    if (!meant.empty() && !context_.formats_asserted)
      context_.findings.add_note(inner_location(location_, m.key, m.value.offset),
                                 "\"" + own_.format + "\" is not a format of JSON Schema" + meant);
    if (!context_.formats_asserted) return;
    if (!json::format_named(own_.format))
      return add_finding(
          m, "\"" + own_.format + "\" is not a format that can be asserted, and this file asserts formats");
    own_.format_asserted = true;
  }

  const Schema* inner_schema(const Node& node, const SourceLocation& location) {
    if (node.is(Kind::object) || node.is(Kind::boolean)) return context_.schema_at(node, location);
    context_.findings.add(location, "a schema is an object, true or false");
    return nullptr;
  }
  const Schema* inner_schema(const json::Member& m) {
    return inner_schema(m.value, inner_location(location_, m.key, m.value.offset));
  }

  void read_items(const json::Member& m) { own_.items = inner_schema(m); }
  void read_unique_items(const json::Member& m) {
    if (expect_kind(m, Kind::boolean, "true or false")) own_.unique_items = m.value.boolean;
  }

  void read_properties(const json::Member& m) {
    if (!expect_kind(m, Kind::object, "an object")) return;
    own_.properties_given = true;
    SourceLocation at = inner_location(location_, m.key, m.value.offset);
    for (const json::Member& each : m.value.members) {
      const Schema* schema = inner_schema(each.value, inner_location(at, each.key, each.value.offset));
      if (schema) own_.properties.push_back({.name = each.key, .schema = schema});
    }
  }
  void read_required(const json::Member& m) {
    const std::string name = property_name(location_);
    if (m.value.is(Kind::boolean) && !name.empty())
      return add_finding(m, "\"required\" is a list of names" + advice_to_require(name));
    own_.required = names(m, m.value, inner_location(location_, m.key, m.value.offset));
  }
  std::vector<std::string> names(const json::Member& m, const Node& list, const SourceLocation& location) {
    std::vector<std::string> found;
    if (!list.is(Kind::array)) {
      context_.findings.add(location, "\"" + m.key + "\" is not a list of names");
      return found;
    }
    for (const Node& each : list.items) {
      if (!each.is(Kind::string))
        context_.findings.add(location, "\"" + m.key + "\" is not a list of names");
      else if (std::ranges::find(found, each.text) != found.end())
        context_.findings.add(location, "\"" + each.text + "\" is listed twice");
      else
        found.push_back(each.text);
    }
    return found;
  }
  void read_additional(const json::Member& m) {
    if (m.value.is(Kind::boolean)) {
      own_.additional = m.value.boolean ? Additional::open : Additional::closed;
      return;
    }
    own_.additional_schema = inner_schema(m);
    if (own_.additional_schema) own_.additional = Additional::schema;
  }
  void read_dependent_required(const json::Member& m) {
    if (!expect_kind(m, Kind::object, "an object")) return;
    SourceLocation at = inner_location(location_, m.key, m.value.offset);
    for (const json::Member& each : m.value.members)
      own_.dependent_required[each.key] =
          names(each, each.value, inner_location(at, each.key, each.value.offset));
  }

  void read_conditional(const json::Member& m) {
    if (m.key == "if") condition_.when = inner_schema(m);
    if (m.key == "then") condition_.then = inner_schema(m);
    if (m.key == "else") condition_.otherwise = inner_schema(m);
  }
  void read_all_of(const json::Member& m) {
    for (const Schema* each : schema_list(m)) keywords_.all_of.push_back(each);
  }
  void read_alternatives(const json::Member& m) {
    // The first list of alternatives determines the type; a plan checks the second one.
    if (!own_.alternatives.empty()) return add_schema_list_constraint(m);
    own_.alternatives = schema_list(m);
    own_.alternatives_keyword = m.key;
    if (!context_.is_foreign) refuse_equal_alternatives(m);
  }
  void refuse_equal_alternatives(const json::Member& m) {
    const std::vector<Node>& all = m.value.items;
    const SourceLocation at = inner_location(location_, m.key, m.value.offset);
    for (auto each = all.begin(); each != all.end(); ++each)
      if (std::any_of(all.begin(), each, [&](const Node& before) { return json::equal(before, *each); }))
        context_.findings.add(
            inner_location(at, std::to_string(each - all.begin()), each->offset),
            "\"" + m.key + "\" has this alternative twice" +
                (m.key == "oneOf" ? ", so a value that fits it never fits exactly one" : ""));
  }
  std::vector<const Schema*> schema_list(const json::Member& m) {
    std::vector<const Schema*> found;
    if (!expect_kind(m, Kind::array, "a list of schemas")) return found;
    if (m.value.items.empty()) add_finding(m, "\"" + m.key + "\" is empty");
    SourceLocation at = inner_location(location_, m.key, m.value.offset);
    for (std::size_t i = 0; i < m.value.items.size(); ++i) {
      const Node& each = m.value.items[i];
      if (const Schema* schema = inner_schema(each, inner_location(at, std::to_string(i), each.offset)))
        found.push_back(schema);
    }
    return found;
  }

  void read_definitions(const json::Member& m) {
    if (!expect_kind(m, Kind::object, "an object")) return;
    SourceLocation at = inner_location(location_, m.key, m.value.offset);
    for (const json::Member& each : m.value.members)
      inner_schema(each.value, inner_location(at, each.key, each.value.offset));
  }
  void read_reference(const json::Member&) {
  }  // The resolve stage follows references, so there is nothing to do.
  void read_unevaluated(const json::Member& m) {
    if (m.value.is(Kind::boolean) && m.value.boolean) {
      keywords_.open_when_merged = true;
    } else if (m.value.is(Kind::boolean)) {
      keywords_.closed_when_merged = true;
    } else {
      add_schema_constraint(m);
      own_.has_other_member_constraints = true;
    }
  }

  void read_extension(const json::Member& m) {
    if (!expect_kind(m, Kind::object, "an object")) return;
    SourceLocation at = inner_location(location_, m.key, m.value.offset);
    for (const json::Member& each : m.value.members) {
      SourceLocation here = inner_location(at, each.key, each.value.offset);
      if (context_.is_file_root &&
          (each.key == "asked" || each.key == "formats" || each.key == "examples" || each.key == "route"))
        continue;
      if (each.key == "optional") {
        own_.annotations.is_optional = each.value.is(Kind::boolean) && each.value.boolean;
        if (!own_.annotations.is_optional) context_.findings.add(here, "\"optional\" can only be true");
      } else if (each.key != "brand" && each.key != "member" && each.key != "type") {
        std::vector<std::string_view> names = {"brand", "member", "optional", "type"};
        if (context_.is_file_root) names = {"asked", "brand", "examples", "formats", "route", "type"};
        context_.findings.add(
            here, "\"" + each.key + "\" is not known in \"x-snapgen\"" + suggestion_clause(each.key, names));
      } else if (!each.value.is(Kind::string) || !is_identifier(each.value.text) ||
                 is_reserved(each.value.text)) {
        context_.findings.add(here, "\"" + each.key + "\" is not a name that C++ allows");
      } else {
        Annotations& notes = own_.annotations;
        (each.key == "brand"    ? notes.brand
         : each.key == "member" ? notes.member
                                : notes.type) = each.value.text;
      }
    }
  }

  void finish() {
    if (!own_.annotations.brand.empty() && (own_.kinds & ~kinds::null) != kinds::string &&
        !node_.find("$ref"))
      context_.findings.add(location_, "\"brand\" is for strings; \"type\": \"string\" is missing here");
    if (condition_.when)
      own_.conditionals.push_back(condition_);
    else if ((condition_.then || condition_.otherwise) && !context_.is_foreign)
      context_.findings.add(location_, "\"then\" and \"else\" say nothing without \"if\"");
    if (keywords_.open_when_merged && own_.additional == Additional::unspecified)
      own_.additional = Additional::open;
    // A required name that `properties` describes is marked there, and removed from `required`.
    std::vector<std::string> rest;
    for (std::string& name : own_.required) {
      auto found =
          std::ranges::find_if(own_.properties, [&](const Property& each) { return each.name == name; });
      if (found == own_.properties.end())
        rest.push_back(std::move(name));
      else
        found->required = true;
    }
    own_.required = std::move(rest);
    if (!own_.values) return;
    // The kinds of the schema are those of its values that `type` allows.
    std::vector<Constant> fitting;
    Kinds found = 0;
    for (Constant& each : *own_.values) {
      if ((each.kinds & own_.kinds) == 0) {
        if (context_.is_foreign) continue;
        context_.findings.add(location_, "the value " + each.canonical + " is not " + text(own_.kinds) +
                                             ", which \"type\" asks for");
        continue;
      }
      found = static_cast<Kinds>(found | each.kinds);
      fitting.push_back(std::move(each));
    }
    own_.values = std::move(fitting);
    note_kinds_without_value(found);
    own_.kinds_given = true;
    if (found) own_.kinds = found;
  }

  // Notes the types in a list, such as null, that no value of the enum has. None of them is ever accepted.
  void note_kinds_without_value(Kinds found) {
    const Node* type = node_.find("type");
    const Node* list = node_.find("enum");
    if (!type || !type->is(Kind::array) || !list || context_.is_foreign) return;
    const auto unused =
        static_cast<Kinds>(own_.kinds & ~(found & kinds::number ? found | kinds::number : found));
    if (found && unused)
      context_.findings.add_note(inner_location(location_, "enum", list->offset),
                                 "\"type\" allows " + text(unused) + ", but the enum has no such value");
  }

  const Node& node_;
  const SourceLocation& location_;
  const KeywordContext& context_;
  OwnKeywords keywords_;
  Schema& own_ = keywords_.own;
  Conditional condition_;
};

}  // namespace

Constant constant_of(const Node& node) {
  Constant value{.kind = node.kind, .kinds = kinds::null};
  json::Writer writer(value.canonical);
  json::write(writer, node);
  switch (node.kind) {
    case Kind::object: value.kinds = kinds::object; break;
    case Kind::array: value.kinds = kinds::array; break;
    case Kind::string:
      value.kinds = kinds::string;
      value.string = node.text;
      break;
    case Kind::number: value.kinds = json::is_integer(node.text) ? kinds::integer : kinds::fraction; break;
    case Kind::boolean: value.kinds = kinds::boolean; break;
    default: break;
  }
  return value;
}

std::vector<std::string_view> known_keywords() { return KeywordReader::names(); }

OwnKeywords read_keywords(const Node& node, const SourceLocation& location, const KeywordContext& context) {
  return KeywordReader(node, location, context).run();
}

}  // namespace snapgen::codegen
