#pragma once
// Finds the workspace: the folder that a server or a command works on.
//
// A folder is a workspace if it contains a git repository (`.git` with a HEAD), `.snapback/` or
// `package.json`. The first source that names a folder decides:
//
//   1. --workspace
//   2. SNAPBACK_WORKSPACE_ROOT
//   3. the client's roots
//   4. the folders that the request's `_meta` names
//   5. the variables in which hosts name the project's folder
//   6. the parent process's directory, if the current directory is inside a plugin's folder
//   7. the current directory
//
// Sources 1 and 2 name the workspace itself. From the others the search goes upwards to the nearest
// workspace. It never chooses the user's home folder or `/`, and it does not leave a plugin's folder: a
// repository above these is not the user's project.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace snapgen::tools {

// The value of each source, or empty if it has none. Folders are absolute paths.
struct WorkspaceSources {
  std::optional<std::string> argument;  // The value of --workspace; may be relative.
  std::optional<std::string> variable;  // The value of SNAPBACK_WORKSPACE_ROOT; may be relative.
  std::vector<std::string> roots;
  std::vector<std::string> request_folders;
  std::vector<std::string> project_folders;
  // If the current directory is inside one of these, it is not the project's.
  std::vector<std::string> plugin_folders;
  std::string parent_folder;
  std::string current_folder;
  std::string home;
  bool is_command = false;  // A person runs a command. Its errors do not propose to restart a server.

  // Reads sources 1, 2 and 7, for a command that a person runs.
  static WorkspaceSources of_command(std::optional<std::string> argument);
  // Reads sources 1, 2, 5, 6 and 7, for a server before a client has named a folder.
  static WorkspaceSources of_server(std::optional<std::string> argument);

  // Returns whether the workspace is named explicitly, so that no client can name another one.
  bool is_explicit() const { return argument || variable; }
  // Returns whether the current directory may contain the folders of several projects: it is neither the home
  // folder nor `/`, nor inside a plugin's folder.
  bool may_contain_projects() const;
};

// Returns the workspaces from the first source that has a folder: absolute, symlinks resolved, unique, in the
// source's order. There are several only if the client names several. Errors: not_found, with what to do;
// details {"workspace": ...} for source 1 or 2.
Result<std::vector<std::string>> find_workspaces(const WorkspaceSources& sources);

// Returns the only workspace. Errors: as find_workspaces(); invalid_argument if there are several.
Result<std::string> resolve_workspace(const WorkspaceSources& sources);

// Returns the folder of a `file:` URI; nullopt for other schemes and for other machines.
std::optional<std::string> folder_of_uri(std::string_view uri);

// Returns the folder of the plugin that contains `program`, an absolute path: the nearest of the three
// folders above it that has a plugin manifest. Nullopt if there is none.
std::optional<std::string> plugin_folder_of(const std::string& program);

}  // namespace snapgen::tools
