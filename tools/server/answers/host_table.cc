#include "tools/server/answers/host_table.h"

namespace snapgen::tools {
namespace {

// The members that the text form does not show either. A model continues with the lease.
constexpr std::string_view members_of_no_use_to_models[] = {"blob", "cache_hint", "fingerprint"};

// Measured with Claude Code 2.1.331, Codex 0.169.0, Gemini CLI 0.61.0, Qwen Code 0.24.4, OpenCode 1.18.33 and
// Copilot CLI 1.0.102, unless a row says otherwise.
constexpr HostTraits hosts[] = {
    // Claude Code shows only the structured content if there is any. It writes a longer result to a file and
    // shows 2 KB of it.
    {.client_name = "claude-code",
     .answer_form = AnswerForm::text,
     .shown_bytes_max = 50'000,
     .folder_variable = "CLAUDE_PROJECT_DIR",
     .plugin_variable = "CLAUDE_PLUGIN_ROOT",
     .plugin_manifest = ".claude-plugin/plugin.json"},
    // Codex shows only the structured content, and cuts the middle out of a longer result. Most of its models
    // write scripts that call tools, and see outputSchema as the return type. It shows 40,000 bytes of what a
    // script prints, and 48,000 of a result without a script.
    {.client_name = "codex-mcp-client",
     .answer_form = AnswerForm::json,
     .reads_output_schema = true,
     .omitted_members = members_of_no_use_to_models,
     .shown_bytes_max = 39'500,
     .folder_meta_member = "x-codex-turn-metadata",
     .plugin_manifest = ".codex-plugin/plugin.json"},
    // Copilot CLI shows text and structured content if they differ. It shows 500 characters of a longer
    // result.
    {.client_name = "copilot-cli",
     .answer_form = AnswerForm::text,
     .shown_bytes_max = 20'480,
     .plugin_variable = "COPILOT_PLUGIN_ROOT"},
    // Gemini CLI shows only the text. It replaces an error of a tool with an outputSchema by an error about
    // that schema. It cuts the middle out of a longer result.
    {.client_name = "gemini-cli-mcp-client",
     .answer_form = AnswerForm::text,
     .shown_bytes_max = 40'000,
     .added_argument = "wait_for_previous",
     .plugin_manifest = "gemini-extension.json"},
    // OpenCode shows only the text: the first lines of a longer one, or nothing if its first line is too
    // long. The limits are from its source: MAX_BYTES and MAX_LINES of its Truncate service.
    {.client_name = "opencode",
     .answer_form = AnswerForm::text,
     .shown_bytes_max = 51'200,
     .shown_lines_max = 2'000},
    // Qwen Code shows text and structured content if they differ. It shows 2,000 characters of a longer
    // result. The limit is from its source: DEFAULT_TRUNCATE_TOOL_OUTPUT_THRESHOLD.
    {.client_name = "qwen-cli-mcp-client",
     .is_prefix = true,
     .answer_form = AnswerForm::text,
     .shown_bytes_max = 25'000,
     .plugin_manifest = "qwen-extension.json"},
};

constexpr HostTraits others{};

}  // namespace

const HostTraits& host_traits(std::string_view client) {
  for (const HostTraits& host : hosts)
    if (client == host.client_name || (host.is_prefix && client.starts_with(host.client_name))) return host;
  return others;
}

std::span<const HostTraits> all_host_traits() { return hosts; }

}  // namespace snapgen::tools
