#include "tools/app/user_settings.h"

#include <string>

#include "runtime/base/environment.h"
#include "runtime/base/text.h"
#include "runtime/json/reader.h"
#include "tools/engine/files/beneath.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/files/path.h"

namespace snapgen::tools {

Result<UserSettings> read_user_settings() {
  const std::string folder = user_folder("XDG_CONFIG_HOME", ".config");
  if (folder.empty()) return UserSettings();
  const std::string path = folder + "/snapgen/config.json";
  Result<std::string> text = core::read_whole(path, core::state_bytes_max, core::Links::followed);
  if (!text && text.error().code == ErrorCode::not_found) return UserSettings();
  if (!text) return std::move(text).error();
  UserSettings settings;
  const auto wrong = [&](const std::string& what) {
    return Error(ErrorCode::invalid_argument, core::path_in_sentence(path) + ": " + with_full_stop(what));
  };
  if (!json::valid_utf8(*text)) return wrong("the file is not valid UTF-8");
  json::Reader in(*text);
  read(in, settings);
  in.end();
  if (!in.syntax_ok())
    return wrong("not JSON at byte " + std::to_string(in.error_offset()) + ": " +
                 std::string(in.error_message()));
  if (in.ok()) return settings;
  const json::Violation first = in.violations().front();
  return wrong((first.pointer.empty() ? "the file" : first.pointer) + ": " + first.message);
}

}  // namespace snapgen::tools
