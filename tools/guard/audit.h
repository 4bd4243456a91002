#pragma once
// What a call destroyed, on its way to the log.
#include <string>
#include <string_view>

#include "tools/app.h"

namespace snapgen::tools {

// A line of audit.jsonl (core/log/audit_line.h), written where .snapback/ is there already, without waiting.
void audit_soon(App& app, std::string_view event, const std::string& members);

}  // namespace snapgen::tools
