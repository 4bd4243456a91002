#include "tools/app/user_settings.h"

#include <string>

#include "runtime/base/environment.h"
#include "tools/app/settings_text.h"
#include "tools/engine/files/beneath.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/files/path.h"

namespace snapgen::tools {

Result<UserSettings> read_user_settings() {
  const std::string folder = user_base_folder("XDG_CONFIG_HOME", ".config");
  if (folder.empty()) return UserSettings();
  const std::string path = folder + "/snapgen/config.json";
  Result<std::string> text =
      core::read_whole_file(path, core::state_bytes_max, core::SymlinkPolicy::followed);
  if (!text && text.error().code == ErrorCode::not_found) return UserSettings();
  if (!text) return std::move(text).error();
  return settings_of_text<UserSettings>(*text, core::path_in_sentence(path));
}

}  // namespace snapgen::tools
