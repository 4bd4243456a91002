#pragma once
// emit: the last stage. Each emitter makes one kind of file and is a pure function of the model.
#include <map>
#include <set>
#include <string>

#include "codegen/stages/stages.h"

namespace snapgen::codegen {

// Returns the name of the function that the handler's author defines: snapshot_create.
std::string handler_name(const ToolFile& tool);

// Returns the arguments of the file's tool, if the file declares them as a struct; else null.
const Type* declared_input(const SourceUnit& unit, const Model& model);

// Returns a header such as schemas/substrate/snapshot_create.h: types and declarations. Comment lines end at
// `columns`. Without a limit, a longer description does not move other lines, so compiler caches of including
// files remain valid.
std::string emit_header(const SourceUnit& unit, const Model& model, std::size_t columns = std::string::npos);
// Function names by namespace. No name occurs in two files, so that their sources can be compiled as one.
using FunctionNames = std::map<std::string, std::set<std::string>>;
// Returns the functions that headers declare.
FunctionNames declared_functions(const Model& model);
// Returns a source such as schemas/substrate/snapshot_create.cc: readers and writers. `plan` is null if no
// reader uses one. Names in the unnamed namespace avoid those in `used_names` and are added to it.
std::string emit_source(const SourceUnit& unit, const Model& model, const UnitPlan* plan,
                        FunctionNames& used_names);
// Returns the constants of a unit that is a route: find_things_route, and, by request type (if it is a
// class), its route and response type. Empty for other units.
std::string route_constants(const SourceUnit& unit);

// Returns the declaration of the function that returns the schema of a client form:
// "std::string_view json_schema(const Move*);".
std::string client_form_declaration(const Type& type);
std::string client_form_definition(const Type& type);

// Adds the header and the source of a unit to `files`, by path.
void emit_unit(const SourceUnit& unit, const StageResults& all, FunctionNames& used_names,
               std::map<std::string, std::string>& files);

// The settings of tools.h, tools.cc, listing.h and listing.cc, which are for all tools of a server.
struct ToolsEmitSettings {
  std::string schemas;     // The folder of the schemas.
  std::string name_space;  // The namespace of the server's code.
  bool brief = false;      // True if tools/list shows the short schemas of short_schema.h.
};
// Returns the first line of every generated file.
std::string generated_by_line(const ToolsEmitSettings& paths);
std::string emit_tools_header(const ToolsEmitSettings& paths);
std::string emit_tools_source(const Model& model, const std::vector<ProfileModel>& profiles,
                              const ToolsEmitSettings& paths);
// Returns tool_names.h: a constant for the name of each tool.
std::string emit_tool_names(const Model& model, const ToolsEmitSettings& paths);
std::string emit_listing_header(const Model& model, const ToolsEmitSettings& paths);
std::string emit_listing_source(const Model& model, const ToolsEmitSettings& paths);

// Writes a compiled schema as constant C++ data. Returns definitions for an unnamed namespace within snapgen;
// the last is `const json::Plan NAME`. They need runtime/json/schema/plan.h.
std::string emit_plan(const json::Plan& plan, const std::string& name);

}  // namespace snapgen::codegen
