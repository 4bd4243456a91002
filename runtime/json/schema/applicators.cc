// The part of PlanBuilder for references and for keywords that contain schemas.
#include <algorithm>
#include <array>

#include "runtime/json/decimal.h"
#include "runtime/json/schema/builder.h"

namespace snapgen::json {

void PlanBuilder::applicators(const Keywords& said, const Dialect& dialect) {
  using K = Keyword;
  combined(said[K::all_of], Op::all_of);
  combined(said[K::any_of], Op::any_of);
  combined(said[K::one_of], Op::one_of);
  if (const Member* member = said[K::none_of]) step(Op::none_of, inner(*member, member->value));
  conditions(said);
  elements(said, dialect);
  contains(said);
  members(said);
  if (const Member* member = said[K::property_names]) step(Op::property_names, inner(*member, member->value));
  if (said[K::dependent_schemas]) dependent_schemas(*said[K::dependent_schemas]);
  if (said[K::dependencies]) dependencies(*said[K::dependencies]);
  if (const Member* member = said[K::unevaluated_items])
    step(Op::unevaluated_items, inner(*member, member->value));
  if (const Member* member = said[K::unevaluated_properties])
    step(Op::unevaluated_properties, inner(*member, member->value));
  else if (options_.closes && options_.closes(*at_))
    close(said);
}

// Adds "unevaluatedProperties": false. If no inner or referenced schema can describe members, it adds the
// faster "additionalProperties": false.
void PlanBuilder::close(const Keywords& said) {
  using K = Keyword;
  const bool alone = std::ranges::none_of(
      std::array{K::all_of, K::any_of, K::one_of, K::condition, K::dependent_schemas, K::ref, K::dynamic_ref},
      [&](K keyword) { return said[keyword] != nullptr; });
  if (!alone) return step(Op::unevaluated_properties, nothing());
  const auto found = std::ranges::find(steps_, Op::members, &Step::op);
  if (found != steps_.end())
    plan_.lists[found->a + 2] = nothing();
  else
    step(Op::members, put({0, 0, nothing()}));
}

void PlanBuilder::references(const Node& schema_node, const Keywords& said) {
  for (const Keyword keyword : {Keyword::ref, Keyword::dynamic_ref}) {
    const Member* member = said[keyword];
    if (!member || !expect(*member, member->value, Kind::string, "a string")) continue;
    const SchemaResources::Target target =
        resources_.find(schema_node, member->value, member->value.text, problems_);
    if (!target.node) continue;
    const std::uint32_t index = schema(*target.node);
    if (keyword == Keyword::ref || target.dynamic_anchor.empty()) {
      step(Op::reference, index);
      continue;
    }
    step(Op::dynamic_reference, index, static_cast<std::uint32_t>(anchors_.size()));
    anchors_.push_back(target.dynamic_anchor);
  }
}

void PlanBuilder::combined(const Member* member, Op op) {
  if (!member || !expect(*member, member->value, Kind::array, "a list of schemas")) return;
  if (member->value.items.empty()) return wrong(member->value, "\"" + member->key + "\" is empty");
  std::vector<std::uint32_t> list;
  for (const Node& each : member->value.items) list.push_back(inner(*member, each));
  step(op, put(list), static_cast<std::uint32_t>(list.size()));
}

void PlanBuilder::conditions(const Keywords& said) {
  const Member* when = said[Keyword::condition];
  const auto optional = [&](Keyword keyword) {
    const Member* member = said[keyword];
    return member ? inner(*member, member->value) : no_index;
  };
  const std::uint32_t then = optional(Keyword::then);
  const std::uint32_t otherwise = optional(Keyword::otherwise);
  // `if` matters even without `then` and `else`, because unevaluatedProperties depends on what it evaluates.
  if (when) step(Op::condition, inner(*when, when->value), then, otherwise);
}

void PlanBuilder::elements(const Keywords& said, const Dialect& dialect) {
  const Member* prefix = said[Keyword::prefix_items];
  const Member* rest = said[Keyword::items];
  if (dialect.draft7 && rest && rest->value.is(Kind::array)) {
    prefix = rest;
    rest = said[Keyword::additional_items];
  }
  std::vector<std::uint32_t> list;
  if (prefix && expect(*prefix, prefix->value, Kind::array, "a list of schemas")) {
    for (const Node& each : prefix->value.items) list.push_back(inner(*prefix, each));
  }
  if (!prefix && !rest) return;
  const std::uint32_t others = rest ? inner(*rest, rest->value) : no_index;
  step(Op::elements, put(list), static_cast<std::uint32_t>(list.size()), others);
}

void PlanBuilder::contains(const Keywords& said) {
  const Member* member = said[Keyword::contains];
  const auto limit = [&](Keyword keyword, std::uint32_t otherwise) {
    const Member* its = said[keyword];
    if (!its) return otherwise;
    const Node& value = its->value;
    if (!value.is(Kind::number) || !is_integer(value.text) || value.text.starts_with('-')) {
      wrong(value, "\"" + its->key + "\" is not an integer from 0");
      return otherwise;
    }
    const std::int64_t count = value.integer().value_or(no_index);
    return static_cast<std::uint32_t>(std::min<std::int64_t>(count, no_index));
  };
  const std::uint32_t least = limit(Keyword::min_contains, 1);
  const std::uint32_t most = limit(Keyword::max_contains, no_index);
  if (member) step(Op::contains, inner(*member, member->value), least, most);
}

void PlanBuilder::members(const Keywords& said) {
  const Member* properties = said[Keyword::properties];
  const Member* patterns = said[Keyword::pattern_properties];
  const Member* additional = said[Keyword::additional_properties];
  std::vector<std::pair<std::string_view, std::uint32_t>> named;
  if (properties && expect(*properties, properties->value, Kind::object, "an object")) {
    for (const Member& each : properties->value.members)
      named.emplace_back(each.key, inner(each, each.value));
  }
  // The evaluator searches names in this order.
  std::ranges::sort(named, [](const auto& a, const auto& b) {
    return a.first.size() != b.first.size() ? a.first.size() < b.first.size() : a.first < b.first;
  });
  std::vector<std::uint32_t> list = {static_cast<std::uint32_t>(named.size()), 0, no_index};
  for (const auto& [name, its] : named) list.insert(list.end(), {text(name), its});
  if (patterns && expect(*patterns, patterns->value, Kind::object, "an object")) {
    for (const Member& each : patterns->value.members) {
      const std::uint32_t pattern = pattern_of(*patterns, each.key, each.key_offset);
      list.insert(list.end(), {pattern, inner(each, each.value)});
      ++list[1];
    }
  }
  if (additional) list[2] = inner(*additional, additional->value);
  if (properties || patterns || additional) step(Op::members, put(list));
}

void PlanBuilder::dependent_schemas(const Member& member) {
  if (!expect(member, member.value, Kind::object, "an object")) return;
  std::vector<std::uint32_t> list;
  for (const Member& each : member.value.members)
    list.insert(list.end(), {text(each.key), inner(each, each.value)});
  if (!list.empty()) step(Op::dependent_schemas, put(list), static_cast<std::uint32_t>(list.size()));
}

// Compiles draft 7's `dependencies`, each of which is a schema or a list of names.
void PlanBuilder::dependencies(const Member& member) {
  if (!expect(member, member.value, Kind::object, "an object")) return;
  std::vector<std::uint32_t> list;
  std::vector<std::uint32_t> required;
  for (const Member& each : member.value.members) {
    if (!each.value.is(Kind::array)) {
      list.insert(list.end(), {text(each.key), inner(each, each.value)});
      continue;
    }
    const std::vector<std::uint32_t> needed = names(each, each.value);
    required.insert(required.end(), {text(each.key), static_cast<std::uint32_t>(needed.size())});
    required.insert(required.end(), needed.begin(), needed.end());
  }
  if (!list.empty()) step(Op::dependent_schemas, put(list), static_cast<std::uint32_t>(list.size()));
  if (!required.empty())
    step(Op::dependent_required, put(required), static_cast<std::uint32_t>(required.size()));
}

}  // namespace snapgen::json
