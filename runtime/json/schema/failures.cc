#include "runtime/json/schema/failures.h"

#include <algorithm>
#include <array>

#include "runtime/base/text.h"
#include "runtime/json/number.h"
#include "runtime/json/pointer.h"
#include "runtime/json/proposal.h"
#include "runtime/json/writer.h"

namespace snapgen::json {
namespace {

std::string value_in_words(Value value) {
  switch (value.kind()) {
    case Kind::object: return "an object";
    case Kind::array: return "an array";
    case Kind::string: return shortened(quoted(value.text()));
    case Kind::number: return shortened(std::string(value.text()));
    case Kind::boolean: return value.boolean() ? "true" : "false";
    case Kind::null:
    case Kind::invalid: break;
  }
  return "null";
}

std::string value_in_words(const PlanConstant& constant) {
  return constant.kind == Kind::string   ? quoted(constant.text)
         : constant.kind == Kind::object ? "a certain object"
         : constant.kind == Kind::array  ? "a certain array"
                                         : std::string(constant.text);
}

std::string count_with_unit(std::size_t count, std::string_view unit) {
  std::string out = std::to_string(count) + " ";
  if (count == 1) return out.append(unit);
  return unit == "property" ? out + "properties" : out.append(unit) + "s";
}

// Returns the pointer of the value at an offset, relative to `value`, which contains it.
std::string pointer_below(Value value, std::size_t offset) {
  std::string pointer;
  while (value.offset() < offset) {
    Value next = value.first_child();
    std::size_t index = 0;
    for (Value each = next; each.exists() && each.offset() <= offset; each = each.next_sibling(), ++index)
      next = each;
    if (!next.exists()) break;
    append_pointer_token(pointer, value.kind() == Kind::array ? std::to_string(index - 1) : next.key());
    value = next;
  }
  return pointer;
}

std::span<const Step> steps_of(const Plan& plan, std::uint32_t schema) {
  return plan.steps.subspan(plan.schemas[schema].first, plan.schemas[schema].count);
}

// Returns the quoted names that a schema requires, if it says nothing else about objects; otherwise none.
std::vector<std::string> names_required_alone(const Plan& plan, std::uint32_t schema) {
  std::vector<std::string> names;
  for (const Step& step : steps_of(plan, schema)) {
    if (step.op == Op::type && (step.a & type_bits::object) != 0) continue;
    if (step.op != Op::required) return {};
    for (const std::uint32_t name : plan.lists.subspan(step.a, step.b))
      names.push_back(quoted(plan.texts[name]));
  }
  return names;
}

// Returns the value that a schema allows, if it says nothing else but its type; otherwise null.
const PlanConstant* only_constant(const Plan& plan, std::uint32_t schema) {
  const PlanConstant* found = nullptr;
  for (const Step& step : steps_of(plan, schema)) {
    if (step.op == Op::type) continue;
    if (step.op != Op::constant) return nullptr;
    found = &plan.constants[step.a];
  }
  return found;
}

std::string not_allowed_together(const std::vector<std::string>& names) {
  return enumerated(names, "and") + (names.size() == 1 ? " is not allowed" : " are not allowed together");
}

}  // namespace

std::vector<Violation> to_violations(std::string_view text, Failures& failures) {
  std::ranges::stable_sort(failures, {}, &Failure::offset);
  std::vector<std::size_t> offsets;
  for (const Failure& each : failures) offsets.push_back(each.offset);
  std::vector<std::string> pointers = pointers_at(text, offsets);
  std::vector<Violation> out;
  for (std::size_t i = 0; i < failures.size(); ++i) {
    Violation next{.pointer = std::move(pointers[i]),
                   .keyword = failures[i].keyword,
                   .message = std::move(failures[i].message)};
    // Several schemas may report the same violation of one value.
    bool is_reported = false;
    for (auto each = out.rbegin(); each != out.rend() && each->pointer == next.pointer && !is_reported;
         ++each)
      is_reported = each->keyword == next.keyword && each->message == next.message;
    if (!is_reported) out.push_back(std::move(next));
  }
  return out;
}

bool is_nearer(Value value, const Failures& failures, const Failures& than) {
  if (than.empty() || failures.empty()) return than.empty();
  std::vector<std::size_t> members;
  if (value.kind() == Kind::object)
    for (Value each = value.first_child(); each.exists(); each = each.next_sibling())
      members.push_back(each.offset());
  // A value of another type was hardly meant for this alternative. Neither was an object whose members have
  // other constants, or are unknown to the alternative; of as many, another constant, such as a tag, says
  // more. A missing member says more than a wrong value further inside.
  const auto distance = [&](const Failures& of) {
    std::array<std::size_t, 6> found{};
    for (const Failure& each : of) {
      const bool is_type = each.keyword == "type", is_enum = each.keyword == "enum";
      const bool is_const = each.keyword == "const";
      const bool is_unknown =
          each.keyword == "additionalProperties" || each.keyword == "unevaluatedProperties";
      const bool is_member = std::ranges::binary_search(members, each.offset);
      if (is_type && each.offset == value.offset()) ++found[0];
      if (is_member && (is_const || is_unknown)) ++found[1];
      if (is_member && is_const) ++found[2];
      if (is_member && is_enum) ++found[3];
      if (is_type || is_enum || is_const || each.keyword == "required") ++found[4];
      ++found[5];
    }
    return found;
  };
  return distance(failures) < distance(than);
}

bool equals_constant(const PlanConstant& constant, Value value) {
  if (constant.kind != value.kind()) return false;
  switch (constant.kind) {
    case Kind::string: return constant.text == value.text();
    case Kind::number:
      return constant.text == value.text() || compare_numbers(constant.text, value.text()) == 0;
    case Kind::boolean: return (constant.text == "true") == value.boolean();
    case Kind::object:
    case Kind::array: return constant.text == normal_form(value);
    case Kind::null:
    case Kind::invalid: break;
  }
  return true;
}

std::string type_message(std::uint32_t types, Value value) {
  constexpr std::array<std::pair<std::uint32_t, std::string_view>, 6> words = {
      {{type_bits::object, "an object"},
       {type_bits::array, "an array"},
       {type_bits::string, "a string"},
       {type_bits::number, "a number"},
       {type_bits::boolean, "a boolean"},
       {type_bits::null, "null"}}};
  std::vector<std::string> named;
  for (const auto& [bits, word] : words) {
    if ((types & bits) == bits)
      named.emplace_back(word);
    else if ((types & bits) != 0)
      named.emplace_back("an integer");
  }
  return "expected " + enumerated(named, "or") + ", found " + value_in_words(value);
}

std::string constants_message(std::span<const PlanConstant> allowed, Value value) {
  constexpr std::size_t listed_max = 20;
  if (allowed.empty()) return "nothing is allowed here";
  std::vector<std::string> words;
  for (const PlanConstant& each : allowed.first(std::min(allowed.size(), listed_max)))
    words.push_back(value_in_words(each));
  if (allowed.size() > listed_max) words.push_back(std::to_string(allowed.size() - listed_max) + " others");
  std::string out = "expected " + enumerated(words, "or") + ", found " + value_in_words(value);
  if (value.kind() != Kind::string) return out;
  std::vector<std::string_view> texts;
  for (const PlanConstant& each : allowed) {
    if (each.kind == Kind::string) texts.push_back(each.text);
  }
  const std::optional<std::string_view> meant = nearest_name(value.text(), texts);
  return meant && texts.size() > 1 ? out + "; did you mean " + quoted(*meant) + "?" : out;
}

std::string count_message(bool at_most, std::size_t limit, std::string_view unit, std::size_t found) {
  return (at_most ? "expected at most " : "expected at least ") + count_with_unit(limit, unit) + ", found " +
         std::to_string(found);
}

std::string contains_message(bool at_most, std::size_t limit, std::size_t found) {
  return (at_most ? "expected at most " : "expected at least ") + count_with_unit(limit, "item") +
         " of a certain form, found " + std::to_string(found);
}

std::string number_message(std::string_view relation, std::string_view limit, Value value) {
  std::string out = "expected a number ";
  return out.append(relation).append(" ").append(limit) + ", found " + value_in_words(value);
}

std::string none_fits_message(const Plan& plan, std::span<const std::uint32_t> alternatives, Value value,
                              const Failures& nearest) {
  std::vector<std::string> required;
  std::vector<PlanConstant> allowed;
  for (const std::uint32_t each : alternatives) {
    const std::vector<std::string> names = names_required_alone(plan, each);
    if (!names.empty()) required.push_back(enumerated(names, "and"));
    if (const PlanConstant* constant = only_constant(plan, each)) allowed.push_back(*constant);
  }
  if (value.kind() == Kind::object && required.size() == alternatives.size())
    return "missing property " + enumerated(required, "or");
  if (allowed.size() == alternatives.size()) return constants_message(allowed, value);
  std::string out = "fits none of the " + std::to_string(alternatives.size()) + " alternatives";
  if (nearest.empty()) return out;
  out += "; to the nearest: " + nearest.front().message;
  const std::string inner = pointer_below(value, nearest.front().offset);
  return inner.empty() ? out : out + " (at " + inner + ")";
}

std::string several_fit_message(const Plan& plan, std::span<const std::uint32_t> fitting, Value value) {
  std::vector<std::string> names;
  for (const std::uint32_t each : fitting) {
    const std::vector<std::string> required = names_required_alone(plan, each);
    if (required.empty() || value.kind() != Kind::object) return "fits more than one alternative";
    names.insert(names.end(), required.begin(), required.end());
  }
  return not_allowed_together(names);
}

std::string inverse_message(const Plan& plan, std::uint32_t schema, Value value) {
  const std::vector<std::string> names = names_required_alone(plan, schema);
  return names.empty() || value.kind() != Kind::object ? "fits what `not` forbids"
                                                       : not_allowed_together(names);
}

std::string unknown_member_message(const Plan& plan, std::span<const std::uint32_t> names,
                                   std::string_view key) {
  std::vector<std::string_view> known;
  for (std::size_t i = 0; i < names.size(); i += 2) known.push_back(plan.texts[names[i]]);
  return "unknown property " + shortened(quoted(key)) + suggestion_clause(key, known);
}

std::string unevaluated_message(Value owner, Value value) {
  return owner.kind() == Kind::object ? "unknown property " + shortened(quoted(value.key()))
                                      : std::string("no item is allowed here");
}

}  // namespace snapgen::json
