#include "runtime/json/schema/evaluate.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "runtime/base/text.h"
#include "runtime/json/checks.h"
#include "runtime/json/number.h"
#include "runtime/json/schema/evaluated.h"
#include "runtime/json/schema/formats.h"

namespace snapgen::json {
namespace {

// A list of the schema resources that evaluation has entered, innermost first. Dynamic references need it.
struct Scope {
  std::uint32_t resource;
  const Scope* outer;
};

std::uint32_t bit_of(Value value) {
  switch (value.kind()) {
    case Kind::object: return type_bits::object;
    case Kind::array: return type_bits::array;
    case Kind::string: return type_bits::string;
    case Kind::number: return is_integer(value.text()) ? type_bits::integer : type_bits::fraction;
    case Kind::boolean: return type_bits::boolean;
    case Kind::null:
    case Kind::invalid: break;
  }
  return type_bits::null;
}

class Evaluator {
 public:
  // Adds all failures to `failures`. If that is null, evaluation ends at the first failure.
  Evaluator(const Plan& plan, Failures* failures) : plan_(plan), failures_(failures) {}

  bool run(std::uint32_t root, Value value) { return schema(root, value, nullptr, nullptr); }

 private:
  bool schema(std::uint32_t index, Value value, EvaluatedSet* seen, const Scope* scope) {
    const PlanSchema& it = plan_.schemas[index];
    if (it.count == 0) return true;
    if (depth_ == evaluation_depth_max)
      return failed(value, "$ref", [] { return "nested too deeply for this schema"; });
    ++depth_;
    Scope own{.resource = it.resource, .outer = scope};
    if (!scope || scope->resource != it.resource) scope = &own;
    bool fits = true;
    if (seen || it.has_unevaluated_step) {
      EvaluatedSet mine;
      fits = steps(it, value, &mine, scope);
      if (fits && seen) seen->add(mine);
    } else {
      fits = steps(it, value, nullptr, scope);
    }
    --depth_;
    return fits;
  }

  bool steps(const PlanSchema& schema, Value value, EvaluatedSet* seen, const Scope* scope) {
    bool fits = true;
    for (const Step& each : plan_.steps.subspan(schema.first, schema.count)) {
      if (step(each, value, seen, scope)) continue;
      fits = false;
      if (!failures_) return false;
    }
    return fits;
  }

  bool step(const Step& step, Value value, EvaluatedSet* seen, const Scope* scope) {
    switch (step.op) {
      case Op::never: return failed(value, "false", [] { return "nothing is allowed here"; });
      case Op::type:
        return (bit_of(value) & step.a) != 0 ||
               failed(value, "type", [&] { return type_message(step.a, value); });
      case Op::constant:
        return equals_constant(plan_.constants[step.a], value) ||
               failed(value, "const", [&] { return constants_message(constants(step.a, 1), value); });
      case Op::one_of_constants: return enumeration(step, value);
      case Op::all_of: {
        bool fits = true;
        for (const std::uint32_t each : list(step.a, step.b)) {
          fits = schema(each, value, seen, scope) && fits;
          if (!fits && !failures_) return false;
        }
        return fits;
      }
      case Op::any_of:
      case Op::one_of: return alternatives(step, value, seen, scope);
      case Op::none_of:
        return !quietly(step.a, value, nullptr, scope) ||
               failed(value, "not", [&] { return inverse_message(plan_, step.a, value); });
      case Op::condition: {
        const std::uint32_t branch = quietly(step.a, value, seen, scope) ? step.b : step.c;
        return branch == no_index || schema(branch, value, seen, scope);
      }
      case Op::reference: return schema(step.a, value, seen, scope);
      case Op::dynamic_reference: return schema(dynamic_target(step, scope), value, seen, scope);
      default: break;
    }
    switch (value.kind()) {
      case Kind::string: return string(step, value);
      case Kind::number: return number(step, value);
      case Kind::array: return array(step, value, seen, scope);
      case Kind::object: return object(step, value, seen, scope);
      case Kind::boolean:
      case Kind::null:
      case Kind::invalid: return true;
    }
    return true;
  }

  // ---- Recording of failures.

  template <class Message>
  bool failed(Value value, std::string_view keyword, Message message) {
    if (failures_ && failures_->size() < violations_max)
      failures_->push_back({.offset = value.offset(), .keyword = keyword, .message = message()});
    return false;
  }

  bool never(std::uint32_t index) const {
    const PlanSchema& it = plan_.schemas[index];
    return it.count == 1 && plan_.steps[it.first].op == Op::never;
  }

  // Evaluates a schema without recording failures.
  bool quietly(std::uint32_t index, Value value, EvaluatedSet* seen, const Scope* scope) {
    Failures* const outer = std::exchange(failures_, nullptr);
    const bool fits = schema(index, value, seen, scope);
    failures_ = outer;
    return fits;
  }

  // ---- Keywords for values of any type.

  std::span<const std::uint32_t> list(std::uint32_t from, std::uint32_t count) const {
    return plan_.lists.subspan(from, count);
  }
  std::span<const PlanConstant> constants(std::uint32_t from, std::uint32_t count) const {
    return plan_.constants.subspan(from, count);
  }

  bool enumeration(const Step& step, Value value) {
    const std::span<const PlanConstant> allowed = constants(step.a, step.b);
    return std::ranges::any_of(allowed,
                               [&](const PlanConstant& each) { return equals_constant(each, value); }) ||
           failed(value, "enum", [&] { return constants_message(allowed, value); });
  }

  bool alternatives(const Step& step, Value value, EvaluatedSet* seen, const Scope* scope) {
    const bool one = step.op == Op::one_of;
    Failures* const outer = failures_;
    Failures nearest;
    std::array<std::uint32_t, 2> fitting{};  // The first two.
    std::size_t count = 0;
    for (const std::uint32_t each : list(step.a, step.b)) {
      Failures own;
      failures_ = outer ? &own : nullptr;
      if (schema(each, value, seen, scope)) {
        if (count < fitting.size()) fitting[count] = each;
        if (++count > 1 && one) break;
        if (!one && !seen) break;
      } else if (outer && is_nearer(value, own, nearest)) {
        nearest = std::move(own);
      }
    }
    failures_ = outer;
    if (count == 1 || (count > 1 && !one)) return true;
    return failed(value, one ? "oneOf" : "anyOf", [&] {
      return count == 0 ? none_fits_message(plan_, list(step.a, step.b), value, nearest)
                        : several_fit_message(plan_, fitting, value);
    });
  }

  std::uint32_t dynamic_target(const Step& step, const Scope* scope) const {
    std::uint32_t target = step.a;
    const std::span<const std::uint32_t> known = list(step.b, 2 * step.c);
    for (; scope; scope = scope->outer) {
      for (std::size_t i = 0; i < known.size(); i += 2) {
        if (known[i] == scope->resource) target = known[i + 1];
      }
    }
    return target;
  }

  // ---- Keywords for strings and numbers.

  bool string(const Step& step, Value value) {
    const std::string_view text = value.text();
    switch (step.op) {
      // A character has one to four bytes, so most strings need not be counted.
      case Op::min_length:
        return text.size() / 4 >= step.a || code_point_count(text) >= step.a ||
               failed(value, "minLength",
                      [&] { return count_message(false, step.a, "character", code_point_count(text)); });
      case Op::max_length:
        return text.size() <= step.a || code_point_count(text) <= step.a || failed(value, "maxLength", [&] {
                 return count_message(true, step.a, "character", code_point_count(text));
               });
      case Op::pattern:
        return plan_.patterns[step.a]->matches(text) || failed(value, "pattern", [&] {
                 return "expected a string that matches " + std::string(plan_.patterns[step.a]->source());
               });
      case Op::format:
        return matches_plan_format(step.a, text) || failed(value, "format", [&] {
                 return "expected a string of the format " + std::string(plan_format_name(step.a));
               });
      default: return true;
    }
  }

  bool number(const Step& step, Value value) {
    const auto limit = [&](bool holds, std::string_view keyword, std::string_view relation) {
      return holds ||
             failed(value, keyword, [&] { return number_message(relation, plan_.texts[step.a], value); });
    };
    const auto order = [&] { return compare_numbers(value.text(), plan_.texts[step.a]); };
    switch (step.op) {
      case Op::minimum: return limit(order() >= 0, "minimum", "of at least");
      case Op::maximum: return limit(order() <= 0, "maximum", "of at most");
      case Op::exclusive_minimum: return limit(order() > 0, "exclusiveMinimum", "above");
      case Op::exclusive_maximum: return limit(order() < 0, "exclusiveMaximum", "below");
      case Op::multiple_of:
        return limit(is_multiple(value.text(), plan_.texts[step.a]), "multipleOf", "that is a multiple of");
      default: return true;
    }
  }

  // ---- Keywords for arrays.

  bool array(const Step& step, Value value, EvaluatedSet* seen, const Scope* scope) {
    switch (step.op) {
      case Op::min_items:
        return value.size() >= step.a ||
               failed(value, "minItems", [&] { return count_message(false, step.a, "item", value.size()); });
      case Op::max_items:
        return value.size() <= step.a ||
               failed(value, "maxItems", [&] { return count_message(true, step.a, "item", value.size()); });
      case Op::unique_items: return unique_items(value);
      case Op::elements: return elements(step, value, seen, scope);
      case Op::contains: return contains(step, value, seen, scope);
      case Op::unevaluated_items: return unevaluated(step, value, seen, scope, "unevaluatedItems");
      default: return true;
    }
  }

  bool unique_items(Value value) {
    constexpr std::size_t compared_in_pairs = 8;
    std::unordered_map<std::string, std::size_t> forms;
    std::size_t index = 0;
    for (Value each = value.first_child(); each.exists(); each = each.next_sibling(), ++index) {
      std::size_t same = index;
      if (value.size() > compared_in_pairs) {
        same = forms.try_emplace(normal_form(each), index).first->second;
      } else {
        std::size_t at = 0;
        for (Value before = value.first_child(); at < index && same == index;
             before = before.next_sibling(), ++at) {
          if (equal(before, each)) same = at;
        }
      }
      if (same == index) continue;
      return failed(value, "uniqueItems", [&] { return not_unique_message(same, index); });
    }
    return true;
  }

  bool elements(const Step& step, Value value, EvaluatedSet* seen, const Scope* scope) {
    const std::span<const std::uint32_t> prefix = list(step.a, step.b);
    bool fits = true;
    std::size_t index = 0;
    for (Value each = value.first_child(); each.exists(); each = each.next_sibling(), ++index) {
      const std::uint32_t item = index < prefix.size() ? prefix[index] : step.c;
      if (item == no_index) break;
      if (index >= prefix.size() && never(item)) {
        failed(each, "items", [&] { return count_message(true, prefix.size(), "item", value.size()); });
        fits = false;
        break;
      }
      fits = schema(item, each, nullptr, scope) && fits;
      if (!fits && !failures_) return false;
      if (seen) seen->indexes.set(index);
    }
    if (seen && step.c != no_index) seen->has_all = true;
    return fits;
  }

  bool contains(const Step& step, Value value, EvaluatedSet* seen, const Scope* scope) {
    std::size_t count = 0;
    std::size_t index = 0;
    for (Value each = value.first_child(); each.exists(); each = each.next_sibling(), ++index) {
      if (!quietly(step.a, each, nullptr, scope)) continue;
      ++count;
      if (seen) seen->indexes.set(index);
    }
    if (count < step.b) {
      return failed(value, step.b == 1 ? "contains" : "minContains",
                    [&] { return contains_message(false, step.b, count); });
    }
    return count <= step.c ||
           failed(value, "maxContains", [&] { return contains_message(true, step.c, count); });
  }

  bool unevaluated(const Step& step, Value value, EvaluatedSet* seen, const Scope* scope,
                   std::string_view keyword) {
    bool fits = true;
    std::size_t index = 0;
    for (Value each = value.first_child(); each.exists(); each = each.next_sibling(), ++index) {
      if (seen->has(index)) continue;
      if (never(step.a)) {
        failed(each, keyword, [&] { return unevaluated_message(value, each); });
        fits = false;
      } else {
        fits = schema(step.a, each, nullptr, scope) && fits;
      }
      if (!fits && !failures_) return false;
    }
    seen->has_all = true;
    return fits;
  }

  // ---- Keywords for objects.

  bool object(const Step& step, Value value, EvaluatedSet* seen, const Scope* scope) {
    switch (step.op) {
      case Op::min_properties:
        return value.size() >= step.a || failed(value, "minProperties", [&] {
                 return count_message(false, step.a, "property", value.size());
               });
      case Op::max_properties:
        return value.size() <= step.a || failed(value, "maxProperties", [&] {
                 return count_message(true, step.a, "property", value.size());
               });
      case Op::required: {
        bool fits = true;
        for (const std::uint32_t each : list(step.a, step.b)) fits = has(value, each, "required") && fits;
        return fits;
      }
      case Op::dependent_required: return dependent_required(step, value);
      case Op::dependent_schemas: {
        bool fits = true;
        const std::span<const std::uint32_t> all = list(step.a, step.b);
        for (std::size_t i = 0; i < all.size() && (fits || failures_); i += 2) {
          if (value.find(plan_.texts[all[i]]).exists()) fits = schema(all[i + 1], value, seen, scope) && fits;
        }
        return fits;
      }
      case Op::members: return members(step, value, seen, scope);
      case Op::property_names: return property_names(step, value, scope);
      case Op::unevaluated_properties: return unevaluated(step, value, seen, scope, "unevaluatedProperties");
      default: return true;
    }
  }

  bool has(Value value, std::uint32_t name, std::string_view keyword) {
    return value.find(plan_.texts[name]).exists() ||
           failed(value, keyword, [&] { return "missing property " + quoted(plan_.texts[name]); });
  }

  bool dependent_required(const Step& step, Value value) {
    bool fits = true;
    const std::span<const std::uint32_t> all = list(step.a, step.b);
    for (std::size_t i = 0; i < all.size(); i += 2 + all[i + 1]) {
      if (!value.find(plan_.texts[all[i]]).exists()) continue;
      for (const std::uint32_t each : all.subspan(i + 2, all[i + 1]))
        fits = has(value, each, "dependentRequired") && fits;
    }
    return fits;
  }

  // Returns the schema of the member `key`, by binary search in `pairs`, or no_index.
  std::uint32_t named(std::span<const std::uint32_t> pairs, std::string_view key) const {
    std::size_t low = 0;
    std::size_t high = pairs.size() / 2;
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      const std::string_view name = plan_.texts[pairs[2 * middle]];
      const int order = name.size() == key.size() ? name.compare(key) : name.size() < key.size() ? -1 : 1;
      if (order == 0) return pairs[2 * middle + 1];
      if (order < 0)
        low = middle + 1;
      else
        high = middle;
    }
    return no_index;
  }

  bool members(const Step& step, Value value, EvaluatedSet* seen, const Scope* scope) {
    const std::span<const std::uint32_t> head = list(step.a, members_head_size);
    const std::span<const std::uint32_t> names = list(step.a + members_head_size, 2 * head[0]);
    const std::span<const std::uint32_t> patterns =
        list(step.a + members_head_size + 2 * head[0], 2 * head[1]);
    bool fits = true;
    std::size_t index = 0;
    for (Value each = value.first_child(); each.exists(); each = each.next_sibling(), ++index) {
      bool known = false;
      if (const std::uint32_t its = named(names, each.key()); its != no_index) {
        known = true;
        fits = member(its, each, scope) && fits;
      }
      for (std::size_t i = 0; i < patterns.size(); i += 2) {
        if (!plan_.patterns[patterns[i]]->matches(each.key())) continue;
        known = true;
        fits = member(patterns[i + 1], each, scope) && fits;
      }
      if (!known && head[2] != no_index) {
        known = true;
        if (never(head[2])) {
          failed(each, "additionalProperties",
                 [&] { return unknown_member_message(plan_, names, each.key()); });
          fits = false;
        } else {
          fits = schema(head[2], each, nullptr, scope) && fits;
        }
      }
      if (!fits && !failures_) return false;
      if (known && seen) seen->indexes.set(index);
    }
    return fits;
  }

  bool member(std::uint32_t its, Value value, const Scope* scope) {
    if (never(its))
      return failed(value, "properties",
                    [&] { return "the property " + quoted(value.key()) + " is not allowed"; });
    return schema(its, value, nullptr, scope);
  }

  bool property_names(const Step& step, Value value, const Scope* scope) {
    bool fits = true;
    for (Value each = value.first_child(); each.exists() && (fits || failures_); each = each.next_sibling()) {
      const std::string text = quoted(each.key());
      const Tree name(text);
      Failures own;
      Failures* const outer = failures_;
      failures_ = outer ? &own : nullptr;
      const bool ok = schema(step.a, name.root(), nullptr, scope);
      failures_ = outer;
      if (!ok) {
        failed(each, "propertyNames", [&] {
          return "the name " + text + " does not fit: " + (own.empty() ? "" : own.front().message);
        });
        fits = false;
      }
    }
    return fits;
  }

  const Plan& plan_;
  Failures* failures_;
  int depth_ = 0;
};

}  // namespace

bool fits(const Plan& plan, Value value, std::uint32_t root) {
  return Evaluator(plan, nullptr).run(root, value);
}

Failures failures(const Plan& plan, Value value, std::uint32_t root) {
  Failures found;
  Evaluator(plan, &found).run(root, value);
  return found;
}

std::vector<Violation> evaluate(const Plan& plan, Value value, std::uint32_t root) {
  if (fits(plan, value, root)) return {};
  Failures found = failures(plan, value, root);
  return to_violations(value.source(), found);
}

std::vector<Violation> evaluate(const Plan& plan, std::string_view text, std::uint32_t root) {
  const Tree tree(text);
  if (tree.problems().empty()) return evaluate(plan, tree.root(), root);
  std::vector<Violation> out;
  for (const Problem& each : tree.problems()) {
    const bool syntax = !tree.is_json() && &each == &tree.problems().back();
    out.push_back({.pointer = tree.is_json() ? pointer_at(text, each.offset) : std::string(),
                   .keyword = syntax ? "syntax" : "duplicate",
                   .message = each.message});
  }
  if (!tree.is_json()) return out;
  for (Violation& each : evaluate(plan, tree.root(), root)) out.push_back(std::move(each));
  return out;
}

}  // namespace snapgen::json
