#include "tests/readers/values.h"

#include <algorithm>
#include <array>
#include <set>

#include "runtime/json/pattern.h"
#include "runtime/json/values.h"

namespace snapgen::readers {

using json::Kind;
using json::Node;

namespace {

constexpr int depth_max = 6;
constexpr std::size_t parts_max = 40;

constexpr std::array<std::string_view, 6> kind_names = {"null",   "boolean", "number",
                                                        "string", "array",   "object"};

// The type to which a keyword applies, for schemas without a type.
std::string_view kind_of_keyword(std::string_view keyword) {
  for (const std::string_view each :
       {"properties", "required", "additionalProperties", "patternProperties", "propertyNames",
        "minProperties", "maxProperties", "dependentRequired", "unevaluatedProperties"})
    if (each == keyword) return "object";
  for (const std::string_view each :
       {"items", "prefixItems", "contains", "minItems", "maxItems", "unevaluatedItems"})
    if (each == keyword) return "array";
  for (const std::string_view each : {"minLength", "maxLength", "pattern", "format"})
    if (each == keyword) return "string";
  for (const std::string_view each :
       {"minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"})
    if (each == keyword) return "number";
  return "";
}

}  // namespace

void Values::collect_words(const Node& tree, std::vector<std::string>& words) {
  const std::function<void(const Node&)> strings = [&](const Node& node) {
    if (node.is(Kind::string) && node.text.size() < 200) words.push_back(node.text);
    for (const Node& each : node.items) strings(each);
    for (const json::Member& each : node.members) strings(each.value);
  };
  for (const json::Member& each : tree.members) {
    if (each.key == "examples" || each.key == "default" || each.key == "const" || each.key == "enum")
      strings(each.value);
    else
      collect_words(each.value, words);
  }
  for (const Node& each : tree.items) collect_words(each, words);
}

// Collects the schema and all others that apply to the same value; of several alternatives it takes one.
void Values::flatten(const Node& schema, Parts& parts) {
  if (parts.size() >= parts_max) return;
  parts.push_back(&schema);
  for (const std::string_view keyword : {"$ref", "$dynamicRef"}) {
    const Node* reference = schema.find(keyword);
    if (!reference) continue;
    json::SchemaProblems problems;
    if (const Node* target = resources_.resolve(schema, *reference, reference->text, problems).node)
      flatten(*target, parts);
  }
  if (const Node* list = schema.find("allOf"))
    for (const Node& each : list->items) flatten(each, parts);
  for (const std::string_view keyword : {"oneOf", "anyOf"})
    if (const Node* list = schema.find(keyword); list && !list->items.empty())
      flatten(list->items[below_(static_cast<std::uint32_t>(list->items.size()))], parts);
  const Node* condition = schema.find("if");
  if (!condition) return;
  const bool holds = one_in(2);
  if (holds) flatten(*condition, parts);
  if (const Node* branch = schema.find(holds ? "then" : "else")) flatten(*branch, parts);
}

Values::Limits Values::all(const Parts& parts, std::string_view keyword) {
  Limits found;
  for (const Node* each : parts)
    if (const Node* value = each->find(keyword)) found.push_back(value);
  return found;
}

std::string Values::anything() {
  static constexpr std::array<std::string_view, 14> values = {
      "null", "true",  "false", "0",         "-1", "1.5",        "1e3",
      "\"\"", "\"x\"", "[]",    "[1,\"a\"]", "{}", R"({"a":1})", R"([{"b":null}])"};
  return std::string(values[below_(values.size())]);
}

std::string Values::value(const Parts& schemas, int depth) {
  if (depth > depth_max || one_in(40)) return anything();
  Parts parts;
  for (const Node* each : schemas) flatten(*each, parts);

  std::vector<const Node*> given;
  for (const Node* each : all(parts, "const")) given.push_back(each);
  for (const std::string_view keyword : {"enum", "examples"})
    for (const Node* list : all(parts, keyword))
      for (const Node& each : list->items) given.push_back(&each);
  const bool is_decided = !all(parts, "const").empty() || !all(parts, "enum").empty();
  if (!given.empty() && !one_in(is_decided ? 20 : 3))
    return json::to_json(*given[below_(static_cast<std::uint32_t>(given.size()))]);

  std::set<std::string_view> kinds(kind_names.begin(), kind_names.end());
  bool whole = false, said = false;
  for (const Node* type : all(parts, "type")) {
    std::set<std::string_view> these;
    const auto add = [&](const Node& name) {
      const bool integer = name.text == "integer";
      whole = whole || integer;
      for (const std::string_view known : kind_names)
        if (known == (integer ? "number" : name.text)) these.insert(known);
    };
    if (type->is(Kind::array))
      std::for_each(type->items.begin(), type->items.end(), add);
    else
      add(*type);
    std::erase_if(kinds, [&](std::string_view each) { return !these.count(each); });
    said = true;
  }
  std::set<std::string_view> meant;
  for (const Node* part : parts)
    for (const json::Member& each : part->members) meant.insert(kind_of_keyword(each.key));
  meant.erase("");
  if (!said && !meant.empty() && !one_in(10)) kinds = meant;
  if (kinds.empty()) return anything();
  const std::string_view kind = *std::next(kinds.begin(), below_(static_cast<std::uint32_t>(kinds.size())));
  if (kind == "null") return "null";
  if (kind == "boolean") return one_in(2) ? "true" : "false";
  if (kind == "number") return number(parts, whole);
  if (kind == "string") return string(parts);
  return kind == "array" ? array(parts, depth) : object(parts, depth);
}

// Returns numbers around the limits.
std::string Values::number(const Parts& parts, bool whole) {
  std::vector<double> around = {0, 1, 2, 7, -1, 100};
  if (!whole) around.insert(around.end(), {0.25, 2.5, 0.3, -3.75});
  for (const std::string_view keyword :
       {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"})
    for (const Node* limit : all(parts, keyword)) {
      const double value = limit->number().value_or(0);
      // The number is in the range in which doubles are exact, so that other languages agree.
      if (value < -9007199254740990.0 || value > 9007199254740990.0) continue;
      around.insert(around.end(), {value, value + 1, value - 1});
      if (!whole) around.push_back(value + 0.125);
    }
  const std::string text = json::to_json(around[below_(static_cast<std::uint32_t>(around.size()))]);
  return one_in(12) && text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

// Returns one of the words that match the pattern. The words do not change, so each pattern is compared with
// them once.
std::optional<std::string> Values::matching(std::string_view pattern) {
  auto known = matching_.find(pattern);
  if (known == matching_.end()) {
    known = matching_.emplace(std::string(pattern), std::vector<std::string>()).first;
    const json::Pattern compiled(known->first);
    for (const std::string& each : words_)
      if (compiled.matches(each)) known->second.push_back(each);
  }
  if (known->second.empty()) return std::nullopt;
  return known->second[below_(static_cast<std::uint32_t>(known->second.size()))];
}

std::string Values::string(const Parts& parts) {
  const Limits patterns = all(parts, "pattern");
  if (!patterns.empty() && !one_in(10))
    if (const std::optional<std::string> found =
            matching(patterns[below_(static_cast<std::uint32_t>(patterns.size()))]->text))
      return json::quoted(*found);
  const Limits least = all(parts, "minLength"), most = all(parts, "maxLength");
  if (least.empty() && !words_.empty() && one_in(3))
    return json::quoted(words_[below_(static_cast<std::uint32_t>(words_.size()))]);
  std::int64_t size = below_(5);
  if (!least.empty() && !one_in(6)) size = least[0]->integer().value_or(0) + below_(2);
  // A much longer text would test no more than one at the limit.
  if (!most.empty() && most[0]->integer().value_or(0) < 200 && one_in(4))
    size = most[0]->integer().value_or(0) + below_(2);
  static constexpr std::array<std::string_view, 8> letters = {"a", "b", "Z", "0", "\\n", "é", "😀", "/"};
  std::string text = "\"";
  for (std::int64_t i = 0; i < std::min<std::int64_t>(size, 300); ++i)
    text += letters[below_(letters.size())];
  return text + "\"";
}

std::string Values::array(const Parts& parts, int depth) {
  const Limits least = all(parts, "minItems"), most = all(parts, "maxItems"),
               first = all(parts, "prefixItems"), items = all(parts, "items"),
               contains = all(parts, "contains");
  std::size_t size = below_(4);
  if (!first.empty() && !one_in(4)) size = first[0]->items.size() + below_(2);
  if (!least.empty() && !one_in(6))
    size = std::max<std::size_t>(size, static_cast<std::size_t>(least[0]->integer().value_or(0)));
  if (!most.empty() && !one_in(6))
    size = std::min<std::size_t>(size, static_cast<std::size_t>(most[0]->integer().value_or(0)));
  std::string text = "[";
  for (std::size_t i = 0; i < std::min<std::size_t>(size, 50); ++i) {
    Parts inner;
    for (const Node* list : first)
      if (i < list->items.size()) inner.push_back(&list->items[i]);
    if (inner.empty()) inner = items;
    if (!contains.empty() && one_in(2)) inner = contains;
    text += (i ? "," : "") + (inner.empty() ? anything() : value(inner, depth + 1));
  }
  return text + "]";
}

std::string Values::object(const Parts& parts, int depth) {
  std::set<std::string, std::less<>> there;
  std::string text = "{";
  const auto add = [&](const std::string& key, const Parts& schemas) {
    if (!there.insert(key).second) return;
    text += (there.size() > 1 ? "," : "") + json::quoted(key) + ":" +
            (schemas.empty() ? anything() : value(schemas, depth + 1));
  };
  std::set<std::string, std::less<>> needed;
  for (const Node* list : all(parts, "required"))
    for (const Node& each : list->items) needed.insert(each.text);
  const Limits properties = all(parts, "properties");
  for (const Node* list : properties) {
    for (const json::Member& each : list->members) {
      if (needed.count(each.key) ? one_in(40) : !one_in(3)) continue;
      Parts schemas;
      for (const Node* other : properties)
        if (const Node* same = other->find(each.key)) schemas.push_back(same);
      add(each.key, schemas);
    }
  }
  for (const std::string& each : needed)
    if (!one_in(30)) add(each, {});
  for (const Node* list : all(parts, "patternProperties"))
    for (const json::Member& each : list->members)
      if (one_in(2))
        if (const std::optional<std::string> name = matching(each.key)) add(*name, {&each.value});
  bool closed = false;
  for (const Node* rest : all(parts, "additionalProperties")) {
    closed = closed || (rest->is(Kind::boolean) && !rest->boolean);
    static constexpr std::array<const char*, 4> names = {"p", "q", "é", "x-a"};
    if (rest->is(Kind::object))
      for (const char* name : names)
        if (one_in(3)) add(name, {rest});
  }
  if (one_in(closed ? 30 : 4)) add("unheard_of", {});
  if (!words_.empty() && one_in(closed ? 60 : 8))
    add(words_[below_(static_cast<std::uint32_t>(words_.size()))], {});
  return text + "}";
}

}  // namespace snapgen::readers
