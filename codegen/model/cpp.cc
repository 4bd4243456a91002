#include "codegen/model/cpp.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "codegen/front/name.h"
#include "codegen/model/integer.h"
#include "runtime/base/text.h"
#include "runtime/json/document.h"
#include "runtime/json/writer.h"

namespace snapgen::codegen {
namespace {

using Form = Type::Form;

std::string written_out(const Type& type, std::string_view space) {
  switch (type.form) {
    case Form::boolean: return "bool";
    case Form::integer: return type.is_unsigned ? "std::uint64_t" : "std::int64_t";
    case Form::number: return "double";
    case Form::string: return "std::string";
    case Form::array: return "std::vector<" + cpp_type(*type.item, space, type.item_boxed) + ">";
    case Form::map: return "std::map<std::string, " + cpp_type(*type.item, space, type.item_boxed) + ">";
    case Form::nullable: return "json::Nullable<" + cpp_type(*type.item, space, type.item_boxed) + ">";
    case Form::variant: {
      std::string text = "std::variant<";
      for (const Alternative& each : type.alternatives) {
        if (&each != &type.alternatives.front()) text += ", ";
        text += cpp_type(*each.type, space, each.boxed);
      }
      return text + ">";
    }
    default: return "json::Raw";
  }
}

std::optional<std::string> list_expression(const Type& type, const json::Node& node, std::string_view space);

std::optional<std::string> node_expression(const Type& type, const json::Node& node, std::string_view space) {
  using json::Kind;
  switch (type.form) {
    case Form::boolean:
      if (node.is(Kind::boolean)) return node.boolean ? "true" : "false";
      break;
    case Form::integer:
      if (node.is(Kind::number)) return integer_literal(node.text, type.is_unsigned);
      break;
    case Form::number:
      if (node.is(Kind::number) && node.number()) return double_literal(*node.number());
      break;
    case Form::string:
      if (!node.is(Kind::string)) break;
      return node.text.find('\0') == std::string::npos ? string_literal(node.text)
                                                       : "std::string(" + string_literal(node.text) + ")";
    case Form::enumeration:
      for (const Enumerator& each : type.enumerators)
        if (node.is(Kind::string) && each.text == node.text)
          return qualified_name(type, space) + "::" + each.name;
      break;
    case Form::nullable:
      if (node.is(Kind::null)) return "{}";
      return node_expression(*type.item, node, space);
    case Form::array: return list_expression(type, node, space);
    case Form::map:
      if (node.is(Kind::object) && node.members.empty()) return "{}";
      break;
    case Form::structure: {
      bool all_absent = node.is(Kind::object) && node.members.empty();
      for (const Field& field : type.fields) all_absent = all_absent && field.presence != Presence::required;
      if (all_absent) return "{}";
      break;
    }
    case Form::raw: {
      std::string text;
      json::Writer writer(text);
      json::write(writer, node);
      return "{" + string_literal(text) + "}";
    }
    default: break;
  }
  return std::nullopt;
}

std::optional<std::string> list_expression(const Type& type, const json::Node& node, std::string_view space) {
  if (!node.is(json::Kind::array)) return std::nullopt;
  std::string list = "{";
  for (const json::Node& each : node.items) {
    std::optional<std::string> item = node_expression(*type.item, each, space);
    if (!item) return std::nullopt;
    // In an initializer list, C++ would take two string literals for a pair of iterators.
    if (type.item->form == Form::string && !type.item->declared) *item = "std::string(" + *item + ")";
    if (&each != &node.items.front()) list += ", ";
    list += *item;
  }
  return list + "}";
}

}  // namespace

std::string qualified_name(const Type& type, std::string_view space) {
  return type.file->name_space == space ? type.name : "::" + type.file->name_space + "::" + type.name;
}

std::string cpp_type(const Type& type, std::string_view space, bool boxed) {
  std::string text = type.declared ? qualified_name(type, space) : written_out(type, space);
  return boxed ? "json::Box<" + text + ">" : text;
}

bool null_is_nullopt(const Field& field) {
  return field.type && field.type->form == Form::nullable && !field.type->declared &&
         field.presence != Presence::optional;
}

std::string member_type(const Field& field, std::string_view space) {
  if (field.constant) return "bool";
  std::string type = cpp_type(*field.type, space, field.boxed);
  if (null_is_nullopt(field))
    return "std::optional<" + cpp_type(*field.type->item, space, field.type->item_boxed) + ">";
  return field.presence == Presence::optional ? "std::optional<" + type + ">" : type;
}

std::string member_initializer(const Field& field, std::string_view space) {
  if (field.constant) return " = false";
  if (field.presence == Presence::optional || field.boxed) return "";
  const Schema& meant = resolved(*field.schema);
  const std::optional<Constant>& own = field.schema->annotations.default_value;
  const std::optional<Constant>& value = own ? own : meant.annotations.default_value;
  if (value && !field.schema->location.file->foreign) {
    std::optional<std::string> text = value_expression(*field.type, *value, space);
    if (text && *text != "{}") return (*text)[0] == '{' ? *text : " = " + *text;
    return "";
  }
  switch (field.type->declared && !field.type->is_class() ? Form::raw : field.type->form) {
    case Form::boolean: return " = false";
    case Form::integer:
    case Form::number: return " = 0";
    case Form::enumeration:
      return " = " + qualified_name(*field.type, space) + "::" + field.type->enumerators.front().name;
    default: break;
  }
  // A member whose type is an alias of a number must also be initialised.
  bool plain = field.type->form == Form::boolean || field.type->form == Form::integer ||
               field.type->form == Form::number;
  return plain ? "{}" : "";
}

std::optional<std::string> value_expression(const Type& type, const Constant& value, std::string_view space) {
  json::Document document = json::parse_document(value.canonical);
  return node_expression(type, document.root, space);
}

std::string function_name(const Type& type) { return member_name(type.name); }

namespace {

std::string quoted_code(std::string_view text) {
  static constexpr std::string_view digits = "01234567";
  std::string code = "\"";
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      (code += '\\') += c;
    else if (c == '\n')
      code += "\\n";
    else if (c == '\t')
      code += "\\t";
    else if (byte < 0x20 || byte == 0x7f) {
      code += '\\';
      code += digits[byte >> 6];
      code += digits[(byte >> 3) & 7];
      code += digits[byte & 7];
    } else if (c == '?' && code.back() == '?')
      code += "\\?";
    else
      code += c;
  }
  return code + "\"";
}

}  // namespace

std::string string_literal(std::string_view text) {
  // A literal with a NUL must state its size.
  if (text.find('\0') == std::string_view::npos) return quoted_code(text);
  return "std::string_view(" + quoted_code(text) + ", " + std::to_string(text.size()) + ")";
}

std::string raw_literal(std::string_view text) {
  std::string mark = "json";
  while (text.find(")" + mark + "\"") != std::string_view::npos) mark += '_';
  return "R\"" + mark + "(" + std::string(text) + ")" + mark + "\"";
}

std::string double_literal(double value) {
  std::array<char, 40> buffer{};
  auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  std::string text(buffer.data(), end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string first_sentence(const std::string& text) {
  const std::size_t end = text.find(". ");
  return end == std::string::npos ? text : text.substr(0, end + 1);
}

std::string comment_lines(std::string_view text, std::size_t indent, std::size_t columns) {
  std::string lead = std::string(indent, ' ') + "//";
  std::string found;
  std::string line;
  auto flush = [&] {
    // A backslash at the end of a line would continue the comment.
    while (!line.empty() && (line.back() == '\\' || line.back() == ' ')) line.pop_back();
    found += line.empty() ? lead + "\n" : lead + " " + line + "\n";
    line.clear();
  };
  std::string word;
  auto end_word = [&] {
    if (word.empty()) return;
    if (!line.empty() && lead.size() + 2 + line.size() + word.size() > columns) flush();
    if (!line.empty()) line += ' ';
    line += word;
    word.clear();
  };
  for (char c : text) {
    if (c == ' ' || c == '\t' || c == '\r')
      end_word();
    else if (c == '\n')
      end_word(), flush();
    else
      word += c;
  }
  end_word();
  if (!line.empty()) flush();
  return found;
}

std::string wrapped_code(std::string_view code) {
  std::string text;
  while (!code.empty()) {
    std::size_t size = std::min(code.find('\n') + 1, code.size());
    if (size == 0) size = code.size();
    std::string line(code.substr(0, size));
    code.remove_prefix(size);
    std::size_t indent = line.find_first_not_of(' ');
    bool fixed = indent == std::string::npos || line.compare(indent, 2, "//") == 0 ||
                 line.find("R\"") != std::string::npos;
    std::string lead(fixed ? 0 : indent + 4, ' ');
    while (!fixed && line.size() > column_max + 1) {
      std::size_t cut = 0;
      bool literal = false;
      for (std::size_t i = indent; i < column_max; ++i) {
        if (line[i] == '\\' && literal)
          ++i;
        else if (line[i] == '"')
          literal = !literal;
        else if (line[i] == ' ' && !literal && i > lead.size()) {
          char before = line[i - 1];
          bool behind_operator =
              before == ',' || before == '=' || (before == '&' && line[i - 2] == '&') || before == '|';
          if (behind_operator || (before == ')' && cut == 0)) cut = i;
        }
      }
      if (cut == 0) break;
      text += line.substr(0, cut) + "\n";
      line = lead + line.substr(cut + 1);
    }
    text += line;
  }
  return text;
}

std::string wrapped_list(const std::vector<std::string>& values) {
  std::string text;
  std::string line = "   ";
  for (const std::string& each : values) {
    if (line.size() + each.size() + 2 > column_max && line.size() > 3)
      text += std::exchange(line, "   ") + "\n";
    line += " " + each + ",";
  }
  return text + line + "\n";
}

std::string limits_in_words(const Type& type) {
  const Schema& s = *type.schema;
  std::string words;
  auto say = [&](const std::string& text) {
    if (!words.empty()) words += "; ";
    words += text;
  };
  auto range = [&](const auto& low, const auto& high, std::string unit, auto text) {
    // The unit is singular in "at most 1 item", but plural in "0 to 1 items".
    bool one = !unit.empty() && ((low && text(*low) == "1" && (!high || text(*high) == "1")) ||
                                 (!low && high && text(*high) == "1"));
    if (one) unit.pop_back();
    if (low && high && text(*low) == text(*high))
      say(text(*low) + unit);
    else if (low && high)
      say(text(*low) + " to " + text(*high) + unit);
    else if (low)
      say("at least " + text(*low) + unit);
    else if (high)
      say("at most " + text(*high) + unit);
  };
  auto count = [](std::uint64_t n) { return std::to_string(n); };
  auto number = [](const Number& n) { return n.canonical; };
  range(s.min_length, s.max_length, " characters", count);
  range(s.minimum, s.maximum, "", number);
  if (s.exclusive_minimum) say("above " + s.exclusive_minimum->canonical);
  if (s.exclusive_maximum) say("below " + s.exclusive_maximum->canonical);
  for (const Number& each : s.divisors) say("a multiple of " + each.canonical);
  range(s.min_items, s.max_items, " items", count);
  if (s.unique_items) say("no two alike");
  range(s.min_properties, s.max_properties, " members", count);
  for (const std::string& each : s.patterns) say("`" + each + "`");
  if (!s.format.empty()) say(s.format);
  if (s.values && type.form != Form::enumeration) {
    std::string list;
    for (const Constant& each : *s.values) {
      if (&each != &s.values->front()) list += &each == &s.values->back() ? " or " : ", ";
      list += each.canonical;
    }
    say(list);
  }
  if (type.form == Form::raw && s.kinds == kinds::object && !type.checked_by_plan) say("any object");
  // A struct has these constraints in the comment above it.
  if (type.form != Form::structure && type.form != Form::nullable)
    for (const std::string& each : validator_constraints_in_words(type)) say(each);
  return words;
}

namespace {

std::string in_json(const json::Node* node) {
  constexpr std::size_t shown_max = 160;
  std::string text;
  if (!node) return text;
  json::Writer writer(text);
  json::write(writer, *node);
  if (text.size() <= shown_max) return text;
  return std::string(utf8_head(text, shown_max)) + "…";
}

void describe_validator_constraint(const Schema& s, const ValidatorConstraint& each,
                                   std::vector<std::string>& words) {
  const std::string text = in_json(each.node);
  const auto inner = [&](const json::Node* node) { return node ? in_json(node) : std::string("true"); };
  const bool refused = each.node && each.node->is(json::Kind::boolean) && !each.node->boolean;
  if (each.keyword == "not") words.push_back("does not fit " + text);
  if (each.keyword == "contains") {
    const ValidatorConstraint* least = find_validator_constraint(s, "minContains");
    const ValidatorConstraint* most = find_validator_constraint(s, "maxContains");
    words.push_back("at least " + (least ? in_json(least->node) : "1") +
                    (most ? " and at most " + in_json(most->node) : "") + " of its items fit " + text);
  }
  if (each.keyword == "propertyNames") words.push_back("the names of its members fit " + text);
  if (each.keyword == "prefixItems") words.push_back("its first items fit, in this order, " + text);
  if (each.keyword == "unevaluatedItems")
    words.push_back(refused ? "no other items" : "its other items fit " + text);
  if (each.keyword == "unevaluatedProperties")
    words.push_back(refused ? "no other members" : "its other members fit " + text);
  if (each.keyword == "anyOf") words.push_back("fits one or more of " + text);
  if (each.keyword == "oneOf") words.push_back("fits exactly one of " + text);
  if (each.keyword == "$dynamicRef") words.push_back("fits what " + text + " means where it is used");
  for (const auto& [name, schema] : each.schemas) {
    if (each.keyword == "patternProperties")
      words.push_back("members whose names match " + name + " fit " + inner(schema->node));
    if (each.keyword == "dependentSchemas") words.push_back("with " + name + ", fits " + inner(schema->node));
  }
}

}  // namespace

std::vector<std::string> validator_constraints_in_words(const Type& type) {
  std::vector<std::string> words;
  const Schema& s = *type.schema;
  if (!type.checked_by_plan) return words;
  for (const ValidatorConstraint& each : s.validator_constraints)
    describe_validator_constraint(s, each, words);
  if (type.form != Type::Form::variant && type.form != Type::Form::nullable && !s.alternatives.empty() &&
      s.node)
    describe_validator_constraint(
        s, {.keyword = s.alternatives_keyword, .node = s.node->find(s.alternatives_keyword)}, words);
  if (type.form == Type::Form::structure && (s.min_properties || s.max_properties)) {
    if (s.min_properties) words.push_back("at least " + std::to_string(*s.min_properties) + " members");
    if (s.max_properties) words.push_back("at most " + std::to_string(*s.max_properties) + " members");
  }
  for (const Conditional& each : s.conditionals) {
    std::string sentence = "if it fits " + in_json(each.when->node);
    if (each.then) sentence += ", it fits " + in_json(each.then->node);
    if (each.otherwise)
      sentence += (each.then ? "; else " : ", anything; else ") + in_json(each.otherwise->node);
    words.push_back(sentence);
  }
  return words;
}

std::set<std::string> system_headers(std::string_view code) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 10> needs = {
      {{"std::int64_t", "cstdint"},
       {"std::uint64_t", "cstdint"},
       {"std::uint8_t", "cstdint"},
       {"std::uint16_t", "cstdint"},
       {"std::optional<", "optional"},
       {"std::vector<", "vector"},
       {"std::map<", "map"},
       {"std::variant<", "variant"},
       {"std::string_view", "string_view"},
       {"std::size", "iterator"}}};
  std::set<std::string> found;
  for (const auto& [token, header] : needs) {
    for (std::size_t at = code.find(token); at != std::string_view::npos; at = code.find(token, at + 1)) {
      char next = at + token.size() < code.size() ? code[at + token.size()] : ' ';
      if (token == "std::size" && next != '(') continue;
      found.emplace(header);
      break;
    }
  }
  for (std::size_t at = code.find("std::string"); at != std::string_view::npos;
       at = code.find("std::string", at + 1)) {
    std::string_view rest = code.substr(at + 11);
    if (!rest.starts_with("_view")) found.emplace("string");
  }
  return found;
}

}  // namespace snapgen::codegen
