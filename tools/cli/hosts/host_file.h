#pragma once
// The files in which AI hosts name the servers that they start, and the entry of ours in them.
//
//   Claude Code      .mcp.json              mcpServers   (its documentation, "MCP", project scope)
//   Cursor           .cursor/mcp.json       mcpServers
//   VS Code          .vscode/mcp.json       servers      comments are allowed
//   Claude Desktop   in the home            mcpServers
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/cli/hosts/jsonc.h"

namespace snapgen::tools {

enum class Host : std::uint8_t { claude, cursor, vscode, desktop };
inline constexpr std::array all_hosts = {Host::claude, Host::cursor, Host::vscode, Host::desktop};

struct HostForm {
  Host host;
  std::string_view name;     // As --host has it.
  std::string_view title;    // "Claude Code"
  std::string_view file;     // Below the workspace, or the home.
  std::string_view servers;  // The member that has the servers.
  Comments comments;
  bool in_home;
  // What the host writes for the folder that it works in; empty: it starts servers there.
  std::string_view folder_variable;
};

const HostForm& form_of(Host host);
std::optional<Host> host_named(std::string_view name);

// Where the file is. `home`: $HOME.
std::string path_of(Host host, const std::string& workspace, const std::string& home);

// A server that a file names.
struct HostServer {
  std::string name;
  std::string command;  // Empty: it is reached by a URL.
  std::vector<std::string> args;
  std::vector<std::string> environment;  // NAME=value
  bool is_disabled = false;
};

// The servers of a host's file; none if it names none. Errors: as checked_json(); invalid_argument (members
// of other types), one sentence.
Result<std::vector<HostServer>> servers_of(std::string_view text, Host host);

// Whether it is this program, by the name that it is installed under, whatever the entry is called.
bool is_ours(const HostServer& server);

// What is wrong with the arguments of one of ours, as a sentence; empty: nothing.
std::string wrong_arguments(const HostServer& server);

// The name that our entry gets, and what it says.
inline constexpr std::string_view entry_name = "snapgen";
struct OurEntry {
  std::string command;  // Absolute.
  std::vector<std::string> args;
};
// For a server that `program` (absolute) is. Where the host tells its folder, the workspace is that.
OurEntry entry_for(Host host, const std::string& program);

// A host's file, through symlinks, as hosts read it. Errors: as read_whole().
Result<std::string> read_host_file(const std::string& path);

// The host's file with our entry as it should be; everything else of it stays. An entry that is there keeps
// its name and its other members. Errors: as with_member().
Result<std::string> with_our_entry(std::string_view text, Host host, const OurEntry& entry);

// Writes a host's file in the workspace as a whole, with the permissions that it had, and the folder that it
// stands in. Through a symlink, unless that leads out of the workspace. Errors: permission_denied (it does);
// invalid_argument (a host whose file is in the home); unavailable.
Result<Unit> write_host_file(Host host, const std::string& workspace, std::string_view text);

// The whole entry, for somebody who puts it there by hand; in lines.
std::string pasted(Host host, const OurEntry& entry);

}  // namespace snapgen::tools
