#include "codegen/front/merge.h"

#include <algorithm>
#include <utility>

namespace snapgen::codegen {
namespace {

constexpr int depth_max = 32;
// The limit for one run, because merging members can multiply schemas without end.
constexpr int count_max = 20000;

template <class T>
void at_least(std::optional<T>& limit, const std::optional<T>& other) {
  if (other && (!limit || *limit < *other)) limit = other;
}
template <class T>
void at_most(std::optional<T>& limit, const std::optional<T>& other) {
  if (other && (!limit || *other < *limit)) limit = other;
}

std::string kinds_at_once(const Schema& first, const Schema& second) {
  return "no value can be " + text(first.kinds) + " and " + text(second.kinds) + " at once";
}

bool closes(const Schema& schema) {
  return schema.additional == Additional::closed && !schema.closed_by_default;
}

void add_validator_constraints(Schema& out, const Schema& with) {
  for (const ValidatorConstraint& each : with.validator_constraints) {
    const bool known = std::ranges::any_of(
        out.validator_constraints, [&](const ValidatorConstraint& other) { return other.node == each.node; });
    if (!known) out.validator_constraints.push_back(each);
  }
}

}  // namespace

const Schema* Merger::store_schema(Schema schema) {
  owned_schemas_.push_back(std::make_unique<Schema>(std::move(schema)));
  return owned_schemas_.back().get();
}

const Schema* Merger::merged_inner(const Schema* first, const Schema* second) {
  if (!first) return second;
  if (!second) return first;
  ensure_complete(*first);
  ensure_complete(*second);
  if (&resolved(*first) == &resolved(*second)) return second;
  if (!has_limits(resolved(*first)) && !resolved(*first).kinds_given && !first->target) return second;
  return store_schema(merged(*first, *second));
}

void Merger::merge_kinds_and_values(Schema& out, const Schema& with) {
  out.never = out.never || with.never;
  out.broken = out.broken || with.broken;
  Kinds common = static_cast<Kinds>(out.kinds & with.kinds);
  if (!common) {
    findings_.add(with.location, kinds_at_once(out, with));
    common = with.kinds;
  }
  out.kinds = common;
  out.kinds_given = out.kinds_given || with.kinds_given;
  if (with.values) {
    if (out.values) {
      std::vector<Constant> left;
      for (const Constant& each : *with.values)
        if (std::ranges::find(*out.values, each) != out.values->end()) left.push_back(each);
      if (left.empty()) {
        findings_.add(with.location,
                      "none of the values allowed here is allowed by the schema it is merged with");
        left = *with.values;
      }
      out.values = std::move(left);
      out.constant = out.constant || with.constant;
    } else {
      out.values = with.values;
      out.constant = with.constant;
    }
  }
}

void Merger::merge_limits(Schema& out, const Schema& with) {
  at_least(out.min_length, with.min_length);
  at_most(out.max_length, with.max_length);
  for (const std::string& pattern : with.patterns)
    if (std::ranges::find(out.patterns, pattern) == out.patterns.end()) out.patterns.push_back(pattern);
  if (!with.format.empty()) {
    if (!out.format.empty() && out.format != with.format)
      findings_.add(with.location, "\"format\" is " + with.format + " here and " + out.format +
                                       " in the schema it is merged with");
    out.format = with.format;
    out.format_asserted = out.format_asserted || with.format_asserted;
  }
  at_least(out.minimum, with.minimum);
  at_least(out.exclusive_minimum, with.exclusive_minimum);
  at_most(out.maximum, with.maximum);
  at_most(out.exclusive_maximum, with.exclusive_maximum);
  for (const Number& multiple : with.divisors)
    if (std::ranges::find(out.divisors, multiple) == out.divisors.end()) out.divisors.push_back(multiple);
  out.items = merged_inner(out.items, with.items);
  at_least(out.min_items, with.min_items);
  at_most(out.max_items, with.max_items);
  out.unique_items = out.unique_items || with.unique_items;
  at_least(out.min_properties, with.min_properties);
  at_most(out.max_properties, with.max_properties);
}

// Merges what is known about objects into `out`, which is a copy of `first`.
void Merger::merge_objects(Schema& out, const Schema& first, const Schema& second) {
  out.properties_given = first.properties_given || second.properties_given;
  auto beyond = [&](const Schema& closed, const Property& each) {
    if (closes(closed) && !closed.has_other_member_constraints && !each.schema->never)
      findings_.add(second.location,
                    "\"" + each.name +
                        "\" can never be there: one of the merged schemas has no such property "
                        "and \"additionalProperties\": false");
  };
  for (Property& each : out.properties) {
    if (const Property* other = find_property(second, each.name)) {
      each.schema = merged_inner(each.schema, other->schema);
      each.required = each.required || other->required;
    } else {
      beyond(second, each);
      if (second.additional == Additional::schema)
        each.schema = merged_inner(second.additional_schema, each.schema);
    }
  }
  for (const Property& each : second.properties) {
    if (find_property(first, each.name)) continue;
    beyond(first, each);
    Property added = each;
    if (first.additional == Additional::schema)
      added.schema = merged_inner(first.additional_schema, added.schema);
    out.properties.push_back(added);
  }
  // A name that one part requires may be described by the other part.
  std::vector<std::string> names = first.required;
  names.insert(names.end(), second.required.begin(), second.required.end());
  out.required.clear();
  for (const std::string& name : names) {
    auto found =
        std::ranges::find_if(out.properties, [&](const Property& each) { return each.name == name; });
    if (found != out.properties.end())
      found->required = true;
    else if (std::ranges::find(out.required, name) == out.required.end())
      out.required.push_back(name);
  }
  out.has_other_member_constraints =
      first.has_other_member_constraints || second.has_other_member_constraints;
  bool said_first = first.additional != Additional::unspecified && !first.closed_by_default;
  bool said_second = second.additional != Additional::unspecified && !second.closed_by_default;
  out.closed_by_default = false;
  if (closes(first) || closes(second)) {
    out.additional = Additional::closed;
    out.additional_schema = nullptr;
  } else if (said_first && said_second && first.additional_schema && second.additional_schema) {
    out.additional_schema = merged_inner(first.additional_schema, second.additional_schema);
  } else if (said_second && (!said_first || second.additional == Additional::schema)) {
    out.additional = second.additional;
    out.additional_schema = second.additional_schema;
  } else if (!said_first) {
    out.additional = Additional::unspecified;
  }
  out.conditionals.insert(out.conditionals.end(), second.conditionals.begin(), second.conditionals.end());
  for (const auto& [name, list] : second.dependent_required) {
    std::vector<std::string>& all = out.dependent_required[name];
    for (const std::string& each : list)
      if (std::ranges::find(all, each) == all.end()) all.push_back(each);
  }
}

// Merges the keywords beside alternatives into each alternative, because in this model a schema with
// alternatives cannot contain other keywords.
void Merger::merge_alternatives(Schema& out, const Schema& first, const Schema& second) {
  if (!first.alternatives.empty() && !second.alternatives.empty()) {
    // The alternatives of `first` determine the type; a plan checks those of `second`.
    ValidatorConstraint other{.keyword = second.alternatives_keyword};
    for (std::size_t i = 0; i < second.alternatives.size(); ++i)
      other.schemas.emplace_back(std::to_string(i), second.alternatives[i]);
    if (second.node) other.node = second.node->find(second.alternatives_keyword);
    out.validator_constraints.push_back(std::move(other));
    add_validator_constraints(out, second);
    return;
  }
  const Schema& rest = first.alternatives.empty() ? first : second;
  const Schema& choice = first.alternatives.empty() ? second : first;
  Schema plain = rest;
  plain.annotations = {};
  plain.validator_constraints.clear();
  out = Schema{};
  add_validator_constraints(out, first);
  add_validator_constraints(out, second);
  out.location = second.location;
  out.kinds = static_cast<Kinds>(first.kinds & second.kinds);
  out.kinds_given = first.kinds_given || second.kinds_given;
  out.alternatives_keyword = choice.alternatives_keyword;
  for (const Schema* each : choice.alternatives) {
    if (!has_limits(plain) && !plain.kinds_given) {
      out.alternatives.push_back(each);
      continue;
    }
    ensure_complete(*each);
    const Schema& branch = resolved(*each);
    // If `type` is the only keyword beside the alternatives, an alternative of that type is unchanged.
    if (!has_limits(plain) && (branch.kinds & plain.kinds) == branch.kinds && branch.kinds_given) {
      out.alternatives.push_back(each);
      continue;
    }
    if ((branch.kinds & plain.kinds) == 0) {
      const json::Node* type = rest.node ? rest.node->find("type") : nullptr;
      findings_.add(type ? inner_location(rest.location, "type", type->offset) : out.location,
                    kinds_at_once(plain, branch));
      out.alternatives.push_back(each);
      continue;
    }
    Schema combined = merged(plain, branch);
    combined.location = each->location;
    if (!each->annotations.title.empty()) combined.annotations.title = each->annotations.title;
    if (!each->annotations.type.empty()) combined.annotations.type = each->annotations.type;
    out.alternatives.push_back(store_schema(std::move(combined)));
  }
}

Schema Merger::merged(const Schema& a, const Schema& b) {
  const Schema& first = resolved(a);
  const Schema& second = resolved(b);
  Schema out = first;
  out.location = b.location;
  out.node = nullptr;
  if (++depth_ > depth_max || ++count_ > count_max) {
    findings_.add(b.location,
                  "merging this schema with another does not end; give the value a single schema");
    --depth_;
    return out;
  }
  if (!first.alternatives.empty() || !second.alternatives.empty()) {
    merge_alternatives(out, first, second);
  } else {
    merge_kinds_and_values(out, second);
    merge_limits(out, second);
    merge_objects(out, first, second);
    add_validator_constraints(out, second);
  }
  auto prefer = [](std::string& to, const std::string& from) {
    if (!from.empty()) to = from;
  };
  out.annotations = first.annotations;
  out.annotations.type.clear();
  for (const Schema* each : {&a, &second, &b}) {
    prefer(out.annotations.title, each->annotations.title);
    prefer(out.annotations.description, each->annotations.description);
    prefer(out.annotations.member, each->annotations.member);
    prefer(out.annotations.brand, each->annotations.brand);
    out.annotations.is_optional = out.annotations.is_optional || each->annotations.is_optional;
    if (each->annotations.default_value) out.annotations.default_value = each->annotations.default_value;
    for (const auto& [keyword, value] : each->annotations.published_keywords) {
      auto same = std::ranges::find_if(out.annotations.published_keywords,
                                       [&, name = &keyword](const auto& p) { return p.first == *name; });
      if (same == out.annotations.published_keywords.end())
        out.annotations.published_keywords.emplace_back(keyword, value);
      else
        same->second = value;
    }
  }
  out.annotations.type = b.annotations.type;
  --depth_;
  return out;
}

}  // namespace snapgen::codegen
