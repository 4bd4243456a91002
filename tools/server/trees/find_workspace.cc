#include "tools/server/trees/find_workspace.h"

#include <algorithm>
#include <climits>

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/environment.h"
#include "runtime/base/percent.h"
#include "runtime/json/writer.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/files/path.h"
#include "tools/engine/git/repository/discover.h"
#include "tools/hosts/host_table.h"

namespace snapgen::tools {
namespace {

constexpr std::string_view what_to_do_with_server =
    "Run `git init` or `snap init` in the project's folder and restart the server, or start it with "
    "--workspace DIR or SNAPBACK_WORKSPACE_ROOT.";
constexpr std::string_view what_to_do_with_command =
    "Run `git init` or `snap init` in the project's folder, or name another one with --workspace DIR or "
    "SNAPBACK_WORKSPACE_ROOT.";
constexpr std::string_view markers = ".git with a HEAD, .snapback or package.json";

std::string next_step(const WorkspaceSources& sources) {
  return std::string(sources.is_command ? what_to_do_with_command : what_to_do_with_server);
}

bool is_folder(const std::string& path) {
  struct stat st;
  return ::stat(path.c_str(), &st) == 0 && S_ISDIR(st.st_mode);
}

bool exists(const std::string& path) {
  struct stat st;
  return ::stat(path.c_str(), &st) == 0;
}

bool is_workspace(const std::string& folder) {
  return core::git::is_repository_root(folder) || is_folder(folder + "/.snapback") ||
         exists(folder + "/package.json");
}

std::optional<std::string> real_folder(const std::string& path) {
  char real[PATH_MAX];
  if (path.empty() || ::realpath(path.c_str(), real) == nullptr || !is_folder(real)) return std::nullopt;
  return std::string(real);
}

// Checks a folder that source 1 or 2 names, which must itself be a workspace.
Result<std::vector<std::string>> named_workspace(const WorkspaceSources& sources, const std::string& folder,
                                                 std::string_view by) {
  std::string why;
  const std::optional<std::string> real = real_folder(folder);
  if (!real) {
    why = " is not a folder";
  } else if (!is_workspace(*real)) {
    why = " does not contain " + std::string(markers);
  } else {
    return std::vector{*real};
  }
  return Error(ErrorCode::not_found,
               "There is no workspace: " + core::path_in_sentence(folder) + " (from " + std::string(by) +
                   ")" + why + ". " + next_step(sources),
               ErrorDetails().add("workspace", core::text_of_bytes(folder)));
}

// UpwardSearch searches upwards from the folders of one source.
class UpwardSearch {
 public:
  explicit UpwardSearch(const WorkspaceSources& sources)
      : home_(real_folder(sources.home).value_or("")), next_step_(next_step(sources)) {
    for (const std::string& each : sources.plugin_folders)
      if (const std::optional<std::string> real = real_folder(each)) plugins_.push_back(*real);
  }

  bool is_in_plugin(const std::string& folder) const {
    const std::optional<std::string> real = real_folder(folder);
    return real && plugin_around(*real) != nullptr;
  }

  // Returns the nearest workspace at or above `folder`.
  std::optional<std::string> nearest(const std::string& folder) {
    const std::optional<std::string> real = real_folder(folder);
    if (!real) return std::nullopt;
    const std::string* plugin = plugin_around(*real);
    for (std::string at = *real; at != "" && at != "/"; at.erase(at.rfind('/'))) {
      if (at == home_) {
        passed_home_ = passed_home_ || is_workspace(at);
        return std::nullopt;
      }
      if (is_workspace(at)) return at;
      if (plugin != nullptr && at == *plugin) return std::nullopt;
    }
    return std::nullopt;
  }

  // Returns the error of a search from `folders`. `subject` describes them in the sentence.
  Error nothing(std::string_view subject, const std::vector<std::string>& folders) const {
    std::string list;
    for (const std::string& each : folders) list += (list.empty() ? "" : ", ") + core::path_in_sentence(each);
    std::string sentence = "There is no workspace: neither " + std::string(subject) + " (" + list +
                           ") nor a folder above it contains " + std::string(markers) + ". ";
    if (passed_home_)
      sentence += "The home folder " + core::path_in_sentence(home_) +
                  " contains one, but is served only if you name it. ";
    return Error(ErrorCode::not_found, sentence + next_step_);
  }

 private:
  const std::string* plugin_around(const std::string& folder) const {
    const auto found = std::ranges::find_if(
        plugins_, [&](const std::string& each) { return core::is_at_or_below_folder(folder, each); });
    return found == plugins_.end() ? nullptr : &*found;
  }

  std::string home_;
  const std::string next_step_;
  std::vector<std::string> plugins_;
  bool passed_home_ = false;  // A search ended at the home folder, which is a workspace.
};

// Returns the workspaces at or above `folders`; it is an error if there is none.
Result<std::vector<std::string>> nearest_of(UpwardSearch& search, std::string_view subject,
                                            const std::vector<std::string>& folders) {
  std::vector<std::string> found;
  for (const std::string& each : folders) {
    std::optional<std::string> workspace = search.nearest(each);
    if (workspace && std::ranges::find(found, *workspace) == found.end())
      found.push_back(*std::move(workspace));
  }
  if (found.empty()) return search.nothing(subject, folders);
  return found;
}

std::string link_target(const std::string& path) {
  char target[PATH_MAX];
  const ssize_t length = ::readlink(path.c_str(), target, sizeof target);
  return length > 0 ? std::string(target, static_cast<std::size_t>(length)) : std::string();
}

std::string home_folder() {
  if (std::optional<std::string> home = environment_variable("HOME")) return *std::move(home);
  const struct passwd* user = ::getpwuid(::geteuid());
  return user != nullptr && user->pw_dir != nullptr ? user->pw_dir : "";
}

}  // namespace

WorkspaceSources WorkspaceSources::of_command(std::optional<std::string> argument) {
  WorkspaceSources sources;
  sources.is_command = true;
  sources.argument = std::move(argument);
  sources.variable = environment_variable("SNAPBACK_WORKSPACE_ROOT");
  sources.current_folder = link_target("/proc/self/cwd");
  sources.home = home_folder();
  return sources;
}

WorkspaceSources WorkspaceSources::of_server(std::optional<std::string> argument) {
  WorkspaceSources sources = of_command(std::move(argument));
  sources.is_command = false;
  const auto add = [](std::vector<std::string>& folders, std::string_view variable) {
    if (std::optional<std::string> folder = environment_variable(std::string(variable)))
      folders.push_back(*std::move(folder));
  };
  add(sources.plugin_folders, "PLUGIN_ROOT");  // Agent Plugins 1.0 defines this variable.
  for (const auto& [form, host] : all_hosts()) {
    add(sources.project_folders, host.folder_variable);
    add(sources.plugin_folders, host.plugin_variable);
  }
  if (std::optional<std::string> folder = plugin_folder_of(link_target("/proc/self/exe")))
    sources.plugin_folders.push_back(*std::move(folder));
  sources.parent_folder = link_target("/proc/" + std::to_string(::getppid()) + "/cwd");
  return sources;
}

bool WorkspaceSources::may_contain_projects() const {
  const std::optional<std::string> folder = real_folder(current_folder);
  return folder && *folder != "/" && folder != real_folder(home) &&
         !UpwardSearch(*this).is_in_plugin(*folder);
}

Result<std::vector<std::string>> find_workspaces(const WorkspaceSources& sources) {
  if (sources.argument) return named_workspace(sources, *sources.argument, "--workspace");
  if (sources.variable) return named_workspace(sources, *sources.variable, "SNAPBACK_WORKSPACE_ROOT");
  UpwardSearch search(sources);
  if (!sources.roots.empty()) return nearest_of(search, "the client's roots", sources.roots);
  if (!sources.request_folders.empty())
    return nearest_of(search, "the folders that the request names", sources.request_folders);
  if (!sources.project_folders.empty())
    return nearest_of(search, "the host's project folder", {sources.project_folders.front()});
  if (!search.is_in_plugin(sources.current_folder))
    return nearest_of(search, "the current folder", {sources.current_folder});
  if (sources.parent_folder.empty() || search.is_in_plugin(sources.parent_folder))
    return Error(ErrorCode::not_found,
                 "There is no workspace: the server was started in a plugin's folder (" +
                     core::path_in_sentence(sources.current_folder) +
                     "), and the folder of its parent process is not in a project. Name the project's "
                     "folder with --workspace DIR or SNAPBACK_WORKSPACE_ROOT.");
  return nearest_of(search, "the parent process's folder", {sources.parent_folder});
}

Result<std::string> resolve_workspace(const WorkspaceSources& sources) {
  std::vector<std::string> found = TRY(find_workspaces(sources));
  if (found.size() == 1) return std::move(found.front());
  return Error(ErrorCode::invalid_argument, "There are several workspaces. Name one with --workspace DIR.");
}

std::optional<std::string> folder_of_uri(std::string_view uri) {
  constexpr std::string_view scheme = "file://";
  constexpr std::string_view own_machine = "localhost";
  if (!uri.starts_with(scheme)) return std::nullopt;
  uri.remove_prefix(scheme.size());
  if (uri.starts_with(own_machine)) uri.remove_prefix(own_machine.size());
  if (!uri.starts_with('/')) return std::nullopt;
  std::string path;
  for (std::size_t at = 0; at < uri.size(); ++at) {
    const std::optional<char> decoded = percent_decoded_byte(uri, at);
    path += decoded.value_or(uri[at]);
    if (decoded) at += 2;
  }
  if (path.find('\0') != std::string::npos) return std::nullopt;
  return path;
}

std::optional<std::string> plugin_folder_of(const std::string& program) {
  constexpr int folders_above = 3;  // The program is at most as deep as PLUGIN/bin/linux-x64/program.
  std::string folder = program;
  for (int i = 0; i < folders_above; ++i) {
    const std::size_t slash = folder.rfind('/');
    if (slash == std::string::npos || slash == 0) return std::nullopt;
    folder.erase(slash);
    // Agent Plugins 1.0 defines this name of the manifest.
    if (exists(folder + "/plugin.json")) return folder;
    for (const auto& [form, host] : all_hosts())
      if (!host.plugin_manifest.empty() && exists(folder + "/" + std::string(host.plugin_manifest)))
        return folder;
  }
  return std::nullopt;
}

}  // namespace snapgen::tools
