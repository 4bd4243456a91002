#pragma once
// What a call destroyed, on its way to the log.
#include <string_view>

#include "tools/app/app.h"
#include "tools/work/log/audit_line.h"

namespace snapgen::tools {

// A line of audit.jsonl (work/log/audit_line.h), written where .snapback/ is there already, without waiting.
void audit_soon(App& app, std::string_view event, const core::AuditMembers& members);

}  // namespace snapgen::tools
