#include "tools/hosts/host_table.h"

namespace snapgen::tools {
namespace {

// The members that the text form does not show either. A model continues with the lease and the blob.
constexpr std::string_view members_of_no_use_to_models[] = {"cache_hint", "fingerprint"};

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
constexpr Files zed_files = {".zed/settings.json"};
constexpr Files zed_user_files = {".config/zed/settings.json"};
constexpr Files kiro_files = {".kiro/settings/mcp.json"};
constexpr Files junie_files = {".junie/mcp/mcp.json"};
constexpr Files windsurf_files = {".codeium/windsurf/mcp_config.json"};
#ifdef __APPLE__
constexpr std::string_view desktop_folder = "Library/Application Support/Claude";
constexpr Files desktop_files = {"Library/Application Support/Claude/claude_desktop_config.json"};
#else
constexpr std::string_view desktop_folder = ".config/Claude";
constexpr Files desktop_files = {".config/Claude/claude_desktop_config.json"};
#endif

constexpr std::string_view workspace_folder = "${workspaceFolder}";

constexpr HookEvent claude_events[] = {{"SessionStart", "session_begin"}, {"SessionEnd", "session_end"},
                                       {"UserPromptSubmit", "prompt"},    {"Stop", "turn_end"},
                                       {"StopFailure", "turn_end"},       {"PreToolUse", "tool_begin"},
                                       {"PostToolUse", "tool_end"},       {"PostToolUseFailure", "tool_end"}};
constexpr HookEvent codex_events[] = {{"SessionStart", "session_begin"}, {"SessionEnd", "session_end"},
                                      {"UserPromptSubmit", "prompt"},    {"Stop", "turn_end"},
                                      {"Interrupt", "turn_end"},         {"PreToolUse", "tool_begin"},
                                      {"PostToolUse", "tool_end"}};
constexpr HookEvent gemini_events[] = {{"SessionStart", "session_begin"}, {"SessionEnd", "session_end"},
                                       {"BeforeAgent", "prompt"},         {"AfterAgent", "turn_end"},
                                       {"BeforeTool", "tool_begin"},      {"AfterTool", "tool_end"}};
// Copilot CLI reports the same JSON as Qwen Code for events with these names.
constexpr HookEvent qwen_events[] = {{"SessionStart", "session_begin"}, {"SessionEnd", "session_end"},
                                     {"UserPromptSubmit", "prompt"},    {"Stop", "turn_end"},
                                     {"PreToolUse", "tool_begin"},      {"PostToolUse", "tool_end"},
                                     {"PostToolUseFailure", "tool_end"}};
// The plugin passes these names, which are OpenCode's.
constexpr HookEvent opencode_events[] = {{"session.created", "session_begin"},
                                         {"dispose", "session_end"},
                                         {"chat.message", "prompt"},
                                         {"session.idle", "turn_end"},
                                         {"tool.execute.before", "tool_begin"},
                                         {"tool.execute.after", "tool_end"}};
constexpr HookEvent cursor_events[] = {{"sessionStart", "session_begin"},
                                       {"sessionEnd", "session_end"},
                                       {"beforeSubmitPrompt", "prompt"},
                                       {"stop", "turn_end"},
                                       {"beforeShellExecution", "tool_begin", "shell"},
                                       {"afterShellExecution", "tool_end", "shell"},
                                       {"afterFileEdit", "tool_end", "edit"}};

// Measured with Claude Code 2.1.331, Codex 0.169.0, Gemini CLI 0.61.0, Qwen Code 0.24.4, OpenCode 1.18.33 and
// Copilot CLI 1.0.102, unless a row says otherwise; the other rows follow the hosts' documentation.
constexpr std::array<HostRow, host_count> rows = {{
    // Claude Code shows only the structured content if there is any. It writes a longer result to a file and
    // shows 2 KB of it.
    {.form = {.host = Host::claude,
              .name = "claude",
              .title = "Claude Code",
              .folder = ".claude",
              .program = "claude",
              .files = claude_files,
              .user_files = claude_user_files,
              .by_workspace = "projects",
              .permissions_file = ".claude/settings.local.json",
              .next_step = "Claude Code asks once whether it may start the server of this file.",
              .hooks = {.file = ".claude/settings.local.json",
                        .events = claude_events,
                        .folder_variable = "CLAUDE_PROJECT_DIR"}},
     .traits = {.client_name = "claude-code",
                .answer_form = AnswerForm::text,
                .shown_bytes_max = 50'000,
                .folder_variable = "CLAUDE_PROJECT_DIR",
                .plugin_variable = "CLAUDE_PLUGIN_ROOT",
                .plugin_manifest = ".claude-plugin/plugin.json"}},
    // Codex shows only the structured content, and cuts the middle out of a longer result. Most of its models
    // write scripts that call tools, and see outputSchema as the return type. It shows 40,000 bytes of what a
    // script prints, and 48,000 of a result without a script.
    {.form = {.host = Host::codex,
              .name = "codex",
              .title = "Codex",
              .folder = ".codex",
              .program = "codex",
              .files = codex_files,
              .user_files = codex_files,
              .format = FileFormat::toml,
              .servers = "mcp_servers",
              .approves_tools = true,
              .next_step =
                  "Codex reads this file only in a folder that it trusts: start codex here and trust it.",
              .hooks = {.file = ".codex/hooks.json",
                        .events = codex_events,
                        .next_step = "Codex runs these hooks only after you trust them: start codex here."}},
     .traits = {.client_name = "codex-mcp-client",
                .answer_form = AnswerForm::json,
                .reads_output_schema = true,
                .omitted_members = members_of_no_use_to_models,
                .shown_bytes_max = 39'500,
                .folder_meta_member = "x-codex-turn-metadata",
                .plugin_manifest = ".codex-plugin/plugin.json"}},
    // Gemini CLI shows only the text. It replaces an error of a tool with an outputSchema by an error about
    // that schema. It cuts the middle out of a longer result.
    {.form =
         {.host = Host::gemini,
          .name =
              "gemini",
          .title = "Gemini CLI",
          .folder = ".gemini",
          .program =
              "gemini",
          .files = gemini_files,
          .user_files = gemini_files,
          .format = FileFormat::jsonc,
          .next_step =
              "Gemini CLI reads this file only in a folder that it trusts: start gemini here and trust it.",
          .hooks = {.file = ".gemini/settings.json",
                    .after_command = R"(, "timeout": 5000)",
                    .events = gemini_events,
                    .reads_json = true,
                    .folder_variable = "CLAUDE_PROJECT_DIR"}},
     .traits = {.client_name = "gemini-cli-mcp-client",
                .answer_form = AnswerForm::text,
                .shown_bytes_max = 40'000,
                .added_argument = "wait_for_previous",
                .plugin_manifest = "gemini-extension.json"}},
    // Qwen Code shows text and structured content if they differ. It shows 2,000 characters of a longer
    // result. The limit is from its source: DEFAULT_TRUNCATE_TOOL_OUTPUT_THRESHOLD.
    {.form = {.host = Host::qwen,
              .name = "qwen",
              .title = "Qwen Code",
              .folder = ".qwen",
              .program = "qwen",
              .files = qwen_files,
              .user_files = qwen_files,
              .format = FileFormat::jsonc,
              .hooks = {.file = ".qwen/settings.json",
                        .events = qwen_events,
                        .reads_json = true,
                        .user_prompt_member = "submitted_prompt"}},
     .traits = {.client_name = "qwen-cli-mcp-client",
                .is_prefix = true,
                .answer_form = AnswerForm::text,
                .shown_bytes_max = 25'000,
                .plugin_manifest = "qwen-extension.json"}},
    // OpenCode shows only the text: the first lines of a longer one, or nothing if its first line is too
    // long. The limits are from its source: MAX_BYTES and MAX_LINES of its Truncate service.
    {.form = {.host = Host::opencode,
              .name = "opencode",
              .title = "OpenCode",
              .folder = ".opencode",
              .user_folder = ".config/opencode",
              .program = "opencode",
              .files = opencode_files,
              .user_files = opencode_user_files,
              .format = FileFormat::jsonc,
              .servers = "mcp",
              .command = CommandForm::one_list,
              .type = "local",
              .hooks = {.file = ".opencode/plugins/snapgen.js",
                        .layout = HookLayout::plugin,
                        .events = opencode_events}},
     .traits = {.client_name = "opencode",
                .answer_form = AnswerForm::text,
                .shown_bytes_max = 51'200,
                .shown_lines_max = 2'000}},
    // Copilot CLI shows text and structured content if they differ. It shows 500 characters of a longer
    // result.
    {.form = {.host = Host::copilot,
              .name = "copilot",
              .title = "Copilot CLI",
              .folder = ".copilot",
              .program = "copilot",
              .files = copilot_files,
              .user_files = copilot_user_files,
              .type = "stdio",
              .next_step = "Copilot CLI reads this file only in a folder that it trusts: start copilot here "
                           "and trust it.",
              .hooks = {.file = ".github/hooks/snapgen.json",
                        .layout = HookLayout::list,
                        .before_command = R"("type": "command", "bash": )",
                        .after_command = R"(, "timeoutSec": 5)",
                        .events = qwen_events,
                        .reads_json = true,
                        .folder_variable = "CLAUDE_PROJECT_DIR"}},
     .traits = {.client_name = "copilot-cli",
                .answer_form = AnswerForm::text,
                .shown_bytes_max = 20'480,
                .plugin_variable = "COPILOT_PLUGIN_ROOT"}},
    {.form = {.host = Host::cursor,
              .name = "cursor",
              .title = "Cursor",
              .folder = ".cursor",
              .program = "cursor",
              .files = cursor_files,
              .user_files = cursor_files,
              .folder_variable = workspace_folder,
              .hooks = {.file = ".cursor/hooks.json",
                        .layout = HookLayout::list,
                        .before_command = R"("command": )",
                        .after_command = {},
                        .events = cursor_events,
                        .reads_json = true}},
     .traits = {}},
    {.form = {.host = Host::vscode,
              .name = "vscode",
              .title = "VS Code",
              .folder = ".vscode",
              .user_folder = ".config/Code",
              .program = "code",
              .files = vscode_files,
              .format = FileFormat::jsonc,
              .servers = "servers",
              .type = "stdio",
              .folder_variable = workspace_folder},
     .traits = {}},
    {.form = {.host = Host::zed,
              .name = "zed",
              .title = "Zed",
              .folder = ".zed",
              .user_folder = ".config/zed",
              .program = "zed",
              .files = zed_files,
              .user_files = zed_user_files,
              .format = FileFormat::jsonc,
              .servers = "context_servers",
              .next_step =
                  "Zed reads this file only in a folder that it trusts: open the folder and trust it."},
     .traits = {}},
    // Kiro starts servers in its own folder, and replaces no variables of the workspace.
    {.form = {.host = Host::kiro,
              .name = "kiro",
              .title = "Kiro",
              .folder = ".kiro",
              .program = "kiro",
              .files = kiro_files,
              .user_files = kiro_files,
              .needs_workspace = true},
     .traits = {}},
    {.form = {.host = Host::junie,
              .name = "junie",
              .title = "Junie",
              .folder = ".junie",
              .program = "junie",
              .files = junie_files,
              .user_files = junie_files,
              .needs_workspace = true},
     .traits = {}},
    {.form = {.host = Host::windsurf,
              .name = "windsurf",
              .title = "Windsurf",
              .folder = ".windsurf",
              .user_folder = ".codeium/windsurf",
              .program = "windsurf",
              .user_files = windsurf_files,
              .needs_workspace = true,
              .next_step = "Refresh the servers in the MCP settings of Windsurf, or start it again."},
     .traits = {}},
    {.form = {.host = Host::desktop,
              .name = "desktop",
              .title = "Claude Desktop",
              .user_folder = desktop_folder,
              .program = "claude-desktop",
              .user_files = desktop_files,
              .needs_workspace = true,
              .next_step = "Claude Desktop reads this file only when it starts: start it again."},
     .traits = {}},
}};

constexpr HostTraits others{};

}  // namespace

std::span<const HostRow> all_hosts() { return rows; }

const HostForm& form_of(Host host) { return rows[static_cast<std::size_t>(host)].form; }

std::optional<Host> host_named(std::string_view name) {
  for (const HostRow& row : rows)
    if (row.form.name == name) return row.form.host;
  return std::nullopt;
}

const HostTraits& host_traits(std::string_view client) {
  for (const auto& [form, traits] : rows) {
    if (traits.client_name.empty()) continue;
    if (client == traits.client_name || (traits.is_prefix && client.starts_with(traits.client_name)))
      return traits;
  }
  return others;
}

}  // namespace snapgen::tools
