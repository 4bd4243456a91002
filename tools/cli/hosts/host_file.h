#pragma once
// Reads and changes this server's entry ("our entry") in the files of AI hosts (host_table.h). Everything
// else in such a file is unchanged, byte for byte.
//
// The name of a host's file is its path below the workspace, or `~/` and its path below the home folder. A
// file in the home folder, which applies to all workspaces, has an entry of ours for each of them.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/cli/hosts/host_server.h"
#include "tools/cli/hosts/jsonc.h"
#include "tools/hosts/host_table.h"

namespace snapgen::tools {

// Returns the name of the host's file for `workspace`: the one of its files that has our entry, else the
// first that exists, else the one that `snap init` creates.
std::string host_file(Host host, const std::string& workspace);

// Returns the servers in a host's file, including those that a user's file has only for the folder
// `workspace`. Errors: as checked_json() and toml_servers(); invalid_argument (members of other types), one
// sentence.
Result<std::vector<HostServer>> servers_of(std::string_view text, Host host,
                                           const std::string& workspace = {});

// Returns whether an entry starts this program, by the name of the entry or of its program.
bool is_our_entry(const HostServer& server);

// Returns the folder that an entry names as the workspace; empty if it names none.
std::string workspace_of(const HostServer& server);

// Returns our entry for `workspace` among the servers of a host's file, or their end. In a file of the home
// folder, an entry that names another workspace is not the one.
std::vector<HostServer>::const_iterator find_our_entry(const std::vector<HostServer>& servers, Host host,
                                                       const std::string& workspace);

// Returns a sentence about wrong arguments in our entry; empty if they are right.
std::string wrong_arguments_sentence(const HostServer& server);

// Returns the value of an option in the arguments (`--flag value` or `--flag=value`); empty if it is absent.
std::string option_value(const std::vector<std::string>& args, std::string_view flag);

// The name of our entry in hosts' files.
inline constexpr std::string_view entry_name = "snapgen";
// Returns the entry that starts `program` (an absolute path) with `profile`, or with that of the settings if
// it is empty. If the host does not start servers in its folder, the entry names the workspace: by the host's
// variable, or as `workspace`.
OurEntry entry_for(Host host, const std::string& program, const std::string& workspace = {},
                   const std::string& profile = {});

// Returns the path of a host's file. Errors: unavailable (HOME names no folder).
Result<std::string> path_of_host_file(const std::string& workspace, const std::string& file);

// Reads a host's file; follows symlinks, as hosts do. Errors: as read_whole_file().
Result<std::string> read_host_file(const std::string& path);
// Reads the file with this name. Errors: as path_of_host_file() and read_whole_file().
Result<std::string> read_host_file(const std::string& workspace, const std::string& file);

struct EntryChange {
  OurEntry entry;
  std::string workspace;
  bool sets_profile = false;  // True to also change an entry that differs only in its profile.
  // Tools that the host may call without asking, if its file supports that.
  std::vector<std::string> approved_tools;
};
// Returns the host's file with our entry. An existing entry retains its name, its other members, and its
// other arguments if they are right. Errors: invalid_argument, why it cannot be changed.
Result<std::string> with_our_entry(std::string_view text, Host host, const EntryChange& change);
// Returns the host's file without our entries for `workspace`. Errors: as with_our_entry().
Result<std::string> without_our_entry(std::string_view text, Host host, const std::string& workspace);

// Writes a host's file as a whole with its previous permissions, and creates its folders. Follows symlinks
// inside the workspace, or the home folder. Errors: permission_denied (it leads out of that folder);
// unavailable.
Result<Unit> write_host_file(const std::string& workspace, const std::string& file, std::string_view text);

// Deletes a host's file and as many of the folders around it as `folders` says, as long as they are empty.
// Deletes a symlink, not its target. Errors: as write_host_file().
Result<Unit> remove_host_file(const std::string& workspace, const std::string& file, std::int64_t folders);

// Returns the whole entry on several lines, which a user can paste into the file.
std::string entry_to_paste(Host host, const OurEntry& entry);

}  // namespace snapgen::tools
