#pragma once
// The workspace's settings: `.snapback/config.json`, as schemas/common/settings.json describes it.
#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "schemas/common/settings.h"
#include "schemas/common/user_settings.h"
#include "tools/engine/operations/gc/kinds.h"
#include "tools/engine/operations/gc/retention.h"
#include "tools/engine/operations/history/history_options.h"
#include "tools/engine/write/write_rules.h"
#include "tools/insight/check/run/plan.h"

namespace snapgen::tools {

// Reads the settings; defaults if there is no file. Errors: invalid_argument, a sentence with the location,
// the problem and a suggestion; those of read_state_file().
Result<Settings> read_settings(const std::string& workspace);
// Parses the file's text. Errors: invalid_argument.
Result<Settings> parse_settings(std::string_view text);

// These functions read the section "store".
core::Retention retention_of(const Settings& settings);
core::StoreLimits store_limits_of(const Settings& settings);

// Reads the section "history"; nullopt if the history is off.
std::optional<core::HistoryOptions> history_options_of(const Settings& settings);

// Reads the section "writes". Errors: invalid_argument.
Result<core::WriteRules> write_rules_of(const Settings& settings);

// Reads the section "check". Errors: invalid_argument (a folder is outside of the workspace).
Result<core::CheckSettings> check_settings_of(const Settings& settings);

// Reads the user's settings, which apply in every workspace and which no repository can change:
// snapgen/config.json in $XDG_CONFIG_HOME, as schemas/common/user_settings.json describes it; defaults if
// there is no file. Errors: invalid_argument, with the file's path; unavailable.
Result<UserSettings> read_user_settings();

}  // namespace snapgen::tools
