#pragma once
// The table of AI hosts for `snap init` and `snap doctor`: the files with each host's servers, and the form
// of an entry. The rows are in host_forms.cc.
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace snapgen::tools {

enum class Host : std::uint8_t { claude, codex, gemini, qwen, opencode, copilot, cursor, vscode, desktop };
inline constexpr std::size_t host_count = 9;

enum class FileFormat : std::uint8_t {
  json,
  jsonc,  // JSON that may have comments and trailing commas.
  toml,
};

enum class CommandForm : std::uint8_t {
  program_and_args,  // Two members: "command": "program", "args": [...].
  one_list,          // One member: "command": ["program", ...].
};

struct HostForm {
  Host host;
  std::string_view name;   // The name of the host, which is a value of --host.
  std::string_view title;  // The name for sentences, such as "Claude Code".
  // Paths below the workspace. The host reads all of these files; `snap init` creates the first. Empty if the
  // host reads none.
  std::span<const std::string_view> files = {};
  // Paths below the home folder, which apply to all workspaces. They are never written.
  std::span<const std::string_view> user_files = {};
  FileFormat format = FileFormat::json;
  std::string_view servers = "mcpServers";  // The member or table with the servers.
  // The member of a user's file that has further `servers` objects, by the path of a workspace; or empty.
  std::string_view by_workspace = {};
  CommandForm command = CommandForm::program_and_args;
  std::string_view type = {};  // The value of an entry's member "type", or empty if it has no such member.
  // The host's variable for its folder. Empty if the host starts servers in that folder.
  std::string_view folder_variable = {};
  // True if the host asks before it calls a destructive tool, and its file can approve tools.
  bool approves_tools = false;
  // The file below the workspace with the user's own rules, whose member permissions.allow has the tools that
  // the host calls without asking. Empty if the host has none.
  std::string_view permissions_file = {};
  // A sentence with the user's next step, or empty.
  std::string_view next_step = {};
};

const HostForm& form_of(Host host);
std::span<const HostForm> all_host_forms();
// Returns the hosts that have files below the workspace, which are the values of --host.
std::span<const HostForm> project_host_forms();
std::optional<Host> host_named(std::string_view name);

}  // namespace snapgen::tools
