#include "tools/facade/common.h"

#include <algorithm>

#include "runtime/base/enum_cast.h"
#include "runtime/json/writer.h"
#include "schemas/facade/snapback_snapshot_create.h"
#include "schemas/substrate/snapshot_create.h"
#include "schemas/tool_names.h"
#include "tools/engine/base/json_object.h"
#include "tools/engine/files/path.h"
#include "tools/engine/workspace/workspace_parts.h"
#include "tools/facade/context_file.h"
#include "tools/work/task/task_store.h"
#include "tools/work/task/workspace_services.h"

namespace snapgen::tools {

Result<MeasuredWork> measure_with_files(const core::WorkspaceServices& services,
                                        const std::vector<std::string>& files, std::string_view words,
                                        const std::stop_token& stop) {
  MeasuredWork found;
  const std::string& root = root_of(services.workspace).folder();
  found.task = core::TaskStore(core::record_folders_of(services.workspace)).current_task();
  core::Task about = found.task.value_or(core::Task());
  if (!words.empty()) about.title += " " + std::string(words);
  for (const std::string& each : files)
    if (std::find(about.files.begin(), about.files.end(), each) == about.files.end())
      about.files.push_back(each);
  found.work_status = TRY(core::measure_work_status(services, about, stop));
  found.stale_context = stale_context_sentence(root);
  found.health = {.context_valid = found.stale_context.empty(),
                  .dirty = found.work_status.dirty_count(),
                  .protection = found.work_status.protection.percent(),
                  .risk_level = enum_cast<RiskLevel>(found.work_status.risk.level),
                  .risk_score = found.work_status.risk.points,
                  .task_id = found.task ? std::optional(found.task->id) : std::nullopt};
  return found;
}

Result<MeasuredWork> measure_only_files(const core::WorkspaceServices& services,
                                        const std::vector<std::string>& files, std::string_view words,
                                        const std::stop_token& stop) {
  if (files.empty()) return measure_with_files(services, files, words, stop);
  MeasuredWork found = TRY(measure_with_files(services, {}, {}, stop));
  const core::Task about{.title = std::string(words), .files = files};
  found.work_status = TRY(core::measure_task_files(services, about, stop));
  return found;
}

std::vector<RiskReason> to_schema(const std::vector<core::RiskReason>& reasons) {
  std::vector<RiskReason> out;
  for (const core::RiskReason& each : reasons) out.push_back({.points = each.points, .text = each.text});
  return out;
}

Learned to_schema(const core::Learning& learning) {
  return {.action = learning.action,
          .id = learning.id,
          .trigger = learning.trigger,
          .type = enum_cast<LearningType>(learning.kind)};
}

std::vector<Learned> to_schema(const std::vector<core::RecalledLearning>& learnings) {
  std::vector<Learned> out;
  for (const core::RecalledLearning& each : learnings) out.push_back(to_schema(each.learning));
  return out;
}

std::string risk_sentence(const core::Risk& risk) {
  std::string text = risk.level == core::RiskLevel::low      ? "Low risk"
                     : risk.level == core::RiskLevel::medium ? "Medium risk"
                                                             : "High risk";
  if (!risk.reasons.empty()) text += " (" + shortened(risk.reasons.front().text, 120) + ")";
  return text + "." + core::uncounted_sentence(risk);
}

void propose_snapshot(NextActions& actions, const core::Protection& protection, std::string_view label,
                      double priority, std::string reason) {
  constexpr std::size_t named_max = 20;
  const std::vector<std::string>& paths = protection.uncovered;
  if (paths.empty()) return;
  const auto unprotected = static_cast<std::size_t>(protection.uncovered_count());
  std::optional<std::vector<std::string>> files;
  if (unprotected == paths.size() && unprotected <= named_max) files = texts_of_paths(paths);
  if (!callable_name(actions.app(), tool_names::snapback_snapshot_create).empty()) {
    actions.add(SnapbackSnapshotCreateInput{.files = std::move(files), .reason = std::string(label)},
                priority, std::move(reason));
    return;
  }
  actions.add(SnapshotCreateInput{.message = std::string(label),
                                  .paths = files.value_or(std::vector<std::string>{"."})},
              priority, std::move(reason));
}

void propose_acknowledgement(NextActions& actions, const std::optional<std::vector<std::string>>& files,
                             double priority) {
  core::JsonObject arguments;
  if (files) arguments.add("files", *files);
  actions.add_call(tool_names::snapback_acknowledge_risk, arguments.finish(), priority, "The risk is high.",
                   "after the user has agreed", {"reason"});
}

Result<std::string> write_audit_entry(App& app, std::string_view event, const core::AuditMembers& members) {
  std::string id = core::new_audit_id();
  TRY(app.log_writer.write_durably(core::LogKind::audit, core::audit_line(event, id, members)));
  return id;
}

}  // namespace snapgen::tools
