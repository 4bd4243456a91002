#include "tools/app/work_notes.h"

#include <utility>

#include "tools/engine/base/utc.h"
#include "tools/work/task/task_store.h"

namespace snapgen::tools {

void note_check(App& app, const core::CheckReport& report, std::string_view mode,
                std::optional<std::string> task_id) {
  Result<core::Workspace*> workspace = app.workspace();
  if (!workspace) return;
  if (!task_id) {
    Result<core::Task> task =
        core::TaskStore(core::record_folders_of(**workspace)).find_open_task(std::nullopt);
    task_id = task ? task->id : std::string();
  }
  const core::CheckNote note = core::check_note(report, mode, *std::move(task_id));
  app.log_writer.add(core::LogKind::work, json_line(note), core::LogFolder::only_if_exists);
}

void note_risk(App& app, core::RiskNote note) {
  note.at_ms = core::now_ms();
  app.log_writer.add(core::LogKind::work, json_line(note), core::LogFolder::only_if_exists);
}

void queue_audit_line(App& app, std::string_view event, const core::AuditMembers& members) {
  app.log_writer.add(core::LogKind::audit, core::audit_line(event, core::new_audit_id(), members),
                     core::LogFolder::only_if_exists);
}

}  // namespace snapgen::tools
