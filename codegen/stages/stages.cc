#include "codegen/stages/stages.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "codegen/front/publish.h"
#include "codegen/model/client_form.h"
#include "codegen/model/route.h"
#include "codegen/stages/examples.h"

namespace snapgen::codegen {
namespace {

std::unique_ptr<File> take_profiles(std::vector<SourceText>& texts, const Settings& settings,
                                    Findings& findings) {
  const std::string path = settings.schemas + "/profiles.json";
  auto found = std::ranges::find_if(texts, [&](const SourceText& each) { return each.path == path; });
  if (found == texts.end()) return nullptr;
  auto file = std::make_unique<File>();
  file->path = path;
  file->text = std::move(found->text);
  texts.erase(found);
  return parse(*file, findings) ? std::move(file) : nullptr;
}

// Checks that no two tools have the same name, with or without dots.
void check_names(const std::vector<ToolFile>& tools, Findings& findings) {
  std::map<std::string, const ToolFile*> names;
  for (const ToolFile& tool : tools) {
    if (tool.name.empty()) continue;
    for (const std::string& name : {tool.name, tool.safe_name}) {
      auto [other, is_new] = names.emplace(name, &tool);
      if (!is_new && other->second != &tool)
        findings.add(tool.location, "the name \"" + name + "\" is taken by " + other->second->file->path);
    }
  }
}

}  // namespace

StageResults run_stages(std::vector<SourceText> texts, const Settings& settings) {
  StageResults all;
  Findings& findings = all.findings;
  std::unique_ptr<File> profiles_file = take_profiles(texts, settings, findings);
  all.sources = parse_sources(std::move(texts), settings, findings);
  all.resolved = resolve(all.sources, findings);
  all.checked = check(all.sources, all.resolved, findings);
  check_names(all.checked.tools, findings);
  all.model = build_model(all.sources, all.checked, all.resolved, findings);
  name_model(all.model, findings);
  all.plans = make_plans(all.plan_inputs());
  for (const ToolFile& tool : all.checked.tools) {
    check_arrays_have_items(tool, findings);
    if (tool.input) published_schema(*tool.input, findings);
    if (tool.output) published_schema(*tool.output, findings);
  }
  check_client_forms(all.sources, all.checked, findings);
  check_routes(all.sources, all.checked, findings);
  for (const auto& type : all.model.types)
    if (is_client_form(*type)) published_schema(*type->schema, findings);
  check_examples(all.plan_inputs());
  // The code of tools in included folders is emitted elsewhere.
  std::erase_if(all.model.tools, [](const ToolModel& each) { return !each.tool->file->emitted; });
  all.wire = read_wire(all.checked.tools, findings);
  all.profiles = make_profiles(all.model, profiles_file.get(), findings);
  return all;
}

}  // namespace snapgen::codegen
