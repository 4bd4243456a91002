// Any bytes as a host's configuration file, which people edit. A text that is accepted as JSON must change at
// one position only and then name our server. Replacing comments must not shift any byte.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/target.h"
#include "tools/cli/hosts/host_file.h"

namespace snapgen::tools {
namespace {

const std::string workspace = "/home/user/project";

bool names_us(std::string_view text, Host host) {
  const Result<std::vector<HostServer>> servers = servers_of(text, host);
  return servers && find_our_entry(*servers, host, workspace) != servers->end();
}

void use(std::string_view text, Host host) {
  const bool is_toml = form_of(host).format == FileFormat::toml;
  const Comments comments = form_of(host).format == FileFormat::jsonc ? Comments::allowed : Comments::refused;
  FUZZ_EXPECT(without_comments(text, comments).size() == text.size());
  const Result<std::vector<HostServer>> servers = servers_of(text, host);
  if (servers)
    for (const HostServer& each : *servers) static_cast<void>(wrong_arguments_sentence(each));
  const EntryChange entry{.entry = entry_for(host, "/usr/bin/snap", workspace),
                          .workspace = workspace,
                          .approved_tools = {"a", "b"}};
  const Result<std::string> changed = with_our_entry(text, host, entry);
  if (!changed) return;
  if (!is_toml) FUZZ_EXPECT(checked_json(*changed, comments));
  if (servers) FUZZ_EXPECT(names_us(*changed, host));
  const Result<std::string> again = with_our_entry(*changed, host, entry);
  FUZZ_EXPECT(again && *again == *changed);
  const Result<std::string> removed = without_our_entry(*changed, host, workspace);
  if (removed) FUZZ_EXPECT(!names_us(*removed, host));
}

}  // namespace
}  // namespace snapgen::tools

FUZZ_TARGET(hosts) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  using snapgen::tools::Host;
  for (const Host host : {Host::claude, Host::codex, Host::vscode, Host::windsurf})
    snapgen::tools::use(text, host);
  return 0;
}
