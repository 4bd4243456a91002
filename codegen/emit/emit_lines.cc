// Emits lines.h and lines.cc: the lines that tools answer with, and the texts of snap_help.
#include <algorithm>
#include <set>

#include "codegen/front/name.h"
#include "codegen/lines/line_formats.h"
#include "codegen/model/cpp.h"

namespace snapgen::codegen {
namespace {

using FieldForm = WireField::Form;

std::string struct_name(const WireLine& line) { return type_name(line.name) + "Line"; }
std::string item_name(const WireLine& line, const WireField& field) {
  return type_name(line.name) + type_name_part(field.name) + "Item";
}
std::string choice_type(const WireChoice& choice) { return type_name(choice.name); }
std::string known_values(const WireChoice& choice) { return choice.name + "_values"; }
std::string field_member(const WireField& field) { return member_name(field.name); }

// Returns a literal with one line of code for each line of text.
std::string literal_of_lines(std::string_view text) {
  std::string code;
  while (!text.empty()) {
    const std::size_t size = std::min(text.find('\n'), text.size() - 1) + 1;
    code += (code.empty() ? "" : "\n           ") + string_literal(text.substr(0, size));
    text.remove_prefix(size);
  }
  return code.empty() ? "\"\"" : code;
}

// Returns the type of a field, without regard to optional and repeated.
std::string plain_type(const WireField& field) {
  switch (field.form) {
    case FieldForm::count: return "std::int64_t";
    case FieldForm::choice: return choice_type(*field.choice);
    case FieldForm::verbatim:
    case FieldForm::compressed:
    case FieldForm::object:
    case FieldForm::record: break;
  }
  return "std::string";
}

// Returns whether an optional field needs std::optional. A text does not, because it is empty if it is
// absent.
bool is_optional_value(const WireField& field) {
  return field.optional && (field.form == FieldForm::count || field.form == FieldForm::choice ||
                            field.form == FieldForm::record);
}

// Returns whether the parts of a record are members of a struct of their own, not of the line.
bool has_struct(const WireField& field) {
  return field.form == FieldForm::record && (field.repeated || field.optional);
}

// Returns the code for the value of an optional member that is present.
std::string present_value(const WireField& field, const std::string& value) {
  if (field.form == FieldForm::record) return "(*" + value + ")";
  return (is_optional_value(field) ? "*" : "") + value;
}

std::string initial_value(const WireField& field) {
  if (field.optional || field.repeated) return "";
  if (field.form == FieldForm::count) return " = 0";
  if (field.form == FieldForm::choice)
    return " = " + choice_type(*field.choice) + "::" + enumerator_name(field.choice->values.front().name);
  return "";
}

class WireEmitter {
 public:
  WireEmitter(const WireModel& wire, const std::string& schemas, const std::string& name_space)
      : wire_(wire), schemas_(schemas), namespace_(name_space + "::lines") {
    if (name_space != "snapgen" && !name_space.starts_with("snapgen::"))
      short_names_ =
          "namespace linefmt = snapgen::linefmt;\nusing snapgen::Error;\nusing snapgen::ErrorCode;\n"
          "using snapgen::Result;\nusing snapgen::Unit;\n\n";
  }

  std::string header() const {
    std::string text =
        "#pragma once\n" + generated_by_line() +
        "#include <cstdint>\n#include <optional>\n#include <string>\n#include <string_view>\n"
        "#include <utility>\n#include <variant>\n#include <vector>\n\n"
        "#include \"runtime/base/result.h\"\n#include \"runtime/linefmt/line.h\"\n\nnamespace " +
        namespace_ + " {\n\n" + short_names_;
    for (const auto& choice : wire_.choices) text += enumeration(*choice);
    for (const auto& line : wire_.lines) text += structure(*line);
    std::string names;
    for (const auto& line : wire_.lines) names += (names.empty() ? "" : ", ") + struct_name(*line);
    text += "using Line = std::variant<" + names + ">;\n\n";
    text += "std::string encode(const Line& line, linefmt::Mode mode);\n\n";
    text +=
        "// Decodes the line at the start of `text` and ignores a summary after it. Errors: "
        "invalid_argument, with\n"
        "// one sentence that names the wrong field.\n"
        "Result<Line> decode(std::string_view text, linefmt::Mode mode);\n\n";
    text +=
        "// The fields of a line for people: (name, value), in order. The first is the kind of the line.\n"
        "std::vector<std::pair<std::string, std::string>> fields(const Line& line);\n\n";
    text +=
        "// The text of snap_help about a topic; empty if there is no such topic.\nstd::string_view "
        "help(std::string_view topic);\n\n";
    return text + "}  // namespace " + namespace_ + "\n";
  }

  std::string source() const {
    std::string text = generated_by_line() + "#include \"" + schemas_ +
                       "/lines.h\"\n\n#include <iterator>\n\n" + "namespace " + namespace_ +
                       " {\n\nnamespace {\n\n";
    for (const auto& choice : wire_.choices) text += values(*choice);
    for (const auto& line : wire_.lines) text += decoder(*line) + shower(*line);
    text += "}  // namespace\n\n";
    for (const auto& choice : wire_.choices)
      text += "std::string_view text(" + choice_type(*choice) + " value) { return " + known_values(*choice) +
              "[static_cast<std::size_t>(value)]; }\n\n";
    for (const auto& line : wire_.lines) text += encoder(*line);
    return text + functions_of_all_lines() + help() + "}  // namespace " + namespace_ + "\n";
  }

 private:
  std::string generated_by_line() const {
    return "// Generated by snapgen from " + schemas_ + ". Do not edit.\n";
  }

  static std::string enumeration(const WireChoice& choice) {
    std::string text = "enum class " + choice_type(choice) + " : std::uint8_t {\n";
    for (const WireChoiceValue& each : choice.values) {
      const std::string note = each.description.empty() ? each.value : each.value + ": " + each.description;
      text += (note == each.name ? "" : comment_lines(note, 2)) + "  " + enumerator_name(each.name) + ",\n";
    }
    return text + "};\n// The value as lines spell it.\nstd::string_view text(" + choice_type(choice) +
           " value);\n\n";
  }

  static std::string members(const std::vector<WireField>& fields, const WireLine& line) {
    std::string text;
    for (const WireField& field : fields) {
      text += comment_lines(field.description, 2);
      std::string type = has_struct(field) ? item_name(line, field) : plain_type(field);
      if (field.form == FieldForm::record && !has_struct(field)) {
        // The parts of the record become members of the line.
        text += members(field.parts, line);
        continue;
      }
      if (is_optional_value(field)) type = "std::optional<" + type + ">";
      if (field.repeated) type = "std::vector<" + type + ">";
      text += "  " + type + " " + field_member(field) + initial_value(field) + ";\n";
    }
    return text;
  }

  static std::string structure(const WireLine& line) {
    std::string text;
    for (const WireField& field : line.fields) {
      if (!has_struct(field)) continue;
      const std::string name = item_name(line, field);
      text += "struct " + name + " {\n" + members(field.parts, line) + "\n  friend bool operator==(const " +
              name + "&, const " + name + "&) = default;\n};\n\n";
    }
    std::string tools = line.tool->name;
    for (const ToolFile* each : line.also_of) tools += ", " + each->name;
    text += comment_lines(line.code + ": " + line.title + (line.when.empty() ? "" : " (" + line.when + ")") +
                              ". Returned by " + tools + ".",
                          0);
    const std::string name = struct_name(line);
    text += "struct " + name + " {\n" + members(line.fields, line);
    text += "\n  friend bool operator==(const " + name + "&, const " + name + "&) = default;\n};\n";
    return text + "std::string encode(const " + name + "& line, linefmt::Mode mode);\n\n";
  }

  static std::string values(const WireChoice& choice) {
    std::string text = "constexpr std::string_view " + known_values(choice) + "[] = {\n";
    for (const WireChoiceValue& each : choice.values) text += "    " + string_literal(each.value) + ",\n";
    return text + "};\n\n";
  }

  // ---- Functions that write a line

  static std::string write_part(const WireField& field, const std::string& value,
                                const std::string& separator) {
    switch (field.form) {
      case FieldForm::verbatim:
        return "out.write_verbatim(" + value + (separator.empty() ? "" : ", " + string_literal(separator)) +
               ");\n";
      case FieldForm::compressed: return "out.write_compressed(" + value + ");\n";
      case FieldForm::count:
        return "out.write_count(" + string_literal(field.sign) + ", " + value + ", " +
               string_literal(field.unit) + ");\n";
      case FieldForm::choice: return "out.write_text(text(" + value + "));\n";
      case FieldForm::object: return "out.write_text(" + value + ");\n";
      case FieldForm::record: break;
    }
    return "";
  }

  static std::string write_parts(const WireField& field, const std::string& owner,
                                 const std::string& indent) {
    if (field.form != FieldForm::record) return indent + write_part(field, owner, "");
    std::string text;
    for (const WireField& part : field.parts) {
      if (&part != &field.parts.front() && !field.separator.empty())
        text += indent + "out.write_text(" + string_literal(field.separator) + ");\n";
      text += indent + write_part(part, owner + "." + field_member(part), field.separator);
    }
    return text;
  }

  static std::string encoder(const WireLine& line) {
    std::string text = "std::string encode(const " + struct_name(line) +
                       "& line, linefmt::Mode mode) {\n  linefmt::LineWriter out(" +
                       string_literal(line.code) + ", mode);\n";
    for (const WireField& field : line.fields) {
      const std::string begin = "out.begin_field(" + string_literal(field.labeled ? field.name : "") + ");\n";
      const std::string value = "line." + field_member(field);
      if (field.repeated) {
        text += "  for (const auto& each : " + value + ") {\n    " + begin +
                write_parts(field, "each", "    ") + "  }\n";
      } else if (field.optional) {
        text += "  if (" + (is_optional_value(field) ? value : "!" + value + ".empty()") + ") {\n    " +
                begin + write_parts(field, present_value(field, value), "    ") +
                "  } else {\n    out.write_absent_field();\n  }\n";
      } else {
        text += "  " + begin + write_parts(field, field.form == FieldForm::record ? "line" : value, "  ");
      }
    }
    return text + "  return out.take();\n}\n\n";
  }

  // ---- Functions that read a line

  static std::string read_part(const WireField& field, const std::string& until) {
    const std::string end = until.empty() ? "" : string_literal(until);
    switch (field.form) {
      case FieldForm::verbatim: return "in.read_verbatim(" + end + ")";
      case FieldForm::compressed: return "in.read_compressed()";
      case FieldForm::count:
        return "in.read_count(" + string_literal(field.sign) + ", " + string_literal(field.unit) + ")";
      case FieldForm::choice: {
        const std::string known = known_values(*field.choice);
        return "static_cast<" + choice_type(*field.choice) + ">(in.read_choice(" + known + ", std::size(" +
               known + ")" + (end.empty() ? "" : ", " + end) + "))";
      }
      case FieldForm::object: return "in.read_object()";
      case FieldForm::record: break;
    }
    return "";
  }

  static std::string read_parts(const WireField& field, const std::string& owner, const std::string& indent) {
    if (field.form != FieldForm::record) return indent + owner + " = " + read_part(field, "") + ";\n";
    std::string text;
    for (const WireField& part : field.parts) {
      if (&part != &field.parts.front() && !field.separator.empty())
        text += indent + "in.skip_separator(" + string_literal(field.separator) + ");\n";
      const bool last = &part == &field.parts.back();
      text += indent + owner + "." + field_member(part) + " = " +
              read_part(part, last ? "" : field.separator) + ";\n";
    }
    return text;
  }

  static std::string decoder(const WireLine& line) {
    const std::string name = struct_name(line);
    std::string text = "Result<Line> decode_" + line.name +
                       "(std::string_view text, linefmt::Mode mode) {\n  " + name +
                       " line;\n  linefmt::LineReader in(text, " + string_literal(line.code) + ", mode);\n";
    for (const WireField& field : line.fields) {
      const std::string label = string_literal(field.labeled ? field.name : "");
      const std::string value = "line." + field_member(field);
      if (field.repeated) {
        text += "  while (in.has_more_fields()) {\n    in.begin_field(" + label +
                ");\n    auto& each = " + value + ".emplace_back();\n" + read_parts(field, "each", "    ") +
                "  }\n";
      } else if (field.form == FieldForm::object) {
        text += "  if (in.begin_rest_field(" + std::string(field.optional ? "true" : "false") + ")) " +
                value + " = in.read_object();\n";
      } else {
        const std::string owner = has_struct(field)                 ? "record"
                                  : field.form == FieldForm::record ? "line"
                                                                    : value;
        text += "  if (in.begin_field(" + label + (field.optional ? ", true" : "") + ")) {\n" +
                (has_struct(field) ? "    auto& record = " + value + ".emplace();\n" : "") +
                read_parts(field, owner, "    ") + "  }\n";
      }
    }
    return text +
           "  Result<Unit> ended = in.end();\n  if (!ended) return std::move(ended).error();\n  return "
           "Line(std::move(line));\n}\n\n";
  }

  // ---- Functions that display a line

  static std::string shown(const WireField& field, const std::string& value) {
    if (field.form == FieldForm::count) return "std::to_string(" + value + ")";
    if (field.form == FieldForm::choice) return "std::string(text(" + value + "))";
    return value;
  }

  static std::string show_parts(const WireField& field, const std::string& owner, const std::string& indent) {
    if (field.form != FieldForm::record)
      return indent + "out.emplace_back(" + string_literal(field.name) + ", " + shown(field, owner) + ");\n";
    std::string text;
    for (const WireField& part : field.parts)
      text += indent + "out.emplace_back(" + string_literal(part.name) + ", " +
              shown(part, owner + "." + field_member(part)) + ");\n";
    return text;
  }

  static std::string shower(const WireLine& line) {
    std::string text =
        "void show(const " + struct_name(line) +
        "& line, std::vector<std::pair<std::string, std::string>>& out) {\n  out.emplace_back(" +
        string_literal(line.code) + ", " + string_literal(line.title) + ");\n";
    for (const WireField& field : line.fields) {
      const std::string value = "line." + field_member(field);
      if (field.repeated)
        text += "  for (const auto& each : " + value + ") {\n" + show_parts(field, "each", "    ") + "  }\n";
      else if (field.optional)
        text += "  if (" + (is_optional_value(field) ? value : "!" + value + ".empty()") +
                (has_struct(field) ? ") {\n" : ")\n") +
                show_parts(field, present_value(field, value), "    ") + (has_struct(field) ? "  }\n" : "");
      else
        text += show_parts(field, field.form == FieldForm::record ? "line" : value, "  ");
    }
    return text + "}\n\n";
  }

  // ---- Functions for all lines

  std::string functions_of_all_lines() const {
    std::string text =
        "std::string encode(const Line& line, linefmt::Mode mode) {\n  return std::visit([&](const auto& "
        "each) "
        "{ return "
        "encode(each, mode); }, line);\n}\n\n"
        "std::vector<std::pair<std::string, std::string>> fields(const Line& line) {\n"
        "  std::vector<std::pair<std::string, std::string>> out;\n"
        "  std::visit([&](const auto& each) { show(each, out); }, line);\n  return out;\n}\n\n"
        "Result<Line> decode(std::string_view text, linefmt::Mode mode) {\n"
        "  const std::string_view code = linefmt::LineReader::code_of(text);\n";
    std::set<std::string> done;
    for (const auto& line : wire_.lines) {
      if (!done.insert(line->code).second) continue;
      const WireLine* other = nullptr;
      for (const auto& each : wire_.lines)
        if (each->code == line->code && each != line) other = each.get();
      text += "  if (code == " + string_literal(line->code) + ") ";
      if (!other) {
        text += "return decode_" + line->name + "(text, mode);\n";
        continue;
      }
      // Two lines may have this code. If neither can be decoded, the error is that of the second.
      text += "{\n    Result<Line> line = decode_" + line->name +
              "(text, mode);\n    return line ? line : decode_" + other->name + "(text, mode);\n  }\n";
    }
    return text +
           "  return Error(ErrorCode::invalid_argument,\n               code.empty() ? \"The text is "
           "not a line: "
           "it must begin with \" + std::string(linefmt::line_prefix) + \"|CODE|.\"\n                        "
           "    : "
           "\"There "
           "is "
           "no "
           "line with the code \" + std::string(code.substr(0, 8)) + \".\");\n}\n\n";
  }

  std::string help() const {
    std::string text = "std::string_view help(std::string_view topic) {\n";
    for (const auto& [topic, words] : wire_help(wire_))
      text += "  if (topic == " + string_literal(topic) + ")\n    return " + literal_of_lines(words) + ";\n";
    return text + "  return {};\n}\n\n";
  }

  const WireModel& wire_;
  const std::string& schemas_;
  std::string namespace_;
  std::string short_names_;
};

}  // namespace

std::string emit_wire_header(const WireModel& wire, const std::string& schemas,
                             const std::string& name_space) {
  return WireEmitter(wire, schemas, name_space).header();
}

std::string emit_wire_source(const WireModel& wire, const std::string& schemas,
                             const std::string& name_space) {
  return WireEmitter(wire, schemas, name_space).source();
}

}  // namespace snapgen::codegen
