#pragma once
// The table of the AI hosts that `snap init` and `snap doctor` know: the files in which each names the
// servers that it starts, and the form of an entry there. The rows are in host_forms.cc.
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
  jsonc,  // JSON with comments and trailing commas.
  toml,
};

enum class CommandForm : std::uint8_t {
  program_and_args,  // "command": "program", "args": [...]
  one_list,          // "command": ["program", ...]
};

struct HostForm {
  Host host;
  std::string_view name;   // As --host has it.
  std::string_view title;  // "Claude Code"
  // Below the workspace. The host reads all of them, and `snap init` makes the first. Empty: the host reads
  // none there.
  std::span<const std::string_view> files = {};
  // Below the home folder, for all workspaces. They are never written.
  std::span<const std::string_view> user_files = {};
  FileFormat format = FileFormat::json;
  std::string_view servers = "mcpServers";  // The member, or table, that has the servers.
  // The member of a user's file that has, by the workspaces' paths, more objects with `servers`; empty: none.
  std::string_view by_workspace = {};
  CommandForm command = CommandForm::program_and_args;
  std::string_view type = {};  // The value of the member "type" of an entry; empty: it has none.
  // The host's variable for the folder that it works in; empty: it starts servers in that folder.
  std::string_view folder_variable = {};
  // Whether the host asks before calls of tools that may destroy something, and its file can approve tools.
  bool approves_tools = false;
  // A sentence that says what the user still has to do; empty: nothing.
  std::string_view afterwards = {};
};

const HostForm& form_of(Host host);
std::span<const HostForm> all_host_forms();
// The hosts whose files are below the workspace, as --host has them.
std::span<const HostForm> project_host_forms();
std::optional<Host> host_named(std::string_view name);

}  // namespace snapgen::tools
