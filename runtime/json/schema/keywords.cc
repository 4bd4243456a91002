// The part of PlanBuilder for keywords that constrain the value itself.
#include <array>

#include "runtime/json/decimal.h"
#include "runtime/json/schema/builder.h"
#include "runtime/json/schema/formats.h"

namespace snapgen::json {

void PlanBuilder::values(const Keywords& said, const Dialect& dialect) {
  using K = Keyword;
  if (said[K::type]) type(*said[K::type]);
  if (said[K::enumeration]) enumeration(*said[K::enumeration]);
  if (const Member* member = said[K::constant]) {
    plan_.constants.push_back(constant(member->value));
    step(Op::constant, static_cast<std::uint32_t>(plan_.constants.size() - 1));
  }
  count(said, K::min_length, Op::min_length);
  count(said, K::max_length, Op::max_length);
  count(said, K::min_items, Op::min_items);
  count(said, K::max_items, Op::max_items);
  count(said, K::min_properties, Op::min_properties);
  count(said, K::max_properties, Op::max_properties);
  number(said, K::minimum, Op::minimum);
  number(said, K::maximum, Op::maximum);
  number(said, K::exclusive_minimum, Op::exclusive_minimum);
  number(said, K::exclusive_maximum, Op::exclusive_maximum);
  number(said, K::multiple_of, Op::multiple_of);
  if (said[K::pattern]) pattern(*said[K::pattern]);
  if (said[K::format] && (options_.formats_asserted || dialect.format_assertion)) format(*said[K::format]);
  if (const Member* member = said[K::unique_items];
      member && expect(*member, member->value, Kind::boolean, "true or false") && member->value.boolean)
    step(Op::unique_items);
  if (said[K::required]) required(*said[K::required]);
  if (said[K::dependent_required]) dependent_required(*said[K::dependent_required]);
}

void PlanBuilder::type(const Member& member) {
  static constexpr std::array<std::pair<std::string_view, std::uint32_t>, 7> types = {
      {{"array", type_bits::array},
       {"boolean", type_bits::boolean},
       {"integer", type_bits::integer},
       {"null", type_bits::null},
       {"number", type_bits::number},
       {"object", type_bits::object},
       {"string", type_bits::string}}};
  std::uint32_t bits = 0;
  const auto add = [&](const Node& name) {
    for (const auto& [known, its] : types) {
      if (!name.is(Kind::string) || name.text != known) continue;
      bits |= its;
      return;
    }
    wrong(name,
          "\"" + name.text +
              "\" is not a type; the types are array, boolean, integer, null, number, object and string");
  };
  if (member.value.is(Kind::array)) {
    if (member.value.items.empty()) wrong(member.value, "\"type\" is an empty list, so no value fits");
    for (const Node& each : member.value.items) add(each);
  } else {
    add(member.value);
  }
  if (bits != type_bits::any) step(Op::type, bits);
}

void PlanBuilder::enumeration(const Member& member) {
  if (!expect(member, member.value, Kind::array, "a list of values")) return;
  const auto from = static_cast<std::uint32_t>(plan_.constants.size());
  for (const Node& each : member.value.items) plan_.constants.push_back(constant(each));
  step(Op::one_of_constants, from, static_cast<std::uint32_t>(plan_.constants.size()) - from);
}

void PlanBuilder::count(const Keywords& said, Keyword keyword, Op op) {
  const Member* member = said[keyword];
  if (!member) return;
  const Node& value = member->value;
  if (!value.is(Kind::number) || !is_integer(value.text) || value.text.starts_with('-'))
    return wrong(value, "\"" + member->key + "\" is not an integer from 0");
  const std::int64_t limit = value.integer().value_or(no_index);
  // A limit beyond 32 bits is ignored if it is an upper one, because no text is that long.
  const bool beyond = limit >= static_cast<std::int64_t>(no_index);
  const bool at_most = op == Op::max_length || op == Op::max_items || op == Op::max_properties;
  if (beyond && at_most) return;
  step(op, beyond ? no_index : static_cast<std::uint32_t>(limit));
}

void PlanBuilder::number(const Keywords& said, Keyword keyword, Op op) {
  const Member* member = said[keyword];
  if (!member || !expect(*member, member->value, Kind::number, "a number")) return;
  if (op == Op::multiple_of && compare_numbers(member->value.text, "0") <= 0)
    return wrong(member->value, "\"multipleOf\" is not a number above 0");
  step(op, text(member->value.text));
}

void PlanBuilder::pattern(const Member& member) {
  if (expect(member, member.value, Kind::string, "a string"))
    step(Op::pattern, pattern_of(member, member.value.text, member.value.offset));
}

void PlanBuilder::format(const Member& member) {
  if (!expect(member, member.value, Kind::string, "a string")) return;
  // A format with an unknown name is not checked.
  if (const std::optional<std::uint32_t> known = plan_format_named(member.value.text))
    step(Op::format, *known);
}

void PlanBuilder::required(const Member& member) {
  const std::vector<std::uint32_t> list = names(member, member.value);
  if (!list.empty()) step(Op::required, put(list), static_cast<std::uint32_t>(list.size()));
}

void PlanBuilder::dependent_required(const Member& member) {
  if (!expect(member, member.value, Kind::object, "an object")) return;
  std::vector<std::uint32_t> list;
  for (const Member& each : member.value.members) {
    const std::vector<std::uint32_t> needed = names(each, each.value);
    list.insert(list.end(), {text(each.key), static_cast<std::uint32_t>(needed.size())});
    list.insert(list.end(), needed.begin(), needed.end());
  }
  if (!list.empty()) step(Op::dependent_required, put(list), static_cast<std::uint32_t>(list.size()));
}

}  // namespace snapgen::json
