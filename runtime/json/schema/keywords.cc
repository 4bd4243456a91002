// The part of PlanBuilder for keywords that constrain the value itself.
#include <array>

#include "runtime/json/number.h"
#include "runtime/json/schema/builder.h"
#include "runtime/json/schema/formats.h"

namespace snapgen::json {

void PlanBuilder::add_value_steps(const Keywords& keywords, const Dialect& dialect) {
  using K = Keyword;
  if (keywords[K::type]) add_type(*keywords[K::type]);
  if (keywords[K::enumeration]) add_enumeration(*keywords[K::enumeration]);
  if (const Member* member = keywords[K::constant]) {
    plan_.constants.push_back(constant_of(member->value));
    add_step(Op::constant, static_cast<std::uint32_t>(plan_.constants.size() - 1));
  }
  add_count_limit(keywords, K::min_length, Op::min_length);
  add_count_limit(keywords, K::max_length, Op::max_length);
  add_count_limit(keywords, K::min_items, Op::min_items);
  add_count_limit(keywords, K::max_items, Op::max_items);
  add_count_limit(keywords, K::min_properties, Op::min_properties);
  add_count_limit(keywords, K::max_properties, Op::max_properties);
  add_number_limit(keywords, K::minimum, Op::minimum);
  add_number_limit(keywords, K::maximum, Op::maximum);
  add_number_limit(keywords, K::exclusive_minimum, Op::exclusive_minimum);
  add_number_limit(keywords, K::exclusive_maximum, Op::exclusive_maximum);
  add_number_limit(keywords, K::multiple_of, Op::multiple_of);
  if (keywords[K::pattern]) add_pattern(*keywords[K::pattern]);
  if (keywords[K::format] && (options_.formats_asserted || dialect.asserts_formats))
    add_format(*keywords[K::format]);
  if (const Member* member = keywords[K::unique_items];
      member && expect_kind(*member, member->value, Kind::boolean, "true or false") && member->value.boolean)
    add_step(Op::unique_items);
  if (keywords[K::required]) add_required(*keywords[K::required]);
  if (keywords[K::dependent_required]) add_dependent_required(*keywords[K::dependent_required]);
}

void PlanBuilder::add_type(const Member& member) {
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
    add_problem(
        name, "\"" + name.text +
                  "\" is not a type; the types are array, boolean, integer, null, number, object and string");
  };
  if (member.value.is(Kind::array)) {
    if (member.value.items.empty()) add_problem(member.value, "\"type\" is an empty list, so no value fits");
    for (const Node& each : member.value.items) add(each);
  } else {
    add(member.value);
  }
  if (bits != type_bits::any) add_step(Op::type, bits);
}

void PlanBuilder::add_enumeration(const Member& member) {
  if (!expect_kind(member, member.value, Kind::array, "a list of values")) return;
  const auto from = static_cast<std::uint32_t>(plan_.constants.size());
  for (const Node& each : member.value.items) plan_.constants.push_back(constant_of(each));
  add_step(Op::one_of_constants, from, static_cast<std::uint32_t>(plan_.constants.size()) - from);
}

void PlanBuilder::add_count_limit(const Keywords& keywords, Keyword keyword, Op op) {
  const Member* member = keywords[keyword];
  if (!member) return;
  const Node& value = member->value;
  if (!value.is(Kind::number) || !is_integer(value.text) || value.text.starts_with('-'))
    return add_problem(value, "\"" + member->key + "\" is not an integer from 0");
  const std::int64_t limit = value.integer().value_or(no_index);
  // A limit beyond 32 bits is ignored if it is an upper one, because no text is that long.
  const bool beyond = limit >= static_cast<std::int64_t>(no_index);
  const bool at_most = op == Op::max_length || op == Op::max_items || op == Op::max_properties;
  if (beyond && at_most) return;
  add_step(op, beyond ? no_index : static_cast<std::uint32_t>(limit));
}

void PlanBuilder::add_number_limit(const Keywords& keywords, Keyword keyword, Op op) {
  const Member* member = keywords[keyword];
  if (!member || !expect_kind(*member, member->value, Kind::number, "a number")) return;
  if (op == Op::multiple_of && compare_numbers(member->value.text, "0") <= 0)
    return add_problem(member->value, "\"multipleOf\" is not a number above 0");
  add_step(op, text_index(member->value.text));
}

void PlanBuilder::add_pattern(const Member& member) {
  if (expect_kind(member, member.value, Kind::string, "a string"))
    add_step(Op::pattern, pattern_index(member, member.value.text, member.value.offset));
}

void PlanBuilder::add_format(const Member& member) {
  if (!expect_kind(member, member.value, Kind::string, "a string")) return;
  // A format with an unknown name is not checked.
  if (const std::optional<std::uint32_t> known = plan_format_named(member.value.text))
    add_step(Op::format, *known);
}

void PlanBuilder::add_required(const Member& member) {
  const std::vector<std::uint32_t> list = read_name_list(member, member.value);
  if (!list.empty()) add_step(Op::required, append_list(list), static_cast<std::uint32_t>(list.size()));
}

void PlanBuilder::add_dependent_required(const Member& member) {
  if (!expect_kind(member, member.value, Kind::object, "an object")) return;
  std::vector<std::uint32_t> list;
  for (const Member& each : member.value.members) {
    const std::vector<std::uint32_t> needed = read_name_list(each, each.value);
    list.insert(list.end(), {text_index(each.key), static_cast<std::uint32_t>(needed.size())});
    list.insert(list.end(), needed.begin(), needed.end());
  }
  if (!list.empty())
    add_step(Op::dependent_required, append_list(list), static_cast<std::uint32_t>(list.size()));
}

}  // namespace snapgen::json
