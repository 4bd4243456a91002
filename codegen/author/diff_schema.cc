#include "codegen/author/diff_schema.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "codegen/author/diff_presence.h"
#include "codegen/front/schema.h"
#include "runtime/json/pointer.h"
#include "runtime/json/writer.h"

namespace snapgen::codegen {
namespace {

using json::Kind;
using json::Node;

std::string shown(const Node* node) { return node ? json::canonical_text(*node) : std::string("nothing"); }

std::string pointer_below(std::string pointer, std::string_view token) {
  json::append_pointer_token(pointer, token);
  return pointer;
}

bool is_false(const Node* node) { return node && node->is(Kind::boolean) && !node->boolean; }

class Comparer {
 public:
  std::vector<SchemaChange> changes;

  void schemas(const Node& before, const Node& after, const std::string& pointer) {
    if (json::canonical_text(before) == json::canonical_text(after)) return;
    if (!before.is(Kind::object) || !after.is(Kind::object)) {
      add(is_false(&after) ? ChangeEffect::narrower : ChangeEffect::wider, pointer,
          "it is " + json::canonical_text(after) + ", and was " + json::canonical_text(before));
      return;
    }
    types(before, after, pointer);
    values(before, after, pointer);
    bounds(before, after, pointer);
    plain(before, after, pointer);
    const bool has_rule = has_presence_rule(before) || has_presence_rule(after);
    members(before, after, pointer, has_rule);
    if (has_rule)
      for (PresenceChange& each : compare_presence(before, after))
        add(each.narrower ? ChangeEffect::narrower : ChangeEffect::wider, pointer + "/" + each.keyword,
            subject_of(pointer) + " " + std::move(each.sentence));
    additional(before, after, pointer);
    items(before, after, pointer);
    alternatives(before, after, pointer);
    inner(before, after, pointer);
    maps(before, after, pointer);
    opposite(before, after, pointer);
    notes(before, after, pointer);
  }

 private:
  void add(ChangeEffect effect, const std::string& pointer, std::string sentence) {
    changes.push_back({.effect = effect, .pointer = pointer, .sentence = std::move(sentence)});
  }

  // Returns the values of a keyword; null where it is absent.
  static std::pair<const Node*, const Node*> both(const Node& before, const Node& after,
                                                  std::string_view keyword) {
    return {before.find(keyword), after.find(keyword)};
  }

  static std::set<std::string> kinds(const Node& schema) {
    std::set<std::string> found;
    const Node* type = schema.find("type");
    if (!type) return {"array", "boolean", "fraction", "integer", "null", "object", "string"};
    const auto take = [&](const std::string& name) {
      found.insert(name == "number" ? "fraction" : name);
      if (name == "number") found.insert("integer");
    };
    if (type->is(Kind::string)) take(type->text);
    for (const Node& each : type->items) take(each.text);
    return found;
  }

  void types(const Node& before, const Node& after, const std::string& pointer) {
    // A const or enum without a type has the kinds of its values. values() compares those.
    if ((!before.find("type") && allowed(before)) || (!after.find("type") && allowed(after))) return;
    const std::set<std::string> old_kinds = kinds(before), new_kinds = kinds(after);
    if (old_kinds == new_kinds) return;
    const bool less = !std::ranges::includes(new_kinds, old_kinds);
    const bool more = !std::ranges::includes(old_kinds, new_kinds);
    const auto name = [](const Node& schema) {
      return schema.find("type") ? json::canonical_text(*schema.find("type")) : std::string("any");
    };
    add(less && more ? ChangeEffect::narrower_and_wider
        : less       ? ChangeEffect::narrower
                     : ChangeEffect::wider,
        pointer, "its type is " + name(after) + ", and was " + name(before));
  }

  // Returns the values of const or enum; nullopt if any value is allowed.
  static std::optional<std::set<std::string>> allowed(const Node& schema) {
    std::set<std::string> found;
    if (const Node* constant = schema.find("const")) {
      found.insert(json::canonical_text(*constant));
      return found;
    }
    const Node* list = schema.find("enum");
    if (!list) return std::nullopt;
    for (const Node& each : list->items) found.insert(json::canonical_text(each));
    return found;
  }

  void values(const Node& before, const Node& after, const std::string& pointer) {
    const auto old_values = allowed(before), new_values = allowed(after);
    if (!old_values && !new_values) return;
    if (!old_values)
      return add(ChangeEffect::narrower, pointer, "only some values are allowed now: " + list(*new_values));
    if (!new_values)
      return add(ChangeEffect::wider, pointer, "any value is allowed now, not only " + list(*old_values));
    std::set<std::string> lost, gained;
    std::set_difference(old_values->begin(), old_values->end(), new_values->begin(), new_values->end(),
                        std::inserter(lost, lost.end()));
    std::set_difference(new_values->begin(), new_values->end(), old_values->begin(), old_values->end(),
                        std::inserter(gained, gained.end()));
    if (!lost.empty())
      add(ChangeEffect::narrower, pointer,
          (lost.size() == 1 ? "this value is gone: " : "these values are gone: ") + list(lost));
    if (!gained.empty())
      add(ChangeEffect::wider, pointer,
          (gained.size() == 1 ? "this value is new: " : "these values are new: ") + list(gained));
  }

  static std::string list(const std::set<std::string>& names) {
    std::string text;
    for (const std::string& each : names) text += (text.empty() ? "" : ", ") + each;
    return text;
  }

  void bounds(const Node& before, const Node& after, const std::string& pointer) {
    static constexpr std::string_view least[] = {"exclusiveMinimum", "minItems", "minLength", "minProperties",
                                                 "minimum"};
    static constexpr std::string_view most[] = {"exclusiveMaximum", "maxItems", "maxLength",
                                                "maxProperties",    "maximum",  "maxContains"};
    for (std::string_view keyword : least) bound(before, after, pointer, keyword, true);
    for (std::string_view keyword : most) bound(before, after, pointer, keyword, false);
    // Without the keyword, `minContains` is 1.
    const auto least_contained = [](const Node& schema) {
      const Node* value = schema.find("minContains");
      return value ? number(*value) : 1;
    };
    if (!before.find("contains") || !after.find("contains")) return;
    const double from = least_contained(before), to = least_contained(after);
    if (from != to)
      add(to > from ? ChangeEffect::narrower : ChangeEffect::wider, pointer,
          "minContains is " + shown(after.find("minContains")) + ", and was " +
              shown(before.find("minContains")));
  }

  // Compares keywords that have one schema, which a value or a part of it must also fit.
  void inner(const Node& before, const Node& after, const std::string& pointer) {
    for (std::string_view keyword :
         {"contains", "propertyNames", "unevaluatedItems", "unevaluatedProperties"}) {
      const auto [from, to] = both(before, after, keyword);
      const std::string at = pointer + "/" + std::string(keyword);
      if (from && to)
        schemas(*from, *to, at);
      else if (from || to)
        add(to ? ChangeEffect::narrower : ChangeEffect::wider, at,
            to ? "this schema applies now" : "this schema no longer applies");
    }
    static const std::vector<Node> none;
    const auto [from, to] = both(before, after, "prefixItems");
    const std::vector<Node>& was = from ? from->items : none;
    const std::vector<Node>& is = to ? to->items : none;
    for (std::size_t i = 0; i < std::max(was.size(), is.size()); ++i) {
      const std::string at = pointer + "/prefixItems/" + std::to_string(i);
      if (i < was.size() && i < is.size())
        schemas(was[i], is[i], at);
      else
        add(i < is.size() ? ChangeEffect::narrower : ChangeEffect::wider, at,
            i < is.size() ? "this item is limited now" : "this item is no longer limited");
    }
  }

  // Compares keywords with schemas by name or pattern, each of which applies only to matching members.
  void maps(const Node& before, const Node& after, const std::string& pointer) {
    static const Node none{.kind = Kind::object};
    for (std::string_view keyword : {"dependentSchemas", "patternProperties"}) {
      auto [from, to] = both(before, after, keyword);
      if (!from) from = &none;
      if (!to) to = &none;
      const std::string where = pointer + "/" + std::string(keyword);
      for (const json::Member& each : from->members) {
        const std::string at = pointer_below(where, each.key);
        if (const Node* now = to->find(each.key))
          schemas(each.value, *now, at);
        else
          add(ChangeEffect::wider, at, "this schema no longer applies");
      }
      for (const json::Member& each : to->members)
        if (!from->find(each.key))
          add(ChangeEffect::narrower, pointer_below(where, each.key), "this schema applies now");
    }
  }

  // Compares `not`. If its schema is narrower, the whole schema is wider.
  void opposite(const Node& before, const Node& after, const std::string& pointer) {
    const auto [from, to] = both(before, after, "not");
    const std::string at = pointer + "/not";
    if (!from && !to) return;
    if (!from || !to)
      return add(to ? ChangeEffect::narrower : ChangeEffect::wider, at,
                 to ? "something is forbidden now" : "nothing is forbidden now");
    Comparer forbidden;
    forbidden.schemas(*from, *to, at);
    for (SchemaChange& each : forbidden.changes) {
      if (each.effect == ChangeEffect::narrower)
        each.effect = ChangeEffect::wider;
      else if (each.effect == ChangeEffect::wider || each.effect == ChangeEffect::looser)
        each.effect = ChangeEffect::narrower;
      else if (each.effect == ChangeEffect::removed)
        each.effect = ChangeEffect::narrower_and_wider;
      changes.push_back(std::move(each));
    }
  }

  void bound(const Node& before, const Node& after, const std::string& pointer, std::string_view keyword,
             bool least) {
    const auto [from, to] = both(before, after, keyword);
    if (!from && !to) return;
    // Without a bound, every value is allowed.
    const bool narrower =
        !from || (to && (least ? number(*to) > number(*from) : number(*to) < number(*from)));
    if (from && to && number(*from) == number(*to)) return;
    add(narrower ? ChangeEffect::narrower : ChangeEffect::wider, pointer,
        std::string(keyword) + " is " + shown(to) + ", and was " + shown(from));
  }

  static double number(const Node& node) { return node.number().value_or(0); }

  // Compares keywords for which only presence and equality matter.
  void plain(const Node& before, const Node& after, const std::string& pointer) {
    for (std::string_view keyword :
         {"pattern", "multipleOf", "uniqueItems", "if", "then", "else", "dependentRequired", "allOf"}) {
      const auto [from, to] = both(before, after, keyword);
      if (shown(from) == shown(to)) continue;
      const ChangeEffect effect = !from ? ChangeEffect::narrower
                                  : !to ? ChangeEffect::wider
                                        : ChangeEffect::narrower_and_wider;
      add(effect, pointer, std::string(keyword) + " is " + shown(to) + ", and was " + shown(from));
    }
  }

  static std::string subject_of(const std::string& pointer) {
    return pointer == "/inputSchema" ? "calls" : pointer == "/outputSchema" ? "results" : "objects";
  }

  // If one of the schemas has a presence rule, compare_presence() compares which members are required.
  void members(const Node& before, const Node& after, const std::string& pointer, bool has_rule) {
    static const Node none{.kind = Kind::object};
    auto [from, to] = both(before, after, "properties");
    if (!from) from = &none;
    if (!to) to = &none;
    static const std::set<std::string> nothing;
    const std::set<std::string> old_required = has_rule ? nothing : required_names(before);
    const std::set<std::string> new_required = has_rule ? nothing : required_names(after);
    const std::string where = pointer + "/properties";
    const std::map<std::string, std::string> renamed = find_renamed(*from, *to);
    for (const json::Member& each : from->members) {
      const std::string at = pointer_below(where, each.key);
      const Node* now = to->find(each.key);
      const bool was = old_required.count(each.key) != 0, is = new_required.count(each.key) != 0;
      if (!now) {
        const auto other = renamed.find(each.key);
        add(ChangeEffect::removed, at,
            other == renamed.end() ? "it is gone" : "it is gone; " + other->second + " has its schema");
        continue;
      }
      if (!was && is) add(ChangeEffect::narrower, at, "it is required now");
      if (was && !is) add(ChangeEffect::wider, at, "it may be absent now");
      schemas(each.value, *now, at);
    }
    for (const json::Member& each : to->members) {
      if (from->find(each.key)) continue;
      const bool is = new_required.count(each.key) != 0;
      add(is ? ChangeEffect::narrower : ChangeEffect::annotated, pointer_below(where, each.key),
          is ? "it is new, and required" : "it is new");
    }
  }

  // Maps each removed member to the new member that has the same schema, if there is only one and its schema
  // has more than a type.
  static std::map<std::string, std::string> find_renamed(const Node& from, const Node& to) {
    std::map<std::string, std::string> moved;
    std::multimap<std::string, std::string> fresh;
    for (const json::Member& each : to.members)
      if (!from.find(each.key) && each.value.members.size() > 1)
        fresh.emplace(json::canonical_text(each.value), each.key);
    for (const json::Member& each : from.members) {
      if (to.find(each.key)) continue;
      const std::string same = json::canonical_text(each.value);
      if (fresh.count(same) == 1) moved.emplace(each.key, json::quoted(fresh.find(same)->second));
    }
    return moved;
  }

  void additional(const Node& before, const Node& after, const std::string& pointer) {
    const auto [from, to] = both(before, after, "additionalProperties");
    if (shown(from) == shown(to)) return;
    const std::string at = pointer + "/additionalProperties";
    if (from && to && from->is(Kind::object) && to->is(Kind::object)) return schemas(*from, *to, at);
    if (is_false(to))
      return add(ChangeEffect::narrower, at, "members that are not listed here are rejected now");
    if (is_false(from))
      return add(ChangeEffect::looser, at, "members that are not listed here are ignored now");
    const bool limited = to && to->is(Kind::object);
    add(limited ? ChangeEffect::narrower : ChangeEffect::wider, at,
        limited ? "members that are not listed here are limited now"
                : "members that are not listed here are no longer limited");
  }

  void items(const Node& before, const Node& after, const std::string& pointer) {
    const auto [from, to] = both(before, after, "items");
    if (from && to) return schemas(*from, *to, pointer + "/items");
    if (to) add(ChangeEffect::narrower, pointer + "/items", "items are limited now");
    if (from) add(ChangeEffect::wider, pointer + "/items", "items are no longer limited");
  }

  static std::string title_of(const Node& schema) {
    const Node* title = schema.find("title");
    return title ? title->text : std::string();
  }

  // Returns a text that identifies an alternative: the constant that it is, or the constants of its members,
  // or else its title or type.
  static std::string mark(const Node& schema) {
    if (const Node* constant = schema.find("const")) return json::canonical_text(*constant);
    const Node* properties = schema.find("properties");
    std::string constants;
    if (properties)
      for (const json::Member& each : properties->members)
        if (const Node* constant = each.value.find("const"))
          constants += each.key + json::canonical_text(*constant);
    if (!constants.empty()) return constants;
    if (const std::string title = title_of(schema); !title.empty()) return title;
    if (const Node* type = schema.find("type")) return json::canonical_text(*type);
    return {};
  }

  void alternatives(const Node& before, const Node& after, const std::string& pointer) {
    for (std::string_view keyword : {"oneOf", "anyOf"}) {
      auto [from, to] = both(before, after, keyword);
      if (from && only_require(*from)) from = nullptr;  // A presence rule.
      if (to && only_require(*to)) to = nullptr;
      if (!from && !to) continue;
      const std::string where = pointer + "/" + std::string(keyword);
      if (!from || !to) {
        add(to ? ChangeEffect::narrower : ChangeEffect::wider, where,
            to ? "it has alternatives now" : "it no longer has alternatives");
        continue;
      }
      // Alternatives with the same mark are compared in order, then others with the same title.
      std::vector<const Node*> old_ones;
      for (const Node& each : from->items) old_ones.push_back(&each);
      std::map<std::size_t, const Node*> new_ones;
      for (std::size_t i = 0; i < to->items.size(); ++i) new_ones.emplace(i, &to->items[i]);
      for (std::string (*identity)(const Node&) : {&mark, &title_of})
        std::erase_if(new_ones, [&](const auto& each) {
          const std::string name = identity(*each.second);
          const auto same =
              std::ranges::find(old_ones, name, [&](const Node* node) { return identity(*node); });
          if (same == old_ones.end() || (identity == &title_of && name.empty())) return false;
          schemas(**same, *each.second, where + "/" + std::to_string(each.first));
          old_ones.erase(same);
          return true;
        });
      for (const auto& each : new_ones)
        add(ChangeEffect::wider, where + "/" + std::to_string(each.first), "this alternative is new");
      for (const Node* each : old_ones) {
        const std::string title = title_of(*each);
        add(ChangeEffect::narrower, where, "an alternative is gone" + (title.empty() ? "" : ": " + title));
      }
    }
  }

  void notes(const Node& before, const Node& after, const std::string& pointer) {
    for (std::string_view keyword : {"contentEncoding", "contentMediaType", "contentSchema", "default",
                                     "deprecated", "description", "format", "title"}) {
      const auto [from, to] = both(before, after, keyword);
      if (shown(from) == shown(to)) continue;
      if (keyword == "default" && from) {
        add(ChangeEffect::new_default, pointer,
            "calls without it mean " + shown(to) + " now, and meant " + shown(from));
        continue;
      }
      const bool words = keyword == "description" || keyword == "title";
      add(ChangeEffect::annotated, pointer,
          words ? "its " + std::string(keyword) + " changed"
                : std::string(keyword) + " is " + shown(to) + ", and was " + shown(from));
    }
  }
};

}  // namespace

std::vector<SchemaChange> compare_schemas(const Node& before, const Node& after, const std::string& pointer) {
  Comparer comparer;
  comparer.schemas(before, after, pointer);
  return std::move(comparer.changes);
}

}  // namespace snapgen::codegen
