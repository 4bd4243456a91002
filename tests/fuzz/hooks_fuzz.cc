// Any bytes as the JSON that a host passes to a hook, and as a host's file with hooks. An event must be one
// line that is read as the same event. A file that our hooks are added to must then have them once, and not
// after their removal.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/json/reader.h"
#include "tests/fuzz/target.h"
#include "tools/cli/hosts/hook_event.h"
#include "tools/cli/hosts/hook_file.h"
#include "tools/cli/hosts/jsonc.h"

namespace snapgen::tools {
namespace {

void read_as_event(std::string_view payload, const HostForm& host, std::string_view event_name) {
  const Result<std::optional<HookReport>> report = read_hook(host, event_name, payload);
  if (!report || !*report) return;
  const core::HostEvent event = core::within_limits((*report)->event);
  const std::string line = core::encoded_event(event);
  FUZZ_EXPECT(json::valid_utf8(line));
  FUZZ_EXPECT(line.find('\n') == std::string::npos);
  const std::optional<core::HostEvent> again = core::parse_event(line);
  FUZZ_EXPECT(again && *again == event);
}

void change_as_file(std::string_view text, const HostForm& host) {
  const std::string program = "/opt/my tools/snap";
  static_cast<void>(hook_programs(text, host));
  const Result<std::string> changed = with_our_hooks(text, host, program);
  if (!changed) return;
  const Result<std::vector<std::string>> programs = hook_programs(*changed, host);
  FUZZ_EXPECT(programs && *programs == std::vector<std::string>{program});
  const Result<std::string> again = with_our_hooks(*changed, host, program);
  FUZZ_EXPECT(again && *again == *changed);
  const Result<std::string> removed = without_our_hooks(*changed, host);
  FUZZ_EXPECT(removed);
  const Result<std::vector<std::string>> others = hook_programs(*removed, host);
  FUZZ_EXPECT(others && others->empty());
}

}  // namespace
}  // namespace snapgen::tools

FUZZ_TARGET(hooks) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const auto& [form, traits] : snapgen::tools::all_hosts()) {
    if (form.hooks.file.empty()) continue;
    snapgen::tools::read_as_event(text, form, "");
    for (const snapgen::tools::HookEvent& event : form.hooks.events)
      snapgen::tools::read_as_event(text, form, event.name);
    snapgen::tools::change_as_file(text, form);
  }
  return 0;
}
