#pragma once
// The host table: per AI host, the part of an answer that its model sees, the arguments that it adds to
// calls, its length limit, and where it names the project's folder. Hosts are recognized by
// `clientInfo.name`, and only here. The rows are in host_table.cc.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace snapgen::tools {

enum class AnswerForm : std::uint8_t {
  json,  // Structured content, and the same JSON as text, as the MCP specification requires.
  text,  // One text for models, without structured content.
};

struct HostTraits {
  std::string_view client_name;  // The value of clientInfo.name; empty in the row for all other clients.
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

// Returns the row for the client name, or the row of all other clients. Valid for the life of the program.
const HostTraits& host_traits(std::string_view client_name);

// Returns all rows except the one for all other clients.
std::span<const HostTraits> all_host_traits();

}  // namespace snapgen::tools
