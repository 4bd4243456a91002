#pragma once
// The table of AI hosts, one row for each: the files with its servers and hooks, and their form (`snap init`,
// `snap doctor`, `snap hook`), and the answers that its model sees. The rows are in host_table.cc.
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace snapgen::tools {

enum class Host : std::uint8_t {
  claude,
  codex,
  gemini,
  qwen,
  opencode,
  copilot,
  cursor,
  vscode,
  zed,
  kiro,
  junie,
  windsurf,
  desktop
};
inline constexpr std::size_t host_count = 13;

enum class FileFormat : std::uint8_t {
  json,
  jsonc,  // JSON that may have comments and trailing commas.
  toml,
};

enum class CommandForm : std::uint8_t {
  program_and_args,  // Two members: "command": "program", "args": [...].
  one_list,          // One member: "command": ["program", ...].
};

// An event that a host reports to its hooks.
struct HookEvent {
  std::string_view name;       // The host's name of the event.
  std::string_view kind;       // The kind of the event in the history, as core::HostEventKind is written.
  std::string_view tool = {};  // The name of the tool, for an event whose JSON does not name it.
};

enum class HookLayout : std::uint8_t {
  groups,  // Each event has a list of groups: "EVENT": [{"hooks": [HOOK]}].
  list,    // Each event has a list of hooks: "EVENT": [HOOK]. The file has a version.
  plugin,  // The file is a JavaScript module that runs in the host and starts the program.
};

// The hooks of a host, with which it runs `snap hook` when it begins or ends something.
struct HookForm {
  // The path below the workspace that `snap init` writes. Empty if the host has no hooks.
  std::string_view file = {};
  HookLayout layout = HookLayout::groups;
  // The JSON of a hook before and after the text of its command.
  std::string_view before_command = R"("type": "command", "command": )";
  std::string_view after_command = R"(, "timeout": 5)";
  std::span<const HookEvent> events = {};
  // True if the host reads a hook's standard output as JSON.
  bool reads_json = false;
  // A member that only prompts of the user have, if the host also reports others. Empty otherwise.
  std::string_view user_prompt_member = {};
  // The variable with the project's folder in the environment of a hook. Empty if there is none.
  std::string_view folder_variable = {};
  // A sentence with the user's next step, or empty.
  std::string_view next_step = {};
};

struct HostForm {
  Host host = Host::claude;
  std::string_view name;   // The name of the host, which is a value of --host.
  std::string_view title;  // The name for sentences, such as "Claude Code".
  // Each of these shows that the user has the host: a folder in the project or in the home folder, a path
  // below the home folder, and a program in PATH. Empty if there is none.
  std::string_view folder = {};
  std::string_view user_folder = {};
  std::string_view program = {};
  // Paths below the workspace. The host reads all of these files; `snap init` creates the first. Empty if the
  // host reads none.
  std::span<const std::string_view> files = {};
  // Paths below the home folder, which apply to all workspaces. `snap init` writes the first if `files` is
  // empty, and none otherwise.
  std::span<const std::string_view> user_files = {};
  FileFormat format = FileFormat::json;
  std::string_view servers = "mcpServers";  // The member or table with the servers.
  // The member of a user's file that has further `servers` objects, by the path of a workspace; or empty.
  std::string_view by_workspace = {};
  CommandForm command = CommandForm::program_and_args;
  std::string_view type = {};  // The value of an entry's member "type", or empty if it has no such member.
  // The host's variable for its folder. Empty if the host starts servers in that folder, or has no variable.
  std::string_view folder_variable = {};
  // True if our entry has to name the folder of the workspace, because the host starts servers in another
  // folder and has no variable.
  bool needs_workspace = false;
  // True if the host asks before it calls a destructive tool, and its file can approve tools.
  bool approves_tools = false;
  // The file below the workspace with the user's own rules, whose member permissions.allow has the tools that
  // the host calls without asking. Empty if the host has none.
  std::string_view permissions_file = {};
  // A sentence with the user's next step, or empty.
  std::string_view next_step = {};
  HookForm hooks = {};
};

enum class AnswerForm : std::uint8_t {
  json,  // Structured content, and the same JSON as text, as the MCP specification requires.
  text,  // One text for models, without structured content.
};

// How a host calls tools, and what its model sees of their answers. A host is recognized by
// `clientInfo.name`, and only in host_table.cc.
struct HostTraits {
  std::string_view client_name;  // The value of clientInfo.name; empty for all other clients.
  // `client_name` is a prefix of clientInfo.name, which ends with the user's name for the server.
  bool is_prefix = false;

  // The form that the host shows to its model completely and only once.
  AnswerForm answer_form = AnswerForm::json;
  // True if the host's model reads outputSchema as the type of a result, and so needs every member of it.
  // Other clients with `json` get a shorter form, which only names the branches.
  bool reads_output_schema = false;
  // The members that JSON answers, and the exact output schemas, omit because models pay for them and do not
  // need them.
  std::span<const std::string_view> omitted_members = {};

  // The length of the longest result that the model sees in full, in UTF-8 bytes, including text that the
  // host adds. 0 means unlimited or unknown.
  std::size_t shown_bytes_max = 0;
  std::size_t shown_lines_max = 0;

  // A boolean argument that the host adds to every call, although the tool does not have it. Empty if it adds
  // none.
  std::string_view added_argument = {};

  // Where the host names the project's folder, in addition to its roots: an environment variable of the
  // server's process, and a member of a call's `_meta`, whose object `workspaces` has the folders as keys.
  // Empty if the host has none.
  std::string_view folder_variable = {};
  std::string_view folder_meta_member = {};

  // The environment variable with the folder of the host's plugin, and the manifest file in that folder. The
  // host may start the server in such a folder. Empty if the host has no plugins, or those of Agent Plugins
  // 1.0.
  std::string_view plugin_variable = {};
  std::string_view plugin_manifest = {};
};

struct HostRow {
  HostForm form;
  HostTraits traits;  // Without a client name if no release of the host was measured.
};

// Returns the hosts in the order of Host; their names are the values of --host.
std::span<const HostRow> all_hosts();
const HostForm& form_of(Host host);
std::optional<Host> host_named(std::string_view name);

// Returns the traits for the client name, or those of all other clients. Valid for the life of the program.
const HostTraits& host_traits(std::string_view client_name);

}  // namespace snapgen::tools
