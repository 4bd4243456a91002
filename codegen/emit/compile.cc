#include "codegen/emit/compile.h"

#include "codegen/emit/emit.h"
#include "codegen/lines/line_formats.h"
#include "codegen/model/cpp.h"
#include "codegen/stages/stages.h"

namespace snapgen::codegen {

CompiledFiles compile(std::vector<SourceText> texts, const Settings& settings) {
  CompiledFiles result;
  StageResults all = run_stages(std::move(texts), settings);
  for (const ToolModel& each : all.model.tools)
    if (each.tool->run_command)
      all.findings.add(
          each.tool->location,
          "\"run\" is for tools that a server loads at its start (--tools); this one has a handler");
  result.findings = all.findings.lines();
  if (!result.findings.empty()) return result;

  FunctionNames taken = declared_functions(all.model);
  for (const SourceUnit& unit : all.model.units)
    if (unit.file->emitted) emit_unit(unit, all, taken, result.files);
  if (!all.model.tools.empty()) {
    ToolsEmitSettings paths{
        .schemas = settings.schemas, .name_space = settings.name_space, .brief = settings.brief_listing};
    result.files[settings.schemas + "/tools.h"] = emit_tools_header(paths);
    result.files[settings.schemas + "/tools.cc"] =
        wrapped_code(emit_tools_source(all.model, all.profiles, paths));
    result.files[settings.schemas + "/tool_names.h"] = emit_tool_names(all.model, paths);
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
