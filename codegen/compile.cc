#include "codegen/compile.h"

#include <utility>

#include "codegen/cpp.h"
#include "codegen/emit.h"
#include "codegen/stages.h"
#include "codegen/wire.h"

namespace snapgen::codegen {

CompiledFiles compile(std::vector<SourceText> texts, const Settings& settings) {
  CompiledFiles result;
  StageResults all = run_stages(std::move(texts), settings);
  for (const ToolModel& each : all.model.tools)
    if (each.tool->run_command)
      all.findings.add(
          each.tool->place,
          "\"run\" is for tools that a server loads at its start (--tools); this one has a handler");
  result.findings = all.findings.lines();
  if (!result.findings.empty()) return result;

  FunctionNames taken = declared_functions(all.model);
  for (const SourceUnit& unit : all.model.units) {
    if (!unit.file->emitted) continue;
    std::string stem = unit.file->header.substr(0, unit.file->header.size() - 2);
    result.files[unit.file->header] = wrapped_code(emit_header(unit, all.model));
    const auto plan = all.plans.find(unit.file);
    result.files[stem + ".cc"] =
        wrapped_code(emit_source(unit, plan == all.plans.end() ? nullptr : &plan->second, taken));
  }
  if (!all.model.tools.empty()) {
    ToolsEmitSettings paths{
        .schemas = settings.schemas, .name_space = settings.name_space, .brief = settings.brief_listing};
    result.files[settings.schemas + "/tools.h"] = emit_tools_header(all.model, paths);
    result.files[settings.schemas + "/tools.cc"] =
        wrapped_code(emit_tools_source(all.model, all.profiles, paths));
    result.files[settings.schemas + "/listing.h"] = emit_listing_header(all.model, paths);
    result.files[settings.schemas + "/listing.cc"] = emit_listing_source(all.model, paths);
  }
  if (!all.wire.lines.empty()) {
    result.files[settings.schemas + "/lines.h"] =
        wrapped_code(emit_wire_header(all.wire, settings.schemas, settings.name_space));
    result.files[settings.schemas + "/lines.cc"] =
        wrapped_code(emit_wire_source(all.wire, settings.schemas, settings.name_space));
  }
  return result;
}

}  // namespace snapgen::codegen
