#pragma once
// The changes that `snap init` shows and makes in the files of a host: of our entry, hooks and permissions.
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "tools/cli/hosts/host_changes.h"
#include "tools/hosts/host_table.h"

namespace snapgen::tools {

// The change of the file of one host.
struct FileChange {
  std::string file;                // Its name, as in host_file.h.
  std::optional<std::string> now;  // The current text; nullopt if the file does not exist.
  std::string base;                // The text without everything that this command adds.
  std::string after;
  std::optional<FileBefore> before;  // The file to restore, if the entry is removed.
  std::string diff;                  // The change, as `diff -u` prints it.
};

// The files of a host in a workspace. Further ones are in `form`.
struct HostFiles {
  const HostForm& form;
  std::string workspace;
  std::string file;    // The file with the servers.
  std::string server;  // The name of our entry there, or of the one to be added.
};
HostFiles files_of(Host host, const std::string& workspace);

using Edit = std::function<Result<std::string>(const std::string& text)>;

// Returns the change that `edit` makes in a file of the host; nullopt if nothing changes. Errors: the file
// cannot be changed safely.
Result<std::optional<FileChange>> change_for(const HostFiles& host, std::string_view file, const Edit& edit);

// Returns the change that restores a file of the host; nullopt if nothing changes. Errors: as change_for().
Result<std::optional<FileChange>> removal_for(const HostFiles& host, const std::string& file);

}  // namespace snapgen::tools
