#pragma once
// The user's settings, which apply in every workspace and which no repository can change: snapgen/config.json
// in $XDG_CONFIG_HOME, as schemas/common/user_settings.json describes it.
#include "runtime/base/result.h"
#include "schemas/common/user_settings.h"

namespace snapgen::tools {

// Reads the settings; defaults if there is no file. Errors: invalid_argument, with the file's path;
// unavailable.
Result<UserSettings> read_user_settings();

}  // namespace snapgen::tools
