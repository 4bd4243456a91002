#pragma once
// emit: the last stage. One artefact per emitter; each is a pure function of the model.
#include <map>
#include <set>
#include <string>

#include "codegen/model.h"
#include "codegen/plans.h"
#include "codegen/profile.h"

namespace snapgen::codegen {

// snapshot_create: what the author of a tool's handler defines.
std::string handler_name(const ToolFile& tool);

// schemas/substrate/snapshot_create.h: the types and what is declared about them. Lines of comments end at
// `columns`. Without an end a longer description moves no line, and a compiler's cache still knows what
// includes the header.
std::string emit_header(const Unit& unit, const Model& model, std::size_t columns = std::string::npos);
// The names of functions, by namespace: no two files have one in common, so that their sources can be
// compiled as one.
using FunctionNames = std::map<std::string, std::set<std::string>>;
// Those that headers declare.
FunctionNames declared_functions(const Model& model);
// schemas/substrate/snapshot_create.cc: their readers and writers. `plan` is null if no reader asks one. What
// is in the unnamed namespace gets names that are not in `taken`, and takes them.
std::string emit_source(const Unit& unit, const UnitPlan* plan, FunctionNames& taken);

// tools.h, tools.cc, listing.h and listing.cc of all tools of a server.
struct ToolsPaths {
  std::string schemas;     // schemas
  std::string name_space;  // Of the server.
  bool brief = false;      // Whether tools/list shows what brief.h leaves of schemas.
};
// The line that every generated file begins with.
std::string generated_from(const ToolsPaths& paths);
std::string emit_tools_header(const Model& model, const ToolsPaths& paths);
std::string emit_tools_source(const Model& model, const std::vector<ProfileModel>& profiles,
                              const ToolsPaths& paths);
std::string emit_listing_header(const Model& model, const ToolsPaths& paths);
std::string emit_listing_source(const Model& model, const ToolsPaths& paths);

}  // namespace snapgen::codegen
