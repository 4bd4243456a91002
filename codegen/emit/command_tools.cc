#include "codegen/emit/command_tools.h"

#include <utility>

#include "codegen/stages/stages.h"

namespace snapgen::codegen {
namespace {

CommandTool described(const ToolFile& tool, StageResults& all) {
  CommandTool made{.name = tool.name,
                   .safe_name = tool.safe_name,
                   .family = tool.file->family,
                   .file = tool.file->path,
                   .tier = tool.tier,
                   .errors = tool.errors,
                   .rate = tool.rate,
                   .task = tool.task,
                   .deadline_ms = tool.deadline_ms,
                   .needs_workspace = tool.needs_workspace,
                   .listing = make_listing(tool),
                   .input = make_plan(all.plan_inputs(), *tool.input),
                   .output = tool.output ? make_plan(all.plan_inputs(), *tool.output) : nullptr,
                   .run_command = *tool.run_command};
  for (const Property& each : resolved(*tool.input).properties) {
    const auto& own = each.schema->annotations.default_value;
    const auto& meant = resolved(*each.schema).annotations.default_value;
    if (own || meant) made.defaults.emplace_back(each.name, (own ? own : meant)->canonical);
  }
  return made;
}

}  // namespace

CommandToolSet compile_command_tools(std::vector<SourceText> texts, const Settings& settings) {
  CommandToolSet loaded;
  StageResults all = run_stages(std::move(texts), settings);
  for (const ToolFile& tool : all.checked.tools)
    if (!tool.run_command && !tool.file->broken)
      all.findings.add(tool.location,
                       "\"run\" is missing in \"x-snapgen\": it names the program that answers");
  loaded.findings = all.findings.lines();
  if (!loaded.findings.empty()) return loaded;
  for (const ToolModel& each : all.model.tools) loaded.tools.push_back(described(*each.tool, all));
  loaded.findings = all.findings.lines();
  if (!loaded.findings.empty()) loaded.tools.clear();
  return loaded;
}

}  // namespace snapgen::codegen
