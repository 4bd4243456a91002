#include "tools/cli/hosts/host_forms.h"

#include <algorithm>

namespace snapgen::tools {
namespace {

using Files = std::string_view[];

constexpr Files claude_files = {".mcp.json"};
constexpr Files claude_user_files = {".claude.json"};
constexpr Files codex_files = {".codex/config.toml"};
constexpr Files gemini_files = {".gemini/settings.json"};
constexpr Files qwen_files = {".qwen/settings.json"};
constexpr Files opencode_files = {"opencode.json", "opencode.jsonc", ".opencode/opencode.json",
                                  ".opencode/opencode.jsonc"};
constexpr Files opencode_user_files = {".config/opencode/opencode.json", ".config/opencode/opencode.jsonc"};
constexpr Files copilot_files = {".github/mcp.json"};
constexpr Files copilot_user_files = {".copilot/mcp-config.json"};
constexpr Files cursor_files = {".cursor/mcp.json"};
constexpr Files vscode_files = {".vscode/mcp.json"};
constexpr Files desktop_files = {
#ifdef __APPLE__
    "Library/Application Support/Claude/claude_desktop_config.json"
#else
    ".config/Claude/claude_desktop_config.json"
#endif
};

constexpr std::string_view workspace_folder = "${workspaceFolder}";

// Tested with Claude Code 2.1.331, Codex 0.169.0, Gemini CLI 0.61.0, Qwen Code 0.24.4, OpenCode 1.18.33 and
// Copilot CLI 1.0.102; the other rows follow the hosts' documentation.
constexpr std::array<HostForm, host_count> forms = {{
    {.host = Host::claude,
     .name = "claude",
     .title = "Claude Code",
     .files = claude_files,
     .user_files = claude_user_files,
     .by_workspace = "projects",
     .permissions_file = ".claude/settings.local.json",
     .next_step = "Claude Code asks once whether it may start the server of this file."},
    {.host = Host::codex,
     .name = "codex",
     .title = "Codex",
     .files = codex_files,
     .user_files = codex_files,
     .format = FileFormat::toml,
     .servers = "mcp_servers",
     .approves_tools = true,
     .next_step = "Codex reads this file only in a folder that it trusts: start codex here and trust it."},
    {.host = Host::gemini,
     .name = "gemini",
     .title = "Gemini CLI",
     .files = gemini_files,
     .user_files = gemini_files,
     .format = FileFormat::jsonc,
     .next_step =
         "Gemini CLI reads this file only in a folder that it trusts: start gemini here and trust it."},
    {.host = Host::qwen,
     .name = "qwen",
     .title = "Qwen Code",
     .files = qwen_files,
     .user_files = qwen_files,
     .format = FileFormat::jsonc},
    {.host = Host::opencode,
     .name = "opencode",
     .title = "OpenCode",
     .files = opencode_files,
     .user_files = opencode_user_files,
     .format = FileFormat::jsonc,
     .servers = "mcp",
     .command = CommandForm::one_list,
     .type = "local"},
    {.host = Host::copilot,
     .name = "copilot",
     .title = "Copilot CLI",
     .files = copilot_files,
     .user_files = copilot_user_files,
     .type = "stdio",
     .next_step =
         "Copilot CLI reads this file only in a folder that it trusts: start copilot here and trust it."},
    {.host = Host::cursor,
     .name = "cursor",
     .title = "Cursor",
     .files = cursor_files,
     .user_files = cursor_files,
     .folder_variable = workspace_folder},
    {.host = Host::vscode,
     .name = "vscode",
     .title = "VS Code",
     .files = vscode_files,
     .format = FileFormat::jsonc,
     .servers = "servers",
     .type = "stdio",
     .folder_variable = workspace_folder},
    {.host = Host::desktop, .name = "desktop", .title = "Claude Desktop", .user_files = desktop_files},
}};

}  // namespace

const HostForm& form_of(Host host) { return forms[static_cast<std::size_t>(host)]; }

std::span<const HostForm> all_host_forms() { return forms; }

std::span<const HostForm> project_host_forms() {
  return std::span(forms).first(static_cast<std::size_t>(Host::desktop));
}

std::optional<Host> host_named(std::string_view name) {
  const auto found = std::ranges::find(forms, name, &HostForm::name);
  if (found == forms.end()) return std::nullopt;
  return found->host;
}

}  // namespace snapgen::tools
