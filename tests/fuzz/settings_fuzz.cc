// Any bytes as the settings of a workspace. Invalid settings must give an error of one sentence. With valid
// settings, no folder may lead out of the workspace, a service must be reached over https or on this machine,
// and with any rule about writing, no tool may write the settings.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/fetch/service.h"
#include "runtime/json/reader.h"
#include "tests/fuzz/target.h"
#include "tools/app/settings.h"

namespace snapgen::tools {
namespace {

void expect_sentence(const Error& error) {
  FUZZ_EXPECT(error.code == ErrorCode::invalid_argument);
  FUZZ_EXPECT(json::valid_utf8(error.message));
  FUZZ_EXPECT(error.message.find('\n') == std::string::npos);
}

void use_settings(const Settings& settings) {
  const core::Retention kept = retention_of(settings);
  FUZZ_EXPECT(kept.keep_days >= 0 && kept.keep_count >= 0 && kept.quota_bytes >= 0);
  if (const Result<core::WriteRules> rules = write_rules_of(settings)) {
    const bool binds = settings.writes &&
                       (settings.writes->allow || (settings.writes->deny && !settings.writes->deny->empty()));
    if (binds) FUZZ_EXPECT(!rules->check(".snapback/config.json"));
    for (const std::string_view path : {"a", "src/main.c", ".env", "a/b/c.pem"}) {
      const Result<Unit> may = rules->check(path);
      FUZZ_EXPECT(may || may.error().code == ErrorCode::permission_denied);
    }
  } else {
    expect_sentence(rules.error());
  }
  if (const Result<core::CheckSettings> checks = check_settings_of(settings)) {
    for (const auto* commands : {&checks->replacement_commands, &checks->added_commands}) {
      for (const core::CheckCommand& each : *commands) {
        FUZZ_EXPECT(!each.argv.empty());
        FUZZ_EXPECT(!each.folder.starts_with('/') &&
                    ("/" + each.folder + "/").find("/../") == std::string::npos);
      }
    }
  } else {
    expect_sentence(checks.error());
  }
  if (settings.api) {
    const std::string origin = fetch::origin_of(settings.api->base_url);
    FUZZ_EXPECT(origin.starts_with("https://") || origin.starts_with("http://localhost") ||
                origin.starts_with("http://127.0.0.1") || origin.starts_with("http://[::1]"));
    FUZZ_EXPECT(!fetch::base_url_fault(origin));
    FUZZ_EXPECT(origin.find_first_of("@?#\\ \t\r\n") == std::string::npos);
  }
}

}  // namespace
}  // namespace snapgen::tools

FUZZ_TARGET(settings) {
  using namespace snapgen::tools;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const snapgen::Result<Settings> settings = parse_settings(text);
  if (settings) {
    use_settings(*settings);
  } else {
    expect_sentence(settings.error());
  }
  return 0;
}
