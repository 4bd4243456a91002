#include "codegen/emit/typescript.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "codegen/front/name.h"
#include "codegen/model/cpp.h"
#include "runtime/json/writer.h"

namespace snapgen::codegen::typescript {
namespace {

using Form = Type::Form;

// Reserved words.
constexpr std::array<std::string_view, 52> reserved_words = {
    "any",    "arguments", "as",     "asserts",    "await",    "bigint",  "boolean", "break",  "case",
    "catch",  "class",     "const",  "continue",   "debugger", "declare", "default", "delete", "do",
    "else",   "enum",      "export", "extends",    "false",    "finally", "for",     "from",   "function",
    "if",     "import",    "in",     "instanceof", "is",       "keyof",   "never",   "new",    "null",
    "number", "object",    "return", "string",     "super",    "switch",  "symbol",  "this",   "throw",
    "true",   "try",       "type",   "undefined",  "unique",   "unknown", "void"};

// Names that emitted modules declare or use.
constexpr std::array<std::string_view, 18> emitted_names = {
    "Branded",    "Bundle",     "CallTool",   "CommandPayloads", "CommandResults", "InvalidValue",
    "Is",         "JsonObject", "JsonValue",  "Messages",        "Parse",          "Promise",
    "ResponseTo", "ToolCall",   "ToolErrors", "ToolInputs",      "ToolName",       "ToolOutputs"};

// Names of modules that the emitter always makes.
constexpr std::array<std::string_view, 3> taken_modules = {"json", "snapgen", "validate"};

bool needs_parentheses(std::string_view type) { return !top_level_operators(type).empty(); }

std::string list_of(const std::string& item) {
  return needs_parentheses(item) ? "(" + item + ")[]" : item + "[]";
}

std::string joined(const std::vector<std::string>& parts) {
  std::vector<std::string> once;
  for (const std::string& each : parts)
    if (std::ranges::find(once, each) == once.end()) once.push_back(each);
  std::string text;
  for (const std::string& each : once) text += (text.empty() ? "" : " | ") + each;
  return text.empty() ? "never" : text;
}

std::string literals(const std::vector<Constant>& values) {
  std::vector<std::string> parts;
  for (const Constant& each : values)
    parts.push_back(literal_type(json::parse_document(each.canonical).root));
  if (std::ranges::find(parts, "number") != parts.end())
    std::erase_if(parts, [](const std::string& part) { return part[0] == '-' || std::isdigit(part[0]); });
  return joined(parts);
}

// Adds the members that distinguish alternatives, which code may read before it knows the alternative.
void choice_keys(const DecisionTree& choice, std::set<std::string>& keys) {
  if (choice.decided_by == DecisionTree::By::tag || choice.decided_by == DecisionTree::By::presence)
    keys.insert(choice.key);
  for (const DecisionTree::Case& each : choice.cases)
    if (each.next) choice_keys(*each.next, keys);
}

// Returns a module's name, from the path of its folder below the schemas folder.
std::string module_name(std::string below) {
  if (below.empty()) return "messages";
  for (char& c : below)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return std::isdigit(static_cast<unsigned char>(below[0])) ? "_" + below : below;
}

bool has_member(const Type& type, const std::string& key) {
  return std::ranges::any_of(type.fields, [&](const Field& f) { return f.key == key; }) ||
         std::ranges::find(type.forbidden, key) != type.forbidden.end();
}

}  // namespace

Modules::Modules(const Model& model, const Settings& settings) {
  std::map<std::string, std::set<std::string>> taken;  // The names that are taken in each namespace.
  std::set<std::string> modules(taken_modules.begin(), taken_modules.end());
  std::map<std::string, std::string> of_folder;
  for (const SourceUnit& unit : model.units) {
    std::string folder = unit.file->path.substr(0, unit.file->path.rfind('/') + 1);
    auto [found, is_new] = of_folder.emplace(folder, "");
    if (is_new) {
      std::string below =
          folder.starts_with(settings.schemas + "/") ? folder.substr(settings.schemas.size() + 1) : folder;
      if (!below.empty()) below.pop_back();
      found->second = unique_name(module_name(below), modules);
      flat_[found->second] = unit.file->name_space == settings.name_space;
    }
    modules_[unit.file] = found->second;
  }
  for (const SourceUnit& unit : model.units) {
    std::set<std::string>& names = taken[unit.file->name_space];
    if (names.empty()) {
      names.insert(reserved_words.begin(), reserved_words.end());
      names.insert(emitted_names.begin(), emitted_names.end());
      for (const auto& [module, flat] : flat_) names.insert(module);
    }
    for (const Type* type : unit.types) {
      names_[type] = unique_name(type->name, names);
      if (!type->schema->annotations.brand.empty()) brands_.emplace(type->schema->annotations.brand, type);
    }
  }
  for (const auto& type : model.types) types_.emplace(type->schema, type.get());
}

const Type* Modules::type_of(const Schema& schema) const {
  auto found = types_.find(&schema);
  return found == types_.end() ? nullptr : found->second;
}

const Type* Modules::type_of_brand(const std::string& brand) const {
  auto found = brands_.find(brand);
  return found == brands_.end() ? nullptr : found->second;
}

std::string TypePrinter::helper(const std::string& name) {
  names_["json"].insert(name);
  return name;
}

std::string TypePrinter::reference(const Type& type) {
  const std::string& module = modules_.module_of(*type.file);
  const std::string& name = modules_.name_of(type);
  if (module == module_) return name;
  bool ours_is_flat = module_ == "snapgen" || modules_.all().at(module_);
  if (ours_is_flat == modules_.all().at(module) && ours_is_flat) {
    names_[module].insert(name);
    return name;
  }
  whole_modules_.insert(module);
  return module + "." + name;
}

std::string TypePrinter::type(const Type& type) {
  return type.declared ? reference(type) : declared_type(type);
}

std::string TypePrinter::declared_type(const Type& type) {
  const Schema& s = *type.schema;
  switch (type.form) {
    case Form::boolean: return s.values ? literals(*s.values) : "boolean";
    case Form::integer:
    case Form::number: return s.values ? literals(*s.values) : "number";
    case Form::string:
      if (s.annotations.brand.empty()) return "string";
      if (const Type* whole = modules_.type_of_brand(s.annotations.brand); whole && !type.declared)
        return reference(*whole);
      return helper("Branded") + "<string, " + json::quoted(s.annotations.brand) + ">";
    case Form::enumeration: {
      std::vector<std::string> parts;
      for (const Enumerator& each : type.enumerators) parts.push_back(json::quoted(each.text));
      return joined(parts);
    }
    case Form::array: return list_of(this->type(*type.item));
    case Form::map: return "{ [key: string]: " + this->type(*type.item) + " }";
    case Form::nullable: return joined({this->type(*type.item), "null"});
    case Form::variant: return union_of(type);
    case Form::structure: return structure(type);
    default: return raw(s, 0);
  }
}

std::string TypePrinter::union_of(const Type& type) {
  std::set<std::string> keys;
  if (type.choice) choice_keys(*type.choice, keys);
  std::set<std::string> distinguishing = keys;
  for (const Alternative& each : type.alternatives)
    for (const Field& field : each.type->fields)
      if (field.constant && field.presence == Presence::required) distinguishing.insert(field.key);
  std::vector<std::string> parts;
  for (const Alternative& each : type.alternatives) {
    std::string part = this->type(*each.type);
    std::string absent;
    if (each.type->form == Form::structure && !each.type->item) {
      for (const std::string& key : each.type->open ? keys : distinguishing)
        if (!has_member(*each.type, key))
          absent += (absent.empty() ? "" : "; ") + property_name(key) + "?: never";
    }
    if (!absent.empty()) part = "(" + part + " & { " + absent + " })";
    parts.push_back(part);
  }
  return joined(parts);
}

std::string TypePrinter::field(const Field& field) {
  if (field.constant) return literal_type(json::parse_document(field.constant->canonical).root);
  return type(*field.type);
}

std::string TypePrinter::structure(const Type& type) {
  std::string text = "{\n";
  std::vector<std::string> all;
  bool optional = false;
  for (const Field& field : type.fields) {
    const Annotations& notes = field.schema->annotations;
    const Annotations& meant = resolved(*field.schema).annotations;
    std::string words = notes.description.empty() ? meant.description : notes.description;
    auto add = [&](const std::string& more) {
      if (!more.empty()) words += (words.empty() ? "" : "\n") + more;
    };
    if (field.type) add(limits(field.type->form == Form::nullable ? *field.type->item : *field.type));
    const std::optional<Constant>& value = notes.default_value ? notes.default_value : meant.default_value;
    if (value) add("@defaultValue `" + value->canonical + "`");
    for (const auto& [keyword, published] : notes.published_keywords)
      if (keyword == "deprecated" && published == "true") add("@deprecated");
    text += doc_comment(words, 2);
    std::string spelled = this->field(field);
    bool required = field.presence == Presence::required;
    optional = optional || !required;
    all.push_back(spelled);
    text += "  " + property_name(field.key) + (required ? ": " : "?: ") + spelled + ";\n";
  }
  for (const std::string& key : type.forbidden) text += "  " + property_name(key) + "?: never;\n";
  optional = optional || !type.forbidden.empty();
  if (type.item) {
    // In TypeScript, the type of an index signature must include those of the named members.
    all.insert(all.begin(), this->type(*type.item));
    if (optional) all.emplace_back("undefined");
    text += doc_comment("All other members: " + all.front() + ".", 2);
    text += "  [key: string]: " + joined(all) + ";\n";
  } else if (type.schema->additional == Additional::open ||
             (type.open && type.fields.empty() && type.forbidden.empty())) {
    text += "  [key: string]: unknown;\n";
  } else if (type.fields.empty() && type.forbidden.empty()) {
    text += "  [key: string]: never;\n";
  }
  return text + "}";
}

std::string TypePrinter::schema(const Schema& given, int depth) {
  const Schema& s = resolved(given);
  const Type* made = modules_.type_of(s);
  if (made && made->form != Form::raw) return type(*made);
  if (made && made->declared) return reference(*made);
  return raw(s, depth);
}

// Returns the type of a schema that has no struct.
std::string TypePrinter::raw(const Schema& s, int depth) {
  constexpr int depth_max = 6;
  if (s.never) return "never";
  if (s.values) return literals(*s.values);
  std::vector<std::string> parts;
  if (!s.alternatives.empty() && depth < depth_max) {
    for (const Schema* each : s.alternatives) parts.push_back(schema(*each, depth + 1));
    return joined(parts);
  }
  if (s.kinds == kinds::any || !s.kinds_given) return helper("JsonValue");
  if (s.kinds & kinds::object) parts.push_back(depth < depth_max ? object(s, depth) : helper("JsonObject"));
  if (s.kinds & kinds::array) parts.push_back(list(s, depth, depth < depth_max));
  if (s.kinds & kinds::string) parts.emplace_back("string");
  if (s.kinds & kinds::number) parts.emplace_back("number");
  if (s.kinds & kinds::boolean) parts.emplace_back("boolean");
  if (s.kinds & kinds::null) parts.emplace_back("null");
  return joined(parts);
}

// Returns the type of an object that has no struct, with the members that the schema names.
std::string TypePrinter::object(const Schema& s, int depth) {
  const bool open = s.has_other_member_constraints || s.additional == Additional::open ||
                    s.additional == Additional::schema;
  if (s.properties.empty() && s.required.empty()) {
    if (!s.has_other_member_constraints && s.additional_schema)
      return "{ [key: string]: " + schema(*s.additional_schema, depth + 1) + " }";
    return helper("JsonObject");
  }
  std::string text = "{ ";
  const auto add = [&](const std::string& key, bool required, const std::string& type) {
    text += property_name(key) + (required ? ": " : "?: ") + type + "; ";
  };
  for (const Property& each : s.properties) add(each.name, each.required, schema(*each.schema, depth + 1));
  for (const std::string& each : s.required) add(each, true, "unknown");
  if (open) text += "[key: string]: unknown; ";
  return text.substr(0, text.size() - 2) + " }";
}

std::string TypePrinter::list(const Schema& s, int depth, bool inner) {
  const ValidatorConstraint* prefix = find_validator_constraint(s, "prefixItems");
  const bool no_more = s.items && resolved(*s.items).never;
  if (!prefix || !inner)
    return list_of(s.items && inner && !no_more ? schema(*s.items, depth + 1) : helper("JsonValue"));
  std::string text = "[";
  for (std::size_t i = 0; i < prefix->schemas.size(); ++i) {
    const std::string item = schema(*prefix->schemas[i].second, depth + 1);
    const bool there = s.min_items && *s.min_items > i;
    text += (i ? ", " : "") + (there ? item : needs_parentheses(item) ? "(" + item + ")?" : item + "?");
  }
  if (!no_more)
    text += (text.size() > 1 ? ", ..." : "...") +
            list_of(s.items ? schema(*s.items, depth + 1) : helper("JsonValue"));
  return text + "]";
}

std::string TypePrinter::imports() const {
  std::string text;
  for (const std::string& module : whole_modules_)
    text += "import type * as " + module + " from \"./" + module + ".js\";\n";
  for (const auto& [module, names] : names_) {
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
    std::string line = "import type { " + list + " } from \"./" + module + ".js\";\n";
    if (line.size() > column_max + 1) {
      line = "import type {\n";
      for (const std::string& name : names) line += "  " + name + ",\n";
      line += "} from \"./" + module + ".js\";\n";
    }
    text += line;
  }
  return text;
}

std::vector<std::size_t> top_level_operators(std::string_view type) {
  std::vector<std::size_t> found;
  int depth = 0;
  bool text = false;
  for (std::size_t i = 0; i < type.size(); ++i) {
    char c = type[i];
    if (c == '\\' && text)
      ++i;
    else if (c == '"')
      text = !text;
    else if (!text && (c == '{' || c == '(' || c == '<' || c == '['))
      ++depth;
    else if (!text && (c == '}' || c == ')' || c == '>' || c == ']'))
      --depth;
    else if (!text && depth == 0 && (c == '|' || c == '&'))
      found.push_back(i);
  }
  return found;
}

std::string literal_type(const json::Node& value) {
  switch (value.kind) {
    case json::Kind::null: return "null";
    case json::Kind::boolean: return value.boolean ? "true" : "false";
    case json::Kind::string: return json::quoted(value.text);
    case json::Kind::number: {
      constexpr double exact_max = 9007199254740991.0;
      std::optional<double> number = value.number();
      if (!number || !std::isfinite(*number) || std::fabs(*number) > exact_max) return "number";
      std::string text;
      json::Writer writer(text);
      json::write(writer, value);
      return text;
    }
    case json::Kind::array: {
      std::string text = "[";
      for (const json::Node& each : value.items) text += (text.size() > 1 ? ", " : "") + literal_type(each);
      return text + "]";
    }
    default: break;
  }
  if (value.members.empty()) return "{ [key: string]: never }";
  std::string text = "{ ";
  for (const json::Member& each : value.members)
    text += (text.size() > 2 ? "; " : "") + property_name(each.key) + ": " + literal_type(each.value);
  return text + " }";
}

std::string limits(const Type& type) {
  // The type itself already has these limits.
  if (type.schema->values || (type.form == Form::raw && !type.checked_by_plan)) return "";
  std::string words = limits_in_words(type);
  if (words.empty()) return "";
  return "Limits: " + words + (type.is_unsigned ? "; JSON.parse rounds it above 2^53-1." : ".");
}

std::string property_name(const std::string& key) {
  return is_identifier(key) && key != "__proto__" ? key : json::quoted(key);
}

std::string doc_comment(std::string_view text, std::size_t indent) {
  std::string safe;
  for (std::size_t i = 0; i < text.size(); ++i) {
    safe += text[i];
    if (text[i] == '*' && i + 1 < text.size() && text[i + 1] == '/') safe += '\\';
  }
  // The lines break at the same column as in C++, where the prefix is as long.
  std::string lines = comment_lines(safe, indent + 1);
  if (lines.empty()) return "";
  std::string space(indent, ' ');
  bool one = std::ranges::count(lines, '\n') == 1;
  std::string found = one ? "" : space + "/**\n";
  while (!lines.empty()) {
    std::size_t end = lines.find('\n');
    std::string line = lines.substr(indent + 3, end - indent - 3);
    lines.erase(0, end + 1);
    found += one ? space + "/**" + line + " */\n" : space + " *" + line + "\n";
  }
  return one ? found : found + space + " */\n";
}

}  // namespace snapgen::codegen::typescript
