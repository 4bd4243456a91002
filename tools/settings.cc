#include "tools/settings.h"

#include "runtime/json/reader.h"
#include "tools/core/store/durable.h"

namespace snapgen::tools {
namespace {

constexpr std::string_view file_name = ".snapback/config.json";

Error wrong(const std::string& what) {
  return Error(ErrorCode::invalid_argument, std::string(file_name) + ": " + what);
}

}  // namespace

Result<Settings> read_settings(const std::string& workspace) {
  Settings settings;
  Result<std::string> text = core::read_whole(workspace + "/" + std::string(file_name));
  if (!text && text.error().code == ErrorCode::not_found) return settings;
  if (!text) return std::move(text).error();
  if (!json::valid_utf8(*text)) return wrong("the file is not valid UTF-8.");
  json::Reader in(*text);
  read(in, settings);
  in.end();
  if (!in.syntax_ok()) {
    return wrong("not JSON at byte " + std::to_string(in.error_offset()) + ": " +
                 std::string(in.error_message()) + ".");
  }
  if (in.ok()) return settings;
  json::Violation first = in.violations().front();
  std::string where = first.pointer.empty() ? "the file" : first.pointer;
  return wrong(where + ": " + first.message);
}

core::Retention retention_of(const Settings& settings) {
  StoreSettings store = settings.store.value_or(StoreSettings());
  return core::Retention{.keep_days = store.keep_days,
                         .keep_count = store.keep_count,
                         .quota_bytes = store.quota_bytes,
                         .sweep_hours = store.sweep_hours};
}

}  // namespace snapgen::tools
