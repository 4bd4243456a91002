// Emits readers of structs: members by name, missing members, and conditions.
#include <algorithm>
#include <map>

#include "codegen/emit/emit_reader.h"
#include "codegen/model/cpp.h"
#include "codegen/model/rules.h"

namespace snapgen::codegen {
namespace {

using Form = Type::Form;

std::string word_of(std::size_t index) {
  return index < 64 ? "seen" : "seen_" + std::to_string(index / 64 + 1);
}
std::string bit_of(const Field& field) { return "has_" + field.member; }
std::string seen_test(const Type& type, std::size_t index, bool there) {
  return "(" + word_of(index) + " & " + bit_of(type.fields[index]) + ") " + (there ? "!= 0" : "== 0");
}

}  // namespace

std::string ReaderEmitter::structure(const Type& type) {
  std::string text;
  if (!type.open && !type.fields.empty() && !type.item) {
    std::vector<std::string> names;
    for (const Field& field : type.fields) names.push_back(field.key);
    text += names_array("  static constexpr std::string_view known[] = {", names, "  ");
  }
  for (std::size_t i = 0; i < type.fields.size(); ++i)
    text += "  constexpr std::uint64_t " + bit_of(type.fields[i]) + " = std::uint64_t{1} << " +
            std::to_string(i % 64) + ";\n";
  for (std::size_t i = 0; i < type.fields.size(); i += 64)
    text += "  std::uint64_t " + word_of(i) + " = 0;\n";
  bool needs_required =
      std::ranges::any_of(type.fields, [](const Field& f) { return f.presence == Presence::required; });
  const bool has_rules = !type.rules.empty() && !uses_plan(type);
  if (needs_required || has_rules) text += "  std::size_t at = in.offset();\n";
  if (has_rules) text += "  std::size_t before = in.violation_count();\n";
  text += "  if (!in.begin_object()) return;\n";
  if (type.item) text += "  out.additional.clear();\n";
  text += "  std::string_view key;\n  while (in.next_key(key)) {\n";
  std::map<std::size_t, std::vector<std::size_t>> sizes;
  for (std::size_t i = 0; i < type.fields.size(); ++i) sizes[type.fields[i].key.size()].push_back(i);
  if (type.open || type.item) {
    // Only an open object checks for forbidden members; a closed one rejects them as unknown members.
    for (const std::string& each : type.forbidden)
      text += "    if (key == " + string_literal(each) +
              ") {\n      in.report_unknown_key(key, nullptr, 0);\n      continue;\n    }\n";
  }
  if (!sizes.empty()) {
    text += "    switch (key.size()) {\n";
    for (const auto& [size, indexes] : sizes) {
      text += "      case " + std::to_string(size) + ":\n";
      for (std::size_t index : indexes) text += member(type, type.fields[index], index, "        ");
      text += "        break;\n";
    }
    text += "    }\n";
  }
  if (type.item) {
    text += "    const auto [place, is_new] = out.additional.try_emplace(std::string(key));\n";
    text += "    if (is_new) " + statement(*type.item, "place->second", function_name(type) + "_additional") +
            ";\n    else in.report_duplicate_key(key);\n";
  } else if (type.open) {
    text += "    in.skip();\n";
  } else if (type.fields.empty()) {
    text += "    in.report_unknown_key(key, nullptr, 0);\n";
  } else {
    text += "    in.report_unknown_key(key, known, std::size(known));\n";
  }
  text += "  }\n";
  bool stores = std::ranges::any_of(type.fields, [](const Field& f) { return f.is_stored(); });
  if (!stores && !type.item) text += "  static_cast<void>(out);\n";
  return text + absent(type) + rules(type);
}

std::string ReaderEmitter::member(const Type& type, const Field& field, std::size_t index,
                                  const std::string& indent) {
  std::string text = indent + "if (key == " + string_literal(field.key) + ") {\n";
  std::string condition = "json::mark_seen(in, key, " + word_of(index) + ", " + bit_of(field) + ")";
  std::string read = member_value(type, field);
  std::string line = indent + "  if (" + condition + ") " + read + "\n";
  bool one_line = read.find('\n') == std::string::npos && line.size() <= column_max + 1;
  if (one_line)
    text += line;
  else
    text += indent + "  if (" + condition + ") {\n" + indent + "    " + read + "\n" + indent + "  }\n";
  return text + indent + "  continue;\n" + indent + "}\n";
}

// Returns the statements that read the member's value.
std::string ReaderEmitter::member_value(const Type& owner, const Field& field) {
  const std::string target = "out." + field.member;
  if (field.constant) {
    bool string = field.constant->kind == json::Kind::string;
    std::string read =
        string ? "json::read_constant(in, " + string_literal(field.constant->string) + ");"
               : "json::read_constant_value(in, " + string_literal(field.constant->canonical) + ");";
    return field.is_stored() ? read + "\n            " + target + " = true;" : read;
  }
  const std::string name = function_name(owner) + "_" + field.member;
  const Type& type = *field.type;
  if (null_is_nullopt(field)) {
    std::string inner = statement(*type.item, target, name);
    if (inner.starts_with("read(in, ")) return "json::read_nullable(in, " + target + ");";
    return "if (in.peek() == json::Kind::null) {\n              in.null();\n              " + target +
           ".reset();\n            } else {\n              " +
           statement(*type.item, "json::ensure_value(" + target + ")", name) + ";\n            }";
  }
  std::string read = statement(type, target, name);
  // json::read() supports std::optional and json::Box. A function that was generated for the type does not.
  if (read.starts_with("read(in, ") || field.presence != Presence::optional) return read + ";";
  return statement(type, "json::ensure_value(" + target + ")", name) + ";";
}

std::string ReaderEmitter::absent(const Type& type) {
  std::string text;
  for (std::size_t i = 0; i < type.fields.size(); ++i) {
    const Field& field = type.fields[i];
    std::string condition = "  if (" + seen_test(type, i, false) + ") ";
    const std::string target = "out." + field.member;
    if (field.presence == Presence::required) {
      text += condition + "json::report_missing_member(in, at, " + string_literal(field.key) + ");\n";
    } else if (field.constant) {
      text += condition + target + " = false;\n";
    } else if (field.presence == Presence::optional) {
      text += condition + target + ".reset();\n";
    } else {
      const std::optional<Constant>& own = field.schema->annotations.default_value;
      const std::optional<Constant>& value = own ? own : resolved(*field.schema).annotations.default_value;
      std::optional<std::string> code =
          value ? value_expression(*field.type, *value, namespace_) : std::nullopt;
      if (code && *code == "{}" && (field.type->form == Form::array || field.type->form == Form::map))
        text += condition + target + ".clear();\n";
      else if (code && *code == "{}" && null_is_nullopt(field))
        text += condition + target + ".reset();\n";
      else if (code)
        text += condition + target + " = " + *code + ";\n";
    }
  }
  return text;
}

std::string ReaderEmitter::comparison(const Field& field, const Constant& value, bool equal) const {
  if (field.constant) return (*field.constant == value) == equal ? "true" : "false";
  const std::string target = "out." + field.member;
  bool optional = field.presence == Presence::optional;
  const std::string sign = equal ? " == " : " != ";
  const Type* type = field.type;
  if (type->form != Form::nullable)
    return (optional ? "*" : "") + target + sign + value_expression(*type, value, namespace_).value_or("{}");
  std::string read = optional ? "(*" + target + ")" : target;
  if (value.kind == json::Kind::null) return equal ? "!" + read : "bool(" + read + ")";
  std::string inner = value_expression(*type->item, value, namespace_).value_or("{}");
  return equal ? "(" + read + " && *" + read + " == " + inner + ")"
               : "(!" + read + " || *" + read + " != " + inner + ")";
}

// Returns a condition that is true if the test fails. `there` means that the member is known to exist.
std::string ReaderEmitter::fails_condition(const Type& type, const struct MemberTest& test,
                                           bool there) const {
  const Field& field = type.fields[test.field];
  if (test.kind != MemberTest::Kind::value)
    return seen_test(type, test.field, test.kind == MemberTest::Kind::absent);
  std::string all;
  for (const Constant& value : test.values)
    all += (all.empty() ? "" : " && ") + comparison(field, value, false);
  if (there || field.presence == Presence::required) return all;
  return seen_test(type, test.field, true) + " && " + all;
}

std::string ReaderEmitter::holds_condition(const Type& type, const struct MemberTest& test,
                                           bool there) const {
  const Field& field = type.fields[test.field];
  if (test.kind != MemberTest::Kind::value)
    return seen_test(type, test.field, test.kind == MemberTest::Kind::present);
  std::string any;
  for (const Constant& value : test.values)
    any += (any.empty() ? "" : " || ") + comparison(field, value, true);
  if (there || field.presence == Presence::required) return test.values.size() > 1 ? "(" + any + ")" : any;
  return "(" + seen_test(type, test.field, false) + " || " + any + ")";
}

std::string ReaderEmitter::rules(const Type& type) {
  if (type.rules.empty() || uses_plan(type)) return "";
  std::string text = "  if (in.violation_count() != before) return;\n";
  for (const Rule& rule : type.rules) {
    std::vector<bool> there(type.fields.size());
    for (const MemberTest& each : rule.when)
      there[each.field] = there[each.field] || each.kind == MemberTest::Kind::present;
    std::string condition;
    for (const MemberTest& each : rule.when) {
      // Omits tests that the schema or a test of the member's value already implies.
      bool required = type.fields[each.field].presence == Presence::required;
      bool is_met = each.kind == MemberTest::Kind::present && required;
      if (!is_met)
        condition += (condition.empty() ? "" : " && ") +
                     holds_condition(type, each, there[each.field] && each.kind == MemberTest::Kind::value);
    }
    if (condition.empty()) condition = "true";
    std::string when = tests_in_words(rule.when, type.fields);
    auto demands = [&](const std::vector<MemberTest>& tests, const std::string& words) {
      std::string lines;
      for (const MemberTest& each : tests) {
        std::string sentence = violation_sentence(each, type.fields) + (words.empty() ? "" : " " + words);
        std::string call = "in.report_violation(at, " + string_literal(rule.keyword) + ", " +
                           string_literal(sentence) + ");\n";
        std::string line = "    if (" + fails_condition(type, each, false) + ") " + call;
        lines += line.size() <= column_max + 1
                     ? line
                     : "    if (" + fails_condition(type, each, false) + ")\n      " + call;
      }
      return lines;
    };
    text += "  if (" + condition + ") {\n" + demands(rule.then, when.empty() ? "" : "when " + when) + "  }";
    if (!rule.otherwise.empty()) text += " else {\n" + demands(rule.otherwise, "unless " + when) + "  }";
    text += "\n";
  }
  return text;
}

}  // namespace snapgen::codegen
