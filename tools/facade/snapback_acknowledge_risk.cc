#include "schemas/facade/snapback_acknowledge_risk.h"

#include <algorithm>

#include "runtime/base/enum_cast.h"
#include "runtime/mcp/elicitation.h"
#include "schemas/facade/acknowledge_form.h"
#include "schemas/facade/snapback_session.h"
#include "tools/engine/files/path.h"
#include "tools/facade/common.h"
#include "tools/work/static_checks/static_checks.h"
#include "tools/work/task/workspace_services.h"

namespace snapgen::tools {
namespace {

using ConfirmedBy = SnapbackAcknowledgeRiskOutputDataConfirmedBy;

// The risk that the user may accept, measured before the user is asked.
struct OpenRisk {
  std::vector<std::string> files;
  MeasuredWork now;
};

Result<OpenRisk> measure_open_risk(App& app, const SnapbackAcknowledgeRiskInput& in,
                                   const std::stop_token& stop) {
  OpenRisk open{.files = {}, .now = {}};
  open.files = TRY(core::paths_of_texts(in.files));
  core::WorkspaceServices services = TRY(app.services());
  open.now = TRY(measure_only_files(services, open.files, {}, stop));
  const core::WorkStatus& status = open.now.work_status;
  if (!open.files.empty() && status.missing.size() == open.files.size())
    return Error(ErrorCode::not_found, missing_sentence(status) + " Name files that exist.");
  return open;
}

std::string risk_question(const OpenRisk& open, const SnapbackAcknowledgeRiskInput& in) {
  constexpr std::size_t reason_bytes_max = 500;
  constexpr std::size_t names_bytes_max = 300;
  std::string names;
  for (const std::string& each : open.now.work_status.measured)
    names += (names.empty() ? "" : ", ") + core::path_in_sentence(each);
  const std::string subject =
      names.empty() ? "" : " of changes to these files: " + shortened(names, names_bytes_max);
  return "Accept the risk" + subject + "? " + risk_sentence(open.now.work_status.risk) +
         " The reason in the audit log will be: " + shortened(in.reason, reason_bytes_max);
}

// Asks the user through the client whether to accept the risk. Errors: declined; as mcp::elicit().
Task<ConfirmedBy> confirm_risk(mcp::Call& call, std::string question) {
  if (!call.client_abilities().form) co_return ConfirmedBy::client;
  Task<mcp::ElicitExchange<AcknowledgeForm>> asking = mcp::elicit<AcknowledgeForm>(call, std::move(question));
  Result<mcp::ElicitExchange<AcknowledgeForm>> outcome = co_await std::move(asking);
  mcp::ElicitExchange<AcknowledgeForm> exchange = co_await outcome;
  if (!exchange.content || !exchange.content->accept)
    co_return error_with_hint(ErrorCode::permission_denied, "DECLINED",
                              "The user does not accept this risk; nothing was recorded.",
                              "Ask the user what to do instead.");
  co_return ConfirmedBy::user;
}

// Returns the first of the files, as many as one entry of the audit log lists.
std::vector<std::string> audited_files(const std::vector<std::string>& measured) {
  constexpr std::size_t files_max = 200;
  return {measured.begin(),
          measured.begin() + static_cast<std::ptrdiff_t>(std::min(measured.size(), files_max))};
}

// Records the acknowledgement. `client` is the name of the client, which may be empty.
Result<mcp::Summarized<SnapbackAcknowledgeRiskOutput>> acknowledge(App& app,
                                                                   const SnapbackAcknowledgeRiskInput& in,
                                                                   const OpenRisk& open,
                                                                   ConfirmedBy confirmed_by,
                                                                   const std::string& client) {
  const MeasuredWork& now = open.now;
  const core::Risk& risk = now.work_status.risk;
  core::AuditMembers members;
  if (!client.empty()) members.add("client", client);
  members.add("confirmed_by", text(confirmed_by))
      .add("file_count", static_cast<std::int64_t>(now.work_status.measured.size()))
      .add("files", texts_of_paths(audited_files(now.work_status.measured)))
      .add("reason", in.reason)
      .add("risk_level", text(enum_cast<RiskLevel>(risk.level)))
      .add("risk_score", risk.points);
  if (now.task) members.add("task_id", now.task->id);
  std::string id = TRY(write_audit_entry(app, "risk_acknowledged", members));
  SnapbackAcknowledgeRiskOutputData data;
  data.audit_id = std::move(id);
  data.confirmed_by = confirmed_by;
  data.reasons = to_schema(risk.reasons);
  data.risk_level = enum_cast<RiskLevel>(risk.level);
  data.risk_score = risk.points;
  NextActions actions(app);
  propose_snapshot(actions, now.work_status.protection, "before a risk that was acknowledged", 0.9,
                   "Some of the files are neither committed nor in a snapshot.");
  if (!now.task)
    actions.add(SnapbackSessionInput{.op = SessionOp::start, .task = "work with an acknowledged risk"}, 0.5,
                "A session has a snapshot to restore.");
  std::string summary = std::string(confirmed_by == ConfirmedBy::user
                                        ? "The user accepted the risk."
                                        : "Recorded; the client cannot ask the user to confirm.") +
                        " " + risk_sentence(risk) + with_leading_space(missing_sentence(now.work_status));
  return answer<SnapbackAcknowledgeRiskOutput>(std::move(data), now.health, std::move(actions),
                                               std::move(summary));
}

}  // namespace

Task<mcp::Summarized<SnapbackAcknowledgeRiskOutput>> snapback_acknowledge_risk(
    App& app, mcp::Call& call, const SnapbackAcknowledgeRiskInput& in) {
  const std::string client(call.client_name());
  auto measuring = [&] { return measure_open_risk(app, in, call.stop()); };
  Result<OpenRisk> looked = co_await call.offload(measuring);
  OpenRisk open = co_await looked;
  std::string question = risk_question(open, in);
  Task<ConfirmedBy> asking = confirm_risk(call, std::move(question));
  Result<ConfirmedBy> confirmed = co_await std::move(asking);
  const ConfirmedBy confirmed_by = co_await confirmed;
  auto job = [&] { return acknowledge(app, in, open, confirmed_by, client); };
  Result<mcp::Summarized<SnapbackAcknowledgeRiskOutput>> outcome = co_await call.offload(job);
  co_return outcome;
}

}  // namespace snapgen::tools
