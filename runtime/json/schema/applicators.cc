// The part of PlanBuilder for references and for keywords that contain schemas.
#include <algorithm>
#include <array>

#include "runtime/json/number.h"
#include "runtime/json/schema/builder.h"

namespace snapgen::json {

void PlanBuilder::add_applicators(const Keywords& keywords, const Dialect& dialect) {
  using K = Keyword;
  add_combination(keywords[K::all_of], Op::all_of);
  add_combination(keywords[K::any_of], Op::any_of);
  add_combination(keywords[K::one_of], Op::one_of);
  if (const Member* member = keywords[K::none_of])
    add_step(Op::none_of, subschema_index(*member, member->value));
  add_condition(keywords);
  add_elements(keywords, dialect);
  add_contains(keywords);
  add_members(keywords);
  if (const Member* member = keywords[K::property_names])
    add_step(Op::property_names, subschema_index(*member, member->value));
  if (keywords[K::dependent_schemas]) add_dependent_schemas(*keywords[K::dependent_schemas]);
  if (keywords[K::dependencies]) add_dependencies(*keywords[K::dependencies]);
  if (const Member* member = keywords[K::unevaluated_items])
    add_step(Op::unevaluated_items, subschema_index(*member, member->value));
  if (const Member* member = keywords[K::unevaluated_properties])
    add_step(Op::unevaluated_properties, subschema_index(*member, member->value));
  else if (options_.rejects_unknown_members && options_.rejects_unknown_members(*current_schema_))
    add_closed_members_check(keywords);
}

// Adds "unevaluatedProperties": false. If no inner or referenced schema can describe members, it adds the
// faster "additionalProperties": false.
void PlanBuilder::add_closed_members_check(const Keywords& keywords) {
  using K = Keyword;
  const bool alone = std::ranges::none_of(
      std::array{K::all_of, K::any_of, K::one_of, K::condition, K::dependent_schemas, K::ref, K::dynamic_ref},
      [&](K keyword) { return keywords[keyword] != nullptr; });
  if (!alone) return add_step(Op::unevaluated_properties, false_schema());
  const auto found = std::ranges::find(steps_, Op::members, &Step::op);
  if (found != steps_.end())
    plan_.lists[found->a + 2] = false_schema();
  else
    add_step(Op::members, append_list({0, 0, false_schema()}));
}

void PlanBuilder::add_references(const Node& schema_node, const Keywords& keywords) {
  for (const Keyword keyword : {Keyword::ref, Keyword::dynamic_ref}) {
    const Member* member = keywords[keyword];
    if (!member || !expect_kind(*member, member->value, Kind::string, "a string")) continue;
    const SchemaResources::Target target =
        resources_.resolve(schema_node, member->value, member->value.text, problems_);
    if (!target.node) continue;
    const std::uint32_t index = schema_index(*target.node);
    if (keyword == Keyword::ref || target.dynamic_anchor.empty()) {
      add_step(Op::reference, index);
      continue;
    }
    add_step(Op::dynamic_reference, index, static_cast<std::uint32_t>(dynamic_anchors_.size()));
    dynamic_anchors_.push_back(target.dynamic_anchor);
  }
}

void PlanBuilder::add_combination(const Member* member, Op op) {
  if (!member || !expect_kind(*member, member->value, Kind::array, "a list of schemas")) return;
  if (member->value.items.empty()) return add_problem(member->value, "\"" + member->key + "\" is empty");
  std::vector<std::uint32_t> list;
  for (const Node& each : member->value.items) list.push_back(subschema_index(*member, each));
  add_step(op, append_list(list), static_cast<std::uint32_t>(list.size()));
}

void PlanBuilder::add_condition(const Keywords& keywords) {
  const Member* when = keywords[Keyword::condition];
  const auto optional = [&](Keyword keyword) {
    const Member* member = keywords[keyword];
    return member ? subschema_index(*member, member->value) : no_index;
  };
  const std::uint32_t then = optional(Keyword::then);
  const std::uint32_t otherwise = optional(Keyword::otherwise);
  // `if` matters even without `then` and `else`, because unevaluatedProperties depends on what it evaluates.
  if (when) add_step(Op::condition, subschema_index(*when, when->value), then, otherwise);
}

void PlanBuilder::add_elements(const Keywords& keywords, const Dialect& dialect) {
  const Member* prefix = keywords[Keyword::prefix_items];
  const Member* rest = keywords[Keyword::items];
  if (dialect.is_draft7 && rest && rest->value.is(Kind::array)) {
    prefix = rest;
    rest = keywords[Keyword::additional_items];
  }
  std::vector<std::uint32_t> list;
  if (prefix && expect_kind(*prefix, prefix->value, Kind::array, "a list of schemas")) {
    for (const Node& each : prefix->value.items) list.push_back(subschema_index(*prefix, each));
  }
  if (!prefix && !rest) return;
  const std::uint32_t others = rest ? subschema_index(*rest, rest->value) : no_index;
  add_step(Op::elements, append_list(list), static_cast<std::uint32_t>(list.size()), others);
}

void PlanBuilder::add_contains(const Keywords& keywords) {
  const Member* member = keywords[Keyword::contains];
  const auto limit = [&](Keyword keyword, std::uint32_t otherwise) {
    const Member* its = keywords[keyword];
    if (!its) return otherwise;
    const Node& value = its->value;
    if (!value.is(Kind::number) || !is_integer(value.text) || value.text.starts_with('-')) {
      add_problem(value, "\"" + its->key + "\" is not an integer from 0");
      return otherwise;
    }
    const std::int64_t count = value.integer().value_or(no_index);
    return static_cast<std::uint32_t>(std::min<std::int64_t>(count, no_index));
  };
  const std::uint32_t least = limit(Keyword::min_contains, 1);
  const std::uint32_t most = limit(Keyword::max_contains, no_index);
  if (member) add_step(Op::contains, subschema_index(*member, member->value), least, most);
}

void PlanBuilder::add_members(const Keywords& keywords) {
  const Member* properties = keywords[Keyword::properties];
  const Member* patterns = keywords[Keyword::pattern_properties];
  const Member* additional = keywords[Keyword::additional_properties];
  std::vector<std::pair<std::string_view, std::uint32_t>> named;
  if (properties && expect_kind(*properties, properties->value, Kind::object, "an object")) {
    for (const Member& each : properties->value.members)
      named.emplace_back(each.key, subschema_index(each, each.value));
  }
  // The evaluator searches names in this order.
  std::ranges::sort(named, [](const auto& a, const auto& b) {
    return a.first.size() != b.first.size() ? a.first.size() < b.first.size() : a.first < b.first;
  });
  std::vector<std::uint32_t> list = {static_cast<std::uint32_t>(named.size()), 0, no_index};
  for (const auto& [name, its] : named) list.insert(list.end(), {text_index(name), its});
  if (patterns && expect_kind(*patterns, patterns->value, Kind::object, "an object")) {
    for (const Member& each : patterns->value.members) {
      const std::uint32_t pattern = pattern_index(*patterns, each.key, each.key_offset);
      list.insert(list.end(), {pattern, subschema_index(each, each.value)});
      ++list[1];
    }
  }
  if (additional) list[2] = subschema_index(*additional, additional->value);
  if (properties || patterns || additional) add_step(Op::members, append_list(list));
}

void PlanBuilder::add_dependent_schemas(const Member& member) {
  if (!expect_kind(member, member.value, Kind::object, "an object")) return;
  std::vector<std::uint32_t> list;
  for (const Member& each : member.value.members)
    list.insert(list.end(), {text_index(each.key), subschema_index(each, each.value)});
  if (!list.empty())
    add_step(Op::dependent_schemas, append_list(list), static_cast<std::uint32_t>(list.size()));
}

// Compiles draft 7's `dependencies`, each of which is a schema or a list of names.
void PlanBuilder::add_dependencies(const Member& member) {
  if (!expect_kind(member, member.value, Kind::object, "an object")) return;
  std::vector<std::uint32_t> list;
  std::vector<std::uint32_t> required;
  for (const Member& each : member.value.members) {
    if (!each.value.is(Kind::array)) {
      list.insert(list.end(), {text_index(each.key), subschema_index(each, each.value)});
      continue;
    }
    const std::vector<std::uint32_t> needed = read_name_list(each, each.value);
    required.insert(required.end(), {text_index(each.key), static_cast<std::uint32_t>(needed.size())});
    required.insert(required.end(), needed.begin(), needed.end());
  }
  if (!list.empty())
    add_step(Op::dependent_schemas, append_list(list), static_cast<std::uint32_t>(list.size()));
  if (!required.empty())
    add_step(Op::dependent_required, append_list(required), static_cast<std::uint32_t>(required.size()));
}

}  // namespace snapgen::json
