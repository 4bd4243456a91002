#pragma once
// Code that the handlers of the facade share: the envelope of every answer, and the status of the work.
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/base/enum_cast.h"
#include "runtime/base/visible.h"
#include "runtime/mcp/call.h"
#include "runtime/mcp/content.h"
#include "schemas/facade/learned.h"
#include "schemas/facade/risk_level.h"
#include "schemas/facade/risk_reason.h"
#include "schemas/facade/session_health.h"
#include "tools/app/app.h"
#include "tools/app/error_with_hint.h"
#include "tools/app/next_actions.h"
#include "tools/app/run_on_pool.h"
#include "tools/app/work_notes.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/base/utc.h"
#include "tools/engine/operations/protection.h"
#include "tools/work/log/audit_line.h"
#include "tools/work/memory/memory.h"
#include "tools/work/task/task.h"
#include "tools/work/task/work_status.h"

namespace snapgen::tools {

using core::count_with_noun;
using core::missing_sentence;
using core::short_snapshot_id;
using core::shortened;
using core::with_leading_space;

// The status of the work during a call, and `health`, the part of it that the answer contains.
struct MeasuredWork {
  std::optional<core::Task> task;  // The current task, if any.
  core::WorkStatus work_status;
  std::string stale_context;  // As stale_context_sentence().
  SessionHealth health;
};

// Measures the open task together with `files`. Errors: as core::measure_work_status().
Result<MeasuredWork> measure_with_files(const core::WorkspaceServices& services,
                                        const std::vector<std::string>& files, std::string_view words,
                                        const std::stop_token& stop);

// Does as measure_with_files(), but if `files` is not empty, `work_status` covers only these files and has no
// dirty files. `health` is still that of the whole work.
Result<MeasuredWork> measure_only_files(const core::WorkspaceServices& services,
                                        const std::vector<std::string>& files, std::string_view words,
                                        const std::stop_token& stop);

// Returns the complete answer with the proposals in `actions`. Also records the status of the work.
template <class Output, class Data>
mcp::Summarized<Output> answer(Data data, const SessionHealth& health, NextActions actions,
                               std::string summary) {  // NOLINT(performance-unnecessary-value-param): moved
  note_risk(actions.app(), {.task_id = health.task_id.value_or(""),
                            .level = enum_cast<core::RiskLevel>(health.risk_level),
                            .points = health.risk_score,
                            .dirty = health.dirty,
                            .protection = health.protection});
  Output output;
  output.data = std::move(data);
  output.next_actions = std::move(actions).ranked();
  output.session = health;
  output.timestamp = core::iso_time(core::now_ms());
  return {.output = std::move(output), .summary = visible(std::move(summary))};
}

std::vector<RiskReason> to_schema(const std::vector<core::RiskReason>& reasons);
Learned to_schema(const core::Learning& learning);
std::vector<Learned> to_schema(const std::vector<core::RecalledLearning>& learnings);
// Returns the risk as a sentence: "Low risk (2 points): a.ts: authentication."
std::string risk_sentence(const core::Risk& risk);

// Proposes a snapshot of the unprotected files, if there are any, with the tool that the tier allows. It
// names them if they are few, because a snapshot of everything leaves out ignored files. `label` is the
// snapshot's.
void propose_snapshot(NextActions& actions, const core::Protection& protection, std::string_view label,
                      double priority, std::string reason);

// Proposes to acknowledge a high risk of these files. Only the user can give the reason.
void propose_acknowledgement(NextActions& actions, const std::optional<std::vector<std::string>>& files,
                             double priority);

// Durably writes an event to audit.jsonl, and returns the id of the entry. Errors: as
// LogWriter::write_durably().
Result<std::string> write_audit_entry(App& app, std::string_view event, const core::AuditMembers& members);

}  // namespace snapgen::tools
