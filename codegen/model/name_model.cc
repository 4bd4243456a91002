// The fifth stage, name: chooses every name in the generated code.
#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "codegen/front/name.h"
#include "codegen/model/model.h"

namespace snapgen::codegen {
namespace {

// Types that a server's generated code uses under these short names.
constexpr std::array<std::string_view, 6> taken_types = {"App",    "Error", "ErrorCode",
                                                         "Result", "Task",  "Tools"};

void name_members(Type& type) {
  std::set<std::string> used_names;
  if (type.form == Type::Form::structure && type.item) used_names.insert("additional");
  // Names that authors chose have priority.
  for (Field& field : type.fields)
    if (!field.member.empty()) field.member = unique_name(field.member, used_names);
  for (Field& field : type.fields)
    if (field.member.empty()) field.member = unique_name(member_name(field.key), used_names);
  std::set<std::string> values;
  for (Enumerator& each : type.enumerators) each.name = unique_name(enumerator_name(each.text), values);
}

// Returns a name that is not in `used_names`. Foreign schemas rarely have titles, so colliding names are
// numbered. The names are compared as member names, from which function names derive.
std::string free_name(const std::string& wanted, std::set<std::string>& used_names) {
  std::string name = wanted;
  for (int i = 2; !used_names.insert(member_name(name)).second; ++i) name = wanted + std::to_string(i);
  return name;
}

}  // namespace

void name_model(Model& model, Findings& findings) {
  std::map<std::pair<std::string, std::string>, const Type*> names;
  std::set<std::string> with_tools;
  std::map<std::string, std::set<std::string>>
      used_names;  // The names in each namespace, for foreign schemas.
  for (const ToolModel& tool : model.tools) with_tools.insert(tool.tool->file->name_space);
  for (const SourceUnit& unit : model.units) {
    for (Type* type : unit.types) {
      const std::string& space = type->file->name_space;
      type->name = unit.file->foreign ? free_name(type->wanted_name, used_names[space]) : type->wanted_name;
      // Two names that differ only in case would have the same function names.
      auto [other, is_new] = names.emplace(std::make_pair(space, member_name(type->name)), type);
      if (!is_new)
        findings.add(type->schema->location,
                     "the name " + type->name + " is taken by " + other->second->file->path +
                         other->second->schema->location.pointer +
                         "; give one of the two a \"title\", or \"x-snapgen\": {\"type\": \"...\"}");
      if (with_tools.count(space) && std::ranges::find(taken_types, type->name) != taken_types.end())
        findings.add(type->schema->location,
                     "the name " + type->name +
                         " is used by the generated code itself; give the type another "
                         "\"title\", or \"x-snapgen\": {\"type\": \"...\"}");
    }
  }
  for (const auto& type : model.types) name_members(*type);
}

}  // namespace snapgen::codegen
