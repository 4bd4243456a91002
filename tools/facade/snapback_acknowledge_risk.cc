#include "schemas/facade/snapback_acknowledge_risk.h"

#include "tools/facade/common.h"
#include "tools/work/static_checks/static_checks.h"
#include "tools/work/task/workspace_services.h"

namespace snapgen::tools {
namespace {

Result<mcp::Summarized<SnapbackAcknowledgeRiskOutput>> acknowledge(App& app,
                                                                   const SnapbackAcknowledgeRiskInput& in,
                                                                   const std::stop_token& stop) {
  std::vector<std::string> files = TRY(core::paths_of_texts(in.files));
  core::WorkspaceServices services = TRY(app.services());
  Measured now = TRY(measured_alone(services, files, {}, stop));
  const core::Risk& risk = now.work_status.risk;
  core::AuditMembers members;
  members.add("files", shown_paths(files))
      .add("reason", in.reason)
      .add("risk_level", text(level_of(risk.level)))
      .add("risk_score", risk.points);
  if (now.task) members.add("task_id", now.task->id);
  std::string id = TRY(audit(app, "risk_acknowledged", members));
  SnapbackAcknowledgeRiskOutputData data;
  data.audit_id = std::move(id);
  data.reasons = to_schema(risk.reasons);
  data.risk_level = level_of(risk.level);
  data.risk_score = risk.points;
  NextActions actions(app);
  if (now.work_status.protection.percent() < 100)
    actions.add("snapback.snapshot_create", "{\"reason\":\"before a risk that was acknowledged\"}", 0.9,
                "Some of the files are in no snapshot.");
  if (!now.task)
    actions.add("snapback.session", "{\"op\":\"start\",\"task\":\"work with an acknowledged risk\"}", 0.5,
                "A session has a snapshot to restore.");
  std::string summary = "Acknowledged. " + risk_sentence(risk);
  return answer<SnapbackAcknowledgeRiskOutput>(std::move(data), now.health, std::move(actions),
                                               std::move(summary));
}

}  // namespace

Task<mcp::Summarized<SnapbackAcknowledgeRiskOutput>> snapback_acknowledge_risk(
    App& app, mcp::Call& call, const SnapbackAcknowledgeRiskInput& in) {
  auto job = [&] { return acknowledge(app, in, call.stop()); };
  Result<mcp::Summarized<SnapbackAcknowledgeRiskOutput>> outcome = co_await call.offload(job);
  co_return outcome;
}

}  // namespace snapgen::tools
