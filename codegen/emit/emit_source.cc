// Emits schemas/substrate/snapshot_create.cc: the readers and writers of one schema file.
#include <algorithm>

#include "codegen/emit/emit.h"
#include "codegen/emit/emit_reader.h"
#include "codegen/front/name.h"
#include "codegen/model/client_form.h"
#include "codegen/model/cpp.h"

namespace snapgen::codegen {
namespace {

using Form = Type::Form;

std::string text_function(const Type& type) {
  return "std::string_view text(" + type.name + " value) { return " + texts_name(type) +
         "[static_cast<std::size_t>(value)]; }\n\n";
}

std::string texts(const Type& type) {
  std::vector<std::string> names;
  for (const Enumerator& each : type.enumerators) names.push_back(each.text);
  return names_array("constexpr std::string_view " + texts_name(type) + "[] = {", names, "");
}

// Returns an expression that writes `value`.
std::string write_value(const Type& type, const std::string& value) {
  if (!type.declared || !type.is_class()) {
    switch (type.form) {
      case Form::boolean: return "out.boolean(" + value + ")";
      case Form::integer: return (type.is_unsigned ? "out.unsigned_integer(" : "out.integer(") + value + ")";
      case Form::number: return "out.number(" + value + ")";
      case Form::string: return "out.string(" + value + ")";
      default: break;
    }
  }
  return "write(out, " + value + ")";
}

class StructWriter {
 public:
  // `omits_defaults`: as write_call() in the generated header says.
  explicit StructWriter(const Type& type, bool omits_defaults = false)
      : type_(type), omits_defaults_(omits_defaults) {
    for (const Field& field : type.fields) sorted_.push_back(&field);
    std::ranges::sort(sorted_, [](const Field* a, const Field* b) { return a->key < b->key; });
  }

  std::string run() {
    if (sorted_.empty() && !type_.item) return "  static_cast<void>(value);\n  out.text(\"{}\");\n";
    // If no member is certain to be written first, the code writes each one with a leading comma, and later
    // replaces the first comma by the brace.
    bool patched = type_.item || !sure(*sorted_.front());
    if (patched) text_ += "  std::size_t start = out.out().size();\n";
    if (type_.item) text_ += "  auto rest = value.additional.begin();\n";
    for (const Field* field : sorted_) {
      std::string separator = !patched && field == sorted_.front() ? "{" : ",";
      std::string key = separator + json_key(field->key);
      if (type_.item) {
        flush();
        text_ += "  json::write_members(out, rest, value.additional, " + string_literal(field->key) + ");\n";
      }
      if (sure(*field))
        always(*field, key);
      else
        perhaps(*field, key);
    }
    if (type_.item) {
      flush();
      text_ += "  json::write_members(out, rest, value.additional);\n";
    }
    if (patched) {
      flush();
      text_ += "  json::end_object(out, start);\n";
    } else {
      pending_ += "}";
      flush();
    }
    if (stored_ == 0 && !type_.item) text_.insert(0, "  static_cast<void>(value);\n");
    if (compares_) text_.insert(0, "  static const " + type_.name + " defaults;\n");
    return text_;
  }

 private:
  bool sure(const Field& field) const {
    return field.presence != Presence::optional && !is_omitted_as_default(field);
  }
  // The first member is written if it is a choice, because that says what a call does.
  bool is_omitted_as_default(const Field& field) const {
    if (!omits_defaults_ || field.presence != Presence::defaulted) return false;
    return &field != &type_.fields.front() || field.type->form != Form::enumeration;
  }
  static std::string json_key(const std::string& key) { return json::quoted(key) + ":"; }

  void always(const Field& field, const std::string& key) {
    pending_ += key;
    if (field.constant) {
      pending_ += field.constant->canonical;
      return;
    }
    ++stored_;
    flush();
    text_ += "  " + write_whole(field) + ";\n";
  }

  // Returns an expression that writes a member which is not optional.
  static std::string write_whole(const Field& field) {
    const std::string value = "value." + field.member;
    const bool whole = field.boxed || null_is_nullopt(field);
    return whole ? "write(out, " + value + ")" : write_value(*field.type, value);
  }

  void perhaps(const Field& field, const std::string& key) {
    flush();
    ++stored_;
    std::string value = "value." + field.member;
    if (field.constant) {
      text_ += "  if (" + value + ") out.text(" + string_literal(key + field.constant->canonical) + ");\n";
      return;
    }
    if (is_omitted_as_default(field)) {
      compares_ = true;
      text_ += "  if (" + value + " != defaults." + field.member + ") {\n    out.text(" +
               string_literal(key) + ");\n    " + write_whole(field) + ";\n  }\n";
      return;
    }
    std::string write = field.boxed ? "write(out, *" + value + ")" : write_value(*field.type, "*" + value);
    text_ += "  if (" + value + ") {\n    out.text(" + string_literal(key) + ");\n    " + write + ";\n  }\n";
  }

  void flush() {
    if (!pending_.empty()) text_ += "  out.text(" + string_literal(pending_) + ");\n";
    pending_.clear();
  }

  const Type& type_;
  const bool omits_defaults_;
  bool compares_ = false;  // The code compares members with their defaults.
  std::vector<const Field*> sorted_;
  std::string text_;
  std::string pending_;
  std::size_t stored_ = 0;
};

std::string enumeration_writer(const Type& type) {
  bool plain = std::ranges::all_of(
      type.enumerators, [](const Enumerator& e) { return json::quoted(e.text).size() == e.text.size() + 2; });
  std::string head = "void write(json::Writer& out, " + type.name + " value) {";
  if (!plain) return head + " out.string(text(value)); }\n\n";
  // The texts of this enum need no escaping.
  return head + "\n  out.text(\"\\\"\");\n  out.text(text(value));\n  out.text(\"\\\"\");\n}\n\n";
}

std::string writer(const Type& type) {
  if (type.form == Form::enumeration) return enumeration_writer(type);
  std::string head = "void write(json::Writer& out, const " + type.name + "& value) {\n";
  if (type.form == Form::structure) return head + StructWriter(type).run() + "}\n\n";
  return type.is_class() ? head + "  write(out, value.value);\n}\n\n" : "";
}

std::string call_writer(const Type& input) {
  return "void write_call(json::Writer& out, const " + input.name + "& value) {\n" +
         StructWriter(input, true).run() + "}\n\n";
}

}  // namespace

FunctionNames declared_functions(const Model& model) {
  FunctionNames names;
  for (const SourceUnit& unit : model.units)
    for (const Type* type : unit.types) names[unit.file->name_space].insert("read_" + function_name(*type));
  return names;
}

std::string emit_source(const SourceUnit& unit, const Model& model, const UnitPlan* plan,
                        FunctionNames& used_names) {
  const std::string& space = unit.file->name_space;
  const std::string plan_name = member_name(unit.file->stem) + "_plan";
  ReaderEmitter readers(space, plan, plan_name, used_names[space]);
  const Type* const input = declared_input(unit, model);
  std::string body;
  for (const Type* type : unit.types) {
    if (type->form == Form::enumeration) body += text_function(*type);
    body += readers.definition(*type) + writer(*type);
    if (type == input) body += call_writer(*type);
    if (is_client_form(*type)) body += client_form_definition(*type);
  }
  std::string arrays;
  for (const Type* type : unit.types)
    if (type->form == Form::enumeration) arrays += texts(*type);
  if (!arrays.empty()) arrays += "\n";
  std::string helpers = arrays + readers.helpers();
  if (!helpers.empty()) helpers = "namespace {\n\n" + helpers + "}  // namespace\n\n";
  body = helpers + body;
  std::string text = "// Generated by snapgen from " + unit.file->path + ". Do not edit.\n#include \"" +
                     unit.file->header + "\"\n\n";
  std::set<std::string> system = system_headers(body);
  for (const std::string& each : system) text += "#include <" + each + ">\n";
  if (!system.empty()) text += "\n";
  bool any_limit = body.find("json::check_") != std::string::npos;
  if (any_limit) text += "#include \"runtime/json/checks.h\"\n";
  text += "#include \"runtime/json/reader.h\"\n#include \"runtime/json/rules.h\"\n";
  if (plan) text += "#include \"runtime/json/schema/plan_check.h\"\n";
  text += "#include \"runtime/json/values.h\"\n#include \"runtime/json/writer.h\"\n";
  if (plan)
    text +=
        "\nnamespace snapgen {\nnamespace {\n\nusing json::Op;\n\n// The rules of the schema that the "
        "structs below cannot express.\n" +
        emit_plan(plan->plan->plan(), plan_name) + "\n}  // namespace\n}  // namespace snapgen\n";
  return text + "\nnamespace " + space + " {\n" + (body.starts_with("namespace") ? "" : "\n") + body +
         "}  // namespace " + space + "\n";
}

void emit_unit(const SourceUnit& unit, const StageResults& all, FunctionNames& used_names,
               std::map<std::string, std::string>& files) {
  const std::string& header = unit.file->header;
  const auto plan = all.plans.find(unit.file);
  files[header] = wrapped_code(emit_header(unit, all.model));
  files[header.substr(0, header.size() - 2) + ".cc"] = wrapped_code(
      emit_source(unit, all.model, plan == all.plans.end() ? nullptr : &plan->second, used_names));
}

}  // namespace snapgen::codegen
