#pragma once
// The files in which AI hosts name the servers that they start (host_forms.h), and the entry of ours in them.
// Everything else in such a file stays as it is, byte for byte.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/cli/hosts/host_forms.h"
#include "tools/cli/hosts/host_server.h"
#include "tools/cli/hosts/jsonc.h"

namespace snapgen::tools {

// The host's file below `workspace`, as a path within it: the one of its files that has our entry, else the
// first that exists, else the one that `snap init` makes. Empty if the host has none there.
std::string project_file(Host host, const std::string& workspace);

// The servers that a host's file names. `workspace`: those that a user's file names for this folder are
// included. Errors: as checked_json() and toml_servers(); invalid_argument (members of other
// types), one sentence.
Result<std::vector<HostServer>> servers_of(std::string_view text, Host host,
                                           const std::string& workspace = {});

// Whether an entry starts this program, by the name of the entry or of its program.
bool is_ours(const HostServer& server);

// A sentence that says what is wrong with the arguments of an entry of ours; empty if they are right.
std::string wrong_arguments(const HostServer& server);

// The profile that the arguments name; empty: none.
std::string profile_in(const std::vector<std::string>& args);

// The name that our entry gets.
inline constexpr std::string_view entry_name = "snapgen";
// The entry that starts `program` (absolute), which lists the tools of `profile`; empty: those that the
// settings name. If the host has a variable for its folder, the entry names that as the workspace.
OurEntry entry_for(Host host, const std::string& program, const std::string& profile = {});

// A host's file, through symlinks, as hosts read it. Errors: as read_whole().
Result<std::string> read_host_file(const std::string& path);

struct EntryChange {
  OurEntry entry;
  bool sets_profile = false;  // An entry that is right but for its profile is changed, too.
  std::vector<std::string>
      approved;  // Tools that the host may call without asking, where its file can say so.
};
// The host's file with our entry as it should be. An entry that is there keeps its name, its other members,
// and other arguments if they are right. Errors: invalid_argument, why it cannot be changed.
Result<std::string> with_our_entry(std::string_view text, Host host, const EntryChange& change);
// The host's file without our entries. Errors: as above.
Result<std::string> without_our_entry(std::string_view text, Host host);

// Writes a file of the workspace as a whole, with the permissions that it had, and makes the folder that it
// is in. Through a symlink, unless that leads out of the workspace. Errors: permission_denied (it does);
// unavailable.
Result<Unit> write_host_file(const std::string& workspace, const std::string& file, std::string_view text);

// Removes a file of the workspace, and the folder that it is in if `with_folder` and the folder is empty. A
// symlink itself is removed, not its target. Errors: as write_host_file().
Result<Unit> remove_host_file(const std::string& workspace, const std::string& file, bool with_folder);

// The whole entry, for a person who pastes it into the file; in lines.
std::string pasted(Host host, const OurEntry& entry);

}  // namespace snapgen::tools
