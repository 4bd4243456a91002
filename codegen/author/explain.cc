#include "codegen/author/explain.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "codegen/emit/emit.h"
#include "codegen/emit/listing.h"
#include "codegen/model/cpp.h"
#include "codegen/pages/text.h"
#include "runtime/json/document.h"
#include "runtime/json/writer.h"

namespace snapgen::codegen {
namespace {

using Form = Type::Form;

std::string indented(std::string_view text, std::size_t columns) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end > at) out.append(columns, ' ').append(text.substr(at, end - at));
    out += '\n';
    at = end + 1;
  }
  return out;
}

std::string laid_out(const std::string& text) {
  return pages::pretty_json(json::parse_document(text).root) + "\n";
}

// Returns the part of a header between the namespace's beginning and end.
std::string types_of(const std::string& header, const std::string& name_space) {
  const std::string open = "\nnamespace " + name_space + " {\n\n";
  const std::string close = "}  // namespace " + name_space + "\n";
  const std::size_t begin = header.find(open) + open.size();
  return header.substr(begin, header.rfind(close) - begin);
}

class Checks {
 public:
  std::string of(const Type& type) {
    value(type, "");
    return text_;
  }

 private:
  void line(const std::string& pointer, const std::string& words) {
    text_ += "  " + (pointer.empty() ? std::string("(the whole)") : pointer) + ": " + words + "\n";
  }

  static std::string kind(const Type& type) {
    switch (type.form) {
      case Form::raw:
        return type.checked_by_plan && type.schema->kinds_given ? codegen::text(type.schema->kinds)
                                                                : "any value";
      case Form::boolean: return "true or false";
      case Form::integer: return "an integer";
      case Form::number: return "a number";
      case Form::string: return "a string";
      case Form::array: return "an array";
      case Form::map: return "an object of any names";
      case Form::structure: return "an object";
      case Form::nullable: return "null, or " + kind(*type.item);
      case Form::variant: return "one of " + std::to_string(type.alternatives.size()) + " alternatives";
      case Form::enumeration: break;
    }
    std::string list;
    for (const Enumerator& each : type.enumerators)
      list += (list.empty() ? "" : ", ") + json::quoted(each.text);
    return "one of " + list;
  }

  void value(const Type& type, const std::string& pointer, const std::string& presence = "") {
    std::string words = kind(type);
    const std::string limits = type.schema ? limits_in_words(type) : std::string();
    if (!limits.empty() && limits != "any object") words += "; " + limits;
    if (!presence.empty()) words += "; " + presence;
    if (type.form == Form::structure && !type.open && !type.item) words += "; no other member";
    line(pointer, words);
    if (!open_.insert(&type).second) return;
    parts(type, pointer);
    open_.erase(&type);
  }

  void parts(const Type& type, const std::string& pointer) {
    if (type.form == Form::nullable) return parts(*type.item, pointer);
    if (type.form == Form::array) return value(*type.item, pointer + "/*");
    for (const Field& field : type.fields) {
      if (field.constant) {
        line(pointer + "/" + field.key, "always " + field.constant->canonical + "; " + presence_note(field));
        continue;
      }
      value(*field.type, pointer + "/" + field.key, presence_note(field));
    }
    for (const std::string& each : type.forbidden) line(pointer + "/" + each, "may not be there");
    if (type.item) value(*type.item, pointer + "/*");
    if (type.form == Form::structure)
      for (const std::string& each : validator_constraints_in_words(type)) line(pointer, each);
    for (const Rule& rule : type.rules)
      line(pointer, std::string(rule.keyword) + ": what one member is decides about others");
    for (std::size_t i = 0; i < type.alternatives.size(); ++i)
      value(*type.alternatives[i].type, pointer + " (" + std::to_string(i + 1) + ")");
  }

  static std::string presence_note(const Field& field) {
    if (field.presence == Presence::required) return "required";
    const bool has_no_default = !field.schema->annotations.is_optional;
    if (field.presence == Presence::optional && has_no_default) return "may be absent";
    const auto& given = field.schema->annotations.default_value;
    const Schema& meant = resolved(*field.schema);
    if (given) return given->canonical + " if absent";
    return meant.annotations.default_value ? meant.annotations.default_value->canonical + " if absent"
                                           : "may be absent";
  }

  std::string text_;
  std::set<const Type*> open_;
};

std::string tool_names(const ToolFile& tool, const ToolModel& model, const std::string& handlers) {
  std::string text = "  hosts call it   " + tool.safe_name;
  if (tool.name != tool.safe_name) text += ", or " + tool.name;
  text += "\n  family          " + tool.file->family;
  text += "\n  handler         " + handlers + "/" + tool.file->family + "/" + tool.file->stem +
          ".cc: " + handler_name(tool);
  text += "\n  input           " + model.input->name;
  if (model.output) text += "\n  output          " + model.output->name;
  return text + "\n";
}

}  // namespace

std::string explain(const StageResults& all, const std::string& path, const std::string& handlers) {
  const auto unit =
      std::ranges::find_if(all.model.units, [&](const SourceUnit& each) { return each.file->path == path; });
  if (unit == all.model.units.end()) return {};
  const File& file = *unit->file;
  const auto tool =
      std::ranges::find_if(all.model.tools, [&](const ToolModel& each) { return each.tool->file == &file; });
  const bool is_tool = tool != all.model.tools.end();
  std::string text = path + ": " + (is_tool ? "the tool " + tool->tool->name : "a message") + "\n\nNames\n";
  text += "  header          #include \"" + file.header + "\"\n  namespace       " + file.name_space + "\n";
  if (is_tool) text += tool_names(*tool->tool, *tool, handlers);
  text += "\nIn C++\n" +
          indented(types_of(wrapped_code(emit_header(*unit, all.model, column_max)), file.name_space), 2);
  if (is_tool) {
    text += "What the reader of its arguments checks\n" + Checks().of(*tool->input);
    if (tool->output) text += "\nWhat its output is\n" + Checks().of(*tool->output);
    const Listing listing = make_listing(*tool->tool);
    text += "\nIts whole schema (in the reference; tools/list shows it abbreviated)\n";
    text += indented(laid_out(listing.objects.back()[0]), 2);
    return text;
  }
  for (const Type* type : unit->types)
    if (type->form != Form::enumeration)
      text += "What the reader of " + type->name + " checks\n" + Checks().of(*type) + "\n";
  if (text.ends_with("\n\n")) text.pop_back();
  return text;
}

}  // namespace snapgen::codegen
