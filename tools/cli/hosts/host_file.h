#pragma once
// Reads and changes our entry in hosts' files (host_forms.h). Everything else in such a file is unchanged,
// byte for byte.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/cli/hosts/host_forms.h"
#include "tools/cli/hosts/host_server.h"
#include "tools/cli/hosts/jsonc.h"

namespace snapgen::tools {

// The host's file, relative to `workspace`: the one of its files with our entry, else the first that exists,
// else the one that `snap init` creates. Empty if the host has no files there.
std::string project_file(Host host, const std::string& workspace);

// The servers in a host's file. `workspace`: includes those that a user's file has for this folder. Errors:
// as checked_json() and toml_servers(); invalid_argument (members of other types), one sentence.
Result<std::vector<HostServer>> servers_of(std::string_view text, Host host,
                                           const std::string& workspace = {});

// Whether an entry starts this program, by the name of the entry or of its program.
bool is_ours(const HostServer& server);

// A sentence about wrong arguments in our entry; empty if they are right.
std::string wrong_arguments(const HostServer& server);

// The value of an option in the arguments (`--flag value` or `--flag=value`); empty if it is absent.
std::string option_value(const std::vector<std::string>& args, std::string_view flag);

// The name of our entry.
inline constexpr std::string_view entry_name = "snapgen";
// The entry that starts `program` (an absolute path) with `profile`; empty: that of the settings. If the host
// has a variable for its folder, the entry passes it as the workspace.
OurEntry entry_for(Host host, const std::string& program, const std::string& profile = {});

// Reads a host's file; follows symlinks, as hosts do. Errors: as read_whole().
Result<std::string> read_host_file(const std::string& path);

struct EntryChange {
  OurEntry entry;
  bool sets_profile = false;  // Also change an entry whose only difference is its profile.
  // Tools that the host may call without asking, if its file supports that.
  std::vector<std::string> approved;
};
// The host's file with our entry. An existing entry retains its name, its other members, and other arguments
// if they are right. Errors: invalid_argument, why it cannot be changed.
Result<std::string> with_our_entry(std::string_view text, Host host, const EntryChange& change);
// The host's file without our entries. Errors: as above.
Result<std::string> without_our_entry(std::string_view text, Host host);

// Writes a file of the workspace as a whole with its previous permissions, and creates its folder. Follows
// symlinks inside the workspace. Errors: permission_denied (it leads out of the workspace); unavailable.
Result<Unit> write_host_file(const std::string& workspace, const std::string& file, std::string_view text);

// Deletes a file of the workspace and, if `with_folder`, its folder if it is empty. Deletes a symlink, not
// its target. Errors: as write_host_file().
Result<Unit> remove_host_file(const std::string& workspace, const std::string& file, bool with_folder);

// The whole entry on several lines, for a person to paste into the file.
std::string pasted(Host host, const OurEntry& entry);

}  // namespace snapgen::tools
