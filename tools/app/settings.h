#pragma once
// The workspace's own settings: `.snapback/config.json`, as schemas/common/settings.json describes it.
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "schemas/common/settings.h"
#include "tools/engine/operations/gc/kinds.h"
#include "tools/engine/operations/gc/retention.h"
#include "tools/engine/write/write_rules.h"
#include "tools/insight/check/plan.h"

namespace snapgen::tools {

// What stands there; all defaults if there is no such file. Errors: invalid_argument, one sentence that says
// what is wrong where, and what was probably meant; those of read_state_file().
Result<Settings> read_settings(const std::string& workspace);
// The same of the file's text. Errors: invalid_argument.
Result<Settings> settings_of(std::string_view text);

// What the part "store" says.
core::Retention retention_of(const Settings& settings);
core::StoreLimits limits_of(const Settings& settings);

// What the part "writes" says. Errors: invalid_argument.
Result<core::WriteRules> write_rules_of(const Settings& settings);

// What the part "check" says. Errors: invalid_argument, a folder that is none of the workspace's.
Result<core::CheckSettings> checks_of(const Settings& settings);

}  // namespace snapgen::tools
