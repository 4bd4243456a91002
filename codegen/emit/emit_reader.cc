#include "codegen/emit/emit_reader.h"

#include <algorithm>

#include "codegen/front/name.h"
#include "codegen/model/cpp.h"
#include "codegen/model/integer.h"

namespace snapgen::codegen {
namespace {

using Form = Type::Form;

// Returns whether json::read() alone checks everything in the schema.
bool plain(const Type& type) {
  if (type.declared) return type.is_class();
  const Schema& s = *type.schema;
  switch (type.form) {
    case Form::boolean: return !s.values;
    case Form::integer:
    case Form::number:
      return !s.values && !s.minimum && !s.maximum && !s.exclusive_minimum && !s.exclusive_maximum &&
             s.divisors.empty();
    case Form::string: return !s.min_length && !s.max_length && s.patterns.empty() && !s.format_asserted;
    case Form::raw: return !s.kinds_given || type.checked_by_plan;
    case Form::array: return !s.min_items && !s.max_items && !s.unique_items && plain(*type.item);
    case Form::map: return !s.min_properties && !s.max_properties && plain(*type.item);
    case Form::nullable: return plain(*type.item);
    default: return false;
  }
}

std::string kind_cases(Kinds set) {
  std::string cases;
  auto add = [&](Kinds bits, const char* name) {
    if (set & bits) cases += std::string(cases.empty() ? "" : " ") + "case json::Kind::" + name + ":";
  };
  add(kinds::object, "object");
  add(kinds::array, "array");
  add(kinds::string, "string");
  add(kinds::number, "number");
  add(kinds::boolean, "boolean");
  add(kinds::null, "null");
  return cases;
}

std::string limit(const std::optional<std::uint64_t>& value, const char* none) {
  return value ? std::to_string(*value) : none;
}

std::string strings(const std::vector<std::string>& all) {
  std::string list;
  for (const std::string& each : all) list += (list.empty() ? "" : ", ") + string_literal(each);
  return list;
}

}  // namespace

std::string names_array(std::string head, const std::vector<std::string>& names, const std::string& indent) {
  std::string text = std::move(head);
  std::size_t line = text.size();
  for (const std::string& each : names) {
    std::string item = string_literal(each);
    bool first = &each == &names.front();
    if (!first && line + item.size() + 4 > column_max) {
      text += ",\n" + indent + "    ";
      line = indent.size() + 4;
    } else if (!first) {
      text += ", ";
      line += 2;
    }
    text += item;
    line += item.size();
  }
  return text + "};\n";
}

std::string texts_name(const Type& type) { return function_name(type) + "_texts"; }

std::string ReaderEmitter::definition(const Type& type) {
  const std::optional<std::uint32_t> root = plan_ ? plan_->root_of(type) : std::nullopt;
  if (!root) return read_function(type);
  // The struct is read by a separate function, which may return early, before the plan is checked.
  const std::string text = read_function(type);
  const std::string name = type.is_class() ? "read" : "read_" + function_name(type);
  const std::string shape = unique_name("read_" + function_name(type) + "_shape", function_names_);
  const std::string head = "void " + name + "(json::Reader& in, " + type.name + "& out) {\n";
  const std::string inner = "void " + shape + "(json::Reader& in, " + type.name + "& out) {\n";
  return "namespace {\n\n" + inner + text.substr(head.size()) + "}  // namespace\n\n" + head +
         "  const json::PlanCheck plan_check(in);\n  " + shape +
         "(in, out);\n  plan_check.run(::snapgen::" + plan_name_ + ", " + std::to_string(*root) + ");\n}\n\n";
}

std::string ReaderEmitter::read_function(const Type& type) {
  std::string head = "void read(json::Reader& in, " + type.name + "& out) {\n";
  if (type.form == Form::enumeration) return head + enumeration(type) + "}\n\n";
  if (type.form == Form::structure) return head + structure(type) + "}\n\n";
  std::string name = function_name(type);
  if (!type.is_wrapped)
    return "void read_" + name + "(json::Reader& in, " + type.name + "& out) {\n" + body(type, name) +
           "}\n\n";
  Type inner;
  inner.form = type.form;
  inner.schema = type.schema;
  inner.item = type.item;
  inner.item_boxed = type.item_boxed;
  inner.alternatives = type.alternatives;
  inner.checked_by_plan = type.checked_by_plan;
  inner.is_unsigned = type.is_unsigned;
  std::string spelled = cpp_type(inner, namespace_);
  helpers_ +=
      "void read_" + name + "_value(json::Reader& in, " + spelled + "& out) {\n" + body(type, name) + "}\n\n";
  return head + "  read_" + name + "_value(in, out.value);\n}\n\n";
}

std::string ReaderEmitter::enumeration(const Type& type) {
  std::string texts = texts_name(type);
  return "  std::size_t at = in.offset();\n  std::string_view found;\n  if (!in.string(found)) return;\n"
         "  for (std::size_t i = 0; i < std::size(" +
         texts + "); ++i) {\n    if (found != " + texts +
         "[i]) continue;\n"
         "    out = static_cast<" +
         type.name +
         ">(i);\n    return;\n  }\n"
         "  in.report_not_in_enum(at, found, " +
         texts + ", std::size(" + texts + "));\n";
}

std::string ReaderEmitter::statement(const Type& type, const std::string& target, const std::string& name) {
  if (plain(type)) return "read(in, " + target + ")";
  if (type.declared) {
    std::string space = type.file->name_space == namespace_ ? "" : "::" + type.file->name_space + "::";
    return space + "read_" + function_name(type) + "(in, " + target + ")";
  }
  return helper(type, name) + "(in, " + target + ")";
}

std::string ReaderEmitter::helper(const Type& type, const std::string& name) {
  if (auto found = made_helpers_.find(&type); found != made_helpers_.end()) return found->second;
  std::string function = unique_name("read_" + name, function_names_);
  made_helpers_[&type] = function;
  std::string text = "void " + function + "(json::Reader& in, " + cpp_type(type, namespace_) + "& out) {\n" +
                     body(type, name) + "}\n\n";
  helpers_ += text;
  return function;
}

std::string ReaderEmitter::body(const Type& type, const std::string& name) {
  const Schema& s = *type.schema;
  switch (type.form) {
    case Form::array: return array(type, name);
    case Form::map: return map(type, name);
    case Form::variant: return choice(type, *type.choice, name, "  ", false);
    case Form::nullable:
      return "  if (in.peek() == json::Kind::null) {\n    in.null();\n    out.reset();\n    return;\n  }\n "
             " " +
             statement(*type.item, "json::ensure_value(out)", name + "_value") + ";\n";
    case Form::raw: {
      std::string text;
      if (type.checked_by_plan) return "  read(in, out);\n";
      bool one_kind = s.kinds_given && !s.values;
      if (one_kind) {
        const char* kind = s.kinds == kinds::object ? "object" : "null";
        text += std::string("  if (in.peek() != json::Kind::") + kind + ") return in.report_wrong_type(\"" +
                codegen::text(s.kinds) + "\");\n";
      }
      if (s.values)
        return text + "  std::size_t at = in.offset();\n  if (!read(in, out)) return;\n" + limits(type);
      return text + "  read(in, out);\n";
    }
    default: break;
  }
  std::string checks = limits(type);
  if (checks.empty()) return "  read(in, out);\n";
  return "  std::size_t at = in.offset();\n  if (!read(in, out)) return;\n" + checks;
}

std::string ReaderEmitter::limits(const Type& type) const {
  const Schema& s = *type.schema;
  std::string text;
  auto check = [&](const std::string& what, const std::string& arguments) {
    text += "  json::check_" + what + "(in, at, " + arguments + ");\n";
  };
  if (s.values) {
    std::string list;
    for (const Constant& each : *s.values) {
      std::optional<std::string> value =
          type.form == Form::raw ? string_literal(each.canonical) : value_expression(type, each, namespace_);
      list += (list.empty() ? "" : ", ") + value.value_or("");
    }
    if (type.form != Form::boolean)
      check("one_of", "out, {" + list + "}");
    else if (s.values->size() == 1)
      check("one_of", "out, " + list);
  }
  if (type.form == Form::string) {
    if (s.min_length || s.max_length)
      check("length", "out, " + limit(s.min_length, "0") + ", " + limit(s.max_length, "json::unlimited"));
    for (std::size_t i = 0; i < s.patterns.size(); ++i) {
      std::string name = i ? "pattern_" + std::to_string(i + 1) : "pattern";
      text += "  static const json::Pattern " + name + "(" + raw_literal(s.patterns[i]) + ");\n";
      check("pattern", "out, " + name);
    }
    if (s.format_asserted) {
      std::string name = member_name(s.format);
      check("format", "out, json::Format::" + name);
    }
  }
  if (type.form == Form::integer) {
    const IntegerRange range = integer_range(s);
    if (!range.minimum.empty()) check("minimum", "out, " + range.minimum);
    if (!range.maximum.empty()) check("maximum", "out, " + range.maximum);
    for (const Number& each : s.divisors) {
      if (const auto divisor = integer_literal(each.text, type.is_unsigned))
        check("multiple_of", "out, " + *divisor);
      else
        check("multiple_of", string_literal(each.canonical));
    }
  }
  if (type.form == Form::number) {
    if (s.minimum) check("minimum", "out, " + double_literal(s.minimum->value));
    if (s.maximum) check("maximum", "out, " + double_literal(s.maximum->value));
    if (s.exclusive_minimum) check("exclusive_minimum", "out, " + double_literal(s.exclusive_minimum->value));
    if (s.exclusive_maximum) check("exclusive_maximum", "out, " + double_literal(s.exclusive_maximum->value));
    for (const Number& each : s.divisors) check("multiple_of", string_literal(each.canonical));
  }
  if (type.form == Form::array) {
    if (s.min_items || s.max_items)
      check("items", "out.size(), " + limit(s.min_items, "0") + ", " + limit(s.max_items, "json::unlimited"));
    if (s.unique_items) check("unique", "out");
  }
  if (type.form == Form::map && (s.min_properties || s.max_properties))
    check("properties",
          "out.size(), " + limit(s.min_properties, "0") + ", " + limit(s.max_properties, "json::unlimited"));
  return text;
}

std::string ReaderEmitter::array(const Type& type, const std::string& name) {
  std::string checks = limits(type);
  std::string text = checks.empty() ? "" : "  std::size_t at = in.offset();\n";
  if (plain(*type.item))
    return text + (checks.empty() ? "  read(in, out);\n" : "  if (!read(in, out)) return;\n") + checks;
  std::string item = statement(*type.item, "out[count]", name + "_item");
  text += "  if (!in.begin_array()) return;\n  std::size_t count = 0;\n  while (in.next_element()) {\n";
  if (type.item->form == Form::boolean) {
    // An element of std::vector<bool> cannot be bound to bool&, so it is read into a variable.
    text += "    bool value = false;\n    " + statement(*type.item, "value", name + "_item") +
            ";\n    out.resize(++count);\n    out[count - 1] = value;\n";
  } else {
    text += "    if (count == out.size()) out.emplace_back();\n    " + item + ";\n    ++count;\n";
  }
  return text + "  }\n  out.resize(count);\n" + checks;
}

std::string ReaderEmitter::map(const Type& type, const std::string& name) {
  std::string checks = limits(type);
  std::string text = checks.empty() ? "" : "  std::size_t at = in.offset();\n";
  if (plain(*type.item))
    return text + (checks.empty() ? "  read(in, out);\n" : "  if (!read(in, out)) return;\n") + checks;
  text +=
      "  if (!in.begin_object()) return;\n  out.clear();\n  std::string_view key;\n  while "
      "(in.next_key(key)) {\n";
  text += "    const auto [place, is_new] = out.try_emplace(std::string(key));\n";
  text += "    if (is_new) " + statement(*type.item, "place->second", name + "_value") +
          ";\n    else in.report_duplicate_key(key);\n  }\n";
  return text + checks;
}

std::string ReaderEmitter::leaf(const Type& type, std::size_t alternative, const std::string& name) {
  const Alternative& each = type.alternatives[alternative];
  std::string cpp = cpp_type(*each.type, namespace_, each.boxed);
  auto same = [&](const Alternative& other) { return cpp_type(*other.type, namespace_, other.boxed) == cpp; };
  bool unique = std::ranges::count_if(type.alternatives, same) == 1;
  std::string target = "out.emplace<" + (unique ? cpp : std::to_string(alternative)) + ">()";
  return statement(*each.type, target, name + "_" + std::to_string(alternative + 1)) + ";";
}

std::string ReaderEmitter::choice(const Type& type, const DecisionTree& choice, const std::string& name,
                                  const std::string& indent, bool is_object) {
  const std::string more = indent + "  ";
  auto next = [&](const DecisionTree::Case& one, const std::string& at) {
    if (one.next->decided_by == DecisionTree::By::decided)
      return at + leaf(type, one.next->alternative, name) + "\n";
    bool below_object =
        is_object || one.kinds == kinds::object || choice.decided_by != DecisionTree::By::kind;
    return this->choice(type, *one.next, name, at, below_object);
  };
  const std::string keyword = type.schema->alternatives_keyword;
  const std::string must_be_object =
      is_object
          ? ""
          : indent + "if (in.peek() != json::Kind::object) return in.report_wrong_type(\"an object\");\n";
  switch (choice.decided_by) {
    case DecisionTree::By::decided: return indent + leaf(type, choice.alternative, name) + "\n";
    case DecisionTree::By::kind: {
      Kinds all = 0;
      std::string text = indent + "switch (in.peek()) {\n";
      for (const DecisionTree::Case& one : choice.cases) {
        all = static_cast<Kinds>(all | one.kinds);
        // The code of a nested test declares a variable, so it needs a scope.
        bool scope = one.next->decided_by != DecisionTree::By::decided;
        text += more + kind_cases(one.kinds) + (scope ? " {\n" : "\n") + next(one, more + "  ") + more +
                "  return;\n" + (scope ? more + "}\n" : "");
      }
      return text + more + "default: in.report_wrong_type(" + string_literal(codegen::text(all)) + ");\n" +
             indent + "}\n";
    }
    case DecisionTree::By::tag: {
      bool strings_alone = true;
      for (const DecisionTree::Case& one : choice.cases)
        for (const Constant& value : one.values)
          strings_alone = strings_alone && value.kind == json::Kind::string;
      // The variable of a nested tag must not shadow that of the outer one.
      std::string tag = indent.size() == 2 ? "tag" : "tag_" + std::to_string(indent.size() / 2);
      std::string text = must_be_object;
      text += indent + "std::string " + tag + ";\n" + indent + "if (" +
              (strings_alone ? "in.peek_member(" : "json::peek_member_value(in, ") +
              string_literal(choice.key) + ", " + tag + ")) {\n";
      std::vector<std::string> allowed;
      std::string otherwise;
      for (const DecisionTree::Case& one : choice.cases) {
        if (one.values.empty()) {
          otherwise = next(one, more);
          continue;
        }
        std::string condition;
        for (const Constant& value : one.values) {
          condition += (condition.empty() ? "" : " || ") +
                       (tag + " == " + string_literal(strings_alone ? value.string : value.canonical));
          allowed.push_back(value.canonical);
        }
        text += more + "if (" + condition + ") {\n" + next(one, more + "  ") + more + "  return;\n" + more +
                "}\n";
      }
      std::string wrong = "json::report_wrong_tag(in, " + string_literal(keyword) + ", " +
                          string_literal(choice.key) + ", {" + strings(allowed) + "});\n";
      if (otherwise.empty()) return text + indent + "}\n" + indent + wrong;
      return text + more + wrong + indent + "} else {\n" + otherwise + indent + "}\n";
    }
    case DecisionTree::By::presence: {
      std::string text = must_be_object;
      text += indent + "if (json::has_member(in, " + string_literal(choice.key) + ")) {\n" +
              next(choice.cases[0], more);
      return text + indent + "} else {\n" + next(choice.cases[1], more) + indent + "}\n";
    }
  }
  return {};
}

}  // namespace snapgen::codegen
