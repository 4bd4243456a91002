#include "tests/codegen/validate.h"

#include <algorithm>

#include "codegen/front/finding.h"
#include "codegen/front/keywords.h"
#include "runtime/base/text.h"
#include "runtime/json/format.h"
#include "runtime/json/number.h"
#include "runtime/json/pattern.h"

namespace snapgen::codegen {
namespace {

using json::Kind;
using json::Node;

class Validator {
 public:
  explicit Validator(std::vector<Misfit>& misfits) : misfits_(misfits) {}

  void value(const Schema& given, const Node& node, const std::string& pointer) {
    const Schema& s = resolved(given);
    Constant constant = constant_of(node);
    auto wrong = [&](std::string keyword, std::string message) {
      misfits_.push_back({pointer, std::move(keyword), std::move(message)});
    };
    if (s.never) return wrong("false", "nothing is allowed here");
    if (!s.alternatives.empty()) return alternatives(s, node, pointer);
    if ((s.kinds & constant.kinds) == 0) return wrong("type", "expected " + text(s.kinds));
    if (s.values && std::find(s.values->begin(), s.values->end(), constant) == s.values->end()) {
      std::string list;
      for (const Constant& each : *s.values) list += (list.empty() ? "" : ", ") + each.canonical;
      wrong(s.constant ? "const" : "enum", "expected " + list);
    }
    for (const Conditional& each : s.conditionals) {
      const Schema* asked = fits(*each.when, node) ? each.then : each.otherwise;
      if (asked && !fits(*asked, node)) wrong("if", "a condition is not met");
    }
    switch (node.kind) {
      case Kind::string: string(s, node, wrong); break;
      case Kind::number: number(s, node, wrong); break;
      case Kind::array: array(s, node, pointer, wrong); break;
      case Kind::object: object(s, node, pointer, wrong); break;
      default: break;
    }
  }

 private:
  static bool fits(const Schema& schema, const Node& node) { return validate(schema, node).empty(); }

  void alternatives(const Schema& s, const Node& node, const std::string& pointer) {
    std::size_t count = 0;
    for (const Schema* each : s.alternatives) count += fits(*each, node) ? 1 : 0;
    bool one = s.alternatives_keyword == "oneOf";
    if (count == 1 || (count > 1 && !one)) return;
    misfits_.push_back({pointer, s.alternatives_keyword,
                        count ? "fits more than one alternative" : "fits none of the alternatives"});
  }

  template <class Wrong>
  static void string(const Schema& s, const Node& node, Wrong wrong) {
    std::size_t size = code_point_count(node.text);
    if (s.min_length && size < *s.min_length)
      wrong("minLength", "expected at least " + std::to_string(*s.min_length) + " characters");
    if (s.max_length && size > *s.max_length)
      wrong("maxLength", "expected at most " + std::to_string(*s.max_length) + " characters");
    for (const std::string& each : s.patterns)
      if (!json::pattern_error(each) && !json::Pattern(each).matches(node.text))
        wrong("pattern", "expected a text that matches " + each);
    if (!s.format_asserted) return;
    std::optional<json::Format> format = json::format_named(s.format);
    if (format && !json::matches_format(*format, node.text))
      wrong("format", "expected a text of format " + s.format);
  }

  template <class Wrong>
  static void number(const Schema& s, const Node& node, Wrong wrong) {
    auto compare = [&](const Number& limit) { return json::compare_numbers(node.text, limit.text); };
    if (s.minimum && compare(*s.minimum) < 0) wrong("minimum", "expected at least " + s.minimum->canonical);
    if (s.maximum && compare(*s.maximum) > 0) wrong("maximum", "expected at most " + s.maximum->canonical);
    if (s.exclusive_minimum && compare(*s.exclusive_minimum) <= 0)
      wrong("exclusiveMinimum", "expected more than " + s.exclusive_minimum->canonical);
    if (s.exclusive_maximum && compare(*s.exclusive_maximum) >= 0)
      wrong("exclusiveMaximum", "expected less than " + s.exclusive_maximum->canonical);
    for (const Number& each : s.divisors) {
      if (!json::is_multiple(node.text, each.canonical))
        wrong("multipleOf", "expected a multiple of " + each.canonical);
    }
  }

  template <class Wrong>
  void array(const Schema& s, const Node& node, const std::string& pointer, Wrong wrong) {
    if (s.min_items && node.items.size() < *s.min_items)
      wrong("minItems", "expected at least " + std::to_string(*s.min_items) + " items");
    if (s.max_items && node.items.size() > *s.max_items)
      wrong("maxItems", "expected at most " + std::to_string(*s.max_items) + " items");
    if (s.unique_items) {
      std::vector<std::string> seen;
      for (const Node& each : node.items) seen.push_back(constant_of(each).canonical);
      std::sort(seen.begin(), seen.end());
      if (std::adjacent_find(seen.begin(), seen.end()) != seen.end())
        wrong("uniqueItems", "expected no two items alike");
    }
    const ValidatorConstraint* prefix = find_validator_constraint(s, "prefixItems");
    const std::size_t first = prefix ? prefix->schemas.size() : 0;
    for (std::size_t i = 0; i < std::min(first, node.items.size()); ++i)
      value(*prefix->schemas[i].second, node.items[i], pointer + "/" + std::to_string(i));
    if (!s.items) return;
    for (std::size_t i = first; i < node.items.size(); ++i)
      value(*s.items, node.items[i], pointer + "/" + std::to_string(i));
  }

  template <class Wrong>
  void object(const Schema& s, const Node& node, const std::string& pointer, Wrong wrong) {
    for (const json::Member& member : node.members) {
      std::string here =
          inner_location(SourceLocation{.file = nullptr, .offset = 0, .pointer = pointer}, member.key, 0)
              .pointer;
      if (const Property* known = find_property(s, member.key)) {
        value(*known->schema, member.value, here);
      } else if (s.has_other_member_constraints) {
        continue;  // A plan validates these members.
      } else if (s.additional == Additional::closed) {
        std::vector<std::string_view> names;
        for (const Property& each : s.properties) names.push_back(each.name);
        misfits_.push_back(
            {here, "additionalProperties", "the property is unknown" + suggestion_clause(member.key, names)});
      } else if (s.additional_schema) {
        value(*s.additional_schema, member.value, here);
      }
    }
    auto required = [&](const std::string& name) {
      if (!node.find(name)) wrong("required", "\"" + name + "\" is missing");
    };
    for (const Property& each : s.properties)
      if (each.required) required(each.name);
    for (const std::string& each : s.required) required(each);
    if (s.min_properties && node.members.size() < *s.min_properties)
      wrong("minProperties", "expected at least " + std::to_string(*s.min_properties) + " members");
    if (s.max_properties && node.members.size() > *s.max_properties)
      wrong("maxProperties", "expected at most " + std::to_string(*s.max_properties) + " members");
    for (const auto& [name, needed] : s.dependent_required)
      for (const std::string& each : needed)
        if (node.find(name) && !node.find(each))
          wrong("dependentRequired", "\"" + each + "\" is missing beside \"" + name + "\"");
  }

  std::vector<Misfit>& misfits_;
};

}  // namespace

std::vector<Misfit> validate(const Schema& schema, const Node& value) {
  std::vector<Misfit> misfits;
  Validator(misfits).value(schema, value, "");
  return misfits;
}

}  // namespace snapgen::codegen
