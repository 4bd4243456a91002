#pragma once
// Lines of audit.jsonl: what was destroyed, put back or acknowledged, by whichever family.
#include <string>
#include <string_view>

#include "tools/app.h"

namespace snapgen::tools {

std::string new_audit_id();

// One line. `members`: of its object, canonical JSON that begins with a comma, or nothing; what looks like a
// secret is left out.
std::string audit_line(std::string_view event, std::string_view id, const std::string& members);

// What a call destroyed, on its way to the log: written where .snapback/ is there already, without waiting.
void audit_soon(App& app, std::string_view event, const std::string& members);

}  // namespace snapgen::tools
