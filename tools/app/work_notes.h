#pragma once
// Writes notes for `snap log` and `snap report` to `.snapback/logs/work.jsonl`. Writing is asynchronous, and
// nothing is written if `.snapback/` does not exist.
#include <optional>
#include <string>
#include <string_view>

#include "tools/app/app.h"
#include "tools/insight/check/report.h"
#include "tools/work/history/work_note.h"
#include "tools/work/log/audit_line.h"

namespace snapgen::tools {

// Notes the result of a check of the work tree. `task_id` is that of the call; nullopt means the latest open
// task. Blocks.
void note_check(App& app, const core::CheckReport& report, std::string_view mode,
                std::optional<std::string> task_id);

// Notes the current risk, with the current time as `at_ms`.
void note_risk(App& app, core::RiskNote note);

// Queues a line for audit.jsonl (work/log/audit_line.h). It is dropped if .snapback/ does not exist.
void queue_audit_line(App& app, std::string_view event, const core::AuditMembers& members);

}  // namespace snapgen::tools
