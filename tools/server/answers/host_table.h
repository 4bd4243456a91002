#pragma once
// The host table: what each AI host passes on of an answer, what it adds to a call, how much it shows, and
// where it names the project's folder. A host is recognized by the name that its MCP client gives of itself
// (`clientInfo.name`). No other source compares that name. The rows are in host_table.cc.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace snapgen::tools {

enum class AnswerForm : std::uint8_t {
  json,  // Structured content and the same as JSON text, as the MCP specification says.
  text,  // One text made for models, and no structured content.
};

struct HostTraits {
  std::string_view client;  // clientInfo.name; empty in the row of all clients that are not in the table.
  bool is_prefix = false;   // More follows `client` in the name: the name that the user gave the server.

  // The form in which the host shows a result to its model once and whole.
  AnswerForm answers = AnswerForm::json;
  // Whether the host's model reads outputSchema as the type of a result, and so needs every member of it. The
  // other clients in `json` get the shorter form, which names the branches alone.
  bool exact_output_schema = false;

  // The longest result that the model sees whole, in UTF-8, with all that the host puts around it. 0: the
  // length is not limited, or not known.
  std::size_t shown_bytes = 0;
  std::size_t shown_lines = 0;

  // A boolean argument that the host adds to every call. It is no argument of the tool. Empty: none.
  std::string_view added_argument = {};

  // Where the host names the project's folder, beside its roots; empty: nowhere. An environment variable of
  // the server's process, and the member of a call's `_meta` in whose object `workspaces` the folders are
  // names.
  std::string_view folder_variable = {};
  std::string_view folder_meta = {};

  // Plugins of the host, in whose folders it may start the server; empty: as Agent Plugins 1.0 has it, or
  // none. The environment variable that names a plugin's folder, and the file in that folder that makes it
  // one.
  std::string_view plugin_variable = {};
  std::string_view plugin_manifest = {};
};

// The row of the host whose client gives `client` as its name, or the row of all other clients. It lives as
// long as the program.
const HostTraits& host_traits(std::string_view client);

// All rows but that of all other clients.
std::span<const HostTraits> all_host_traits();

}  // namespace snapgen::tools
