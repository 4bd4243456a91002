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
  jsonc,  // JSON with comments and trailing commas.
  toml,
};

enum class CommandForm : std::uint8_t {
  program_and_args,  // "command": "program", "args": [...]
  one_list,          // "command": ["program", ...]
};

struct HostForm {
  Host host;
  std::string_view name;   // The value of --host.
  std::string_view title;  // "Claude Code"
  // Paths below the workspace. The host reads all of them; `snap init` creates the first. Empty: the host
  // reads none.
  std::span<const std::string_view> files = {};
  // Paths below the home folder, for all workspaces. They are never written.
  std::span<const std::string_view> user_files = {};
  FileFormat format = FileFormat::json;
  std::string_view servers = "mcpServers";  // The member or table with the servers.
  // The member of a user's file with further `servers` objects by workspace path; empty: none.
  std::string_view by_workspace = {};
  CommandForm command = CommandForm::program_and_args;
  std::string_view type = {};  // The value of an entry's member "type"; empty: no such member.
  // The host's variable for its folder; empty: it starts servers in that folder.
  std::string_view folder_variable = {};
  // Whether the host asks before calls of destructive tools, and its file can approve tools.
  bool approves_tools = false;
  // A sentence with the user's next step; empty: none.
  std::string_view afterwards = {};
};

const HostForm& form_of(Host host);
std::span<const HostForm> all_host_forms();
// The hosts with files below the workspace, which --host accepts.
std::span<const HostForm> project_host_forms();
std::optional<Host> host_named(std::string_view name);

}  // namespace snapgen::tools
