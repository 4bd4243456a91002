#pragma once
// Writes the audit lines of a call.
#include <string_view>

#include "tools/app/app.h"
#include "tools/work/log/audit_line.h"

namespace snapgen::tools {

// Queues a line for audit.jsonl (work/log/audit_line.h). It is dropped if .snapback/ does not exist.
void queue_audit_line(App& app, std::string_view event, const core::AuditMembers& members);

}  // namespace snapgen::tools
