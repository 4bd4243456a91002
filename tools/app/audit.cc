#include "tools/app/audit.h"

namespace snapgen::tools {

void queue_audit_line(App& app, std::string_view event, const core::AuditMembers& members) {
  app.log_writer.add(core::LogKind::audit, core::audit_line(event, core::new_audit_id(), members),
                     core::LogFolder::only_if_exists);
}

}  // namespace snapgen::tools
