#include "tools/engine/operations/nested_repositories.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "tools/engine/base/phrase.h"
#include "tools/engine/files/path.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::core {
namespace {

bool is_folder(const Workspace& workspace, std::string_view repository_path) {
  const std::optional<std::string> path = workspace.to_workspace_path(repository_path);
  const Result<FileStat> stat = path ? workspace.root().lstat(*path) : Result<FileStat>(FileStat{});
  return stat && kind_of(*stat) == FileKind::folder;
}

}  // namespace

Result<std::vector<std::string>> nested_repositories_in_status(Workspace& workspace, const GitStatus& status,
                                                               const std::stop_token& stop) {
  std::vector<std::string> found;
  // Most statuses name neither an untracked folder nor a submodule. Then no listing is needed, which without
  // a watch is a walk.
  std::set<std::string, std::less<>> folders;
  for (const StatusEntry& entry : status.entries) {
    if (entry.index_status == '!') continue;
    if (entry.path.ends_with('/'))
      folders.insert(entry.path.substr(0, entry.path.size() - 1));
    else if (is_folder(workspace, entry.path))
      folders.insert(entry.path);
  }
  if (folders.empty()) return found;
  const LiveFiles live = TRY(workspace.files(stop));
  for (const SkippedPath& one : live.files->skipped()) {
    if (one.reason != SkipReason::nested_repository) continue;
    const std::string name = workspace.to_repository_path(one.path);
    for (std::string_view at = name; !at.empty(); at = parent_path(at)) {
      if (!folders.contains(at)) continue;
      found.push_back(one.path);
      break;
    }
  }
  return found;
}

Result<std::vector<std::string>> nested_repositories_related_to(Workspace& workspace,
                                                                const std::vector<std::string>& paths,
                                                                const std::stop_token& stop) {
  std::vector<std::string> found, folders;
  for (const std::string& path : paths) {
    const Result<FileStat> stat = workspace.root().lstat(path);
    if (path.empty() || (stat && kind_of(*stat) == FileKind::folder)) folders.push_back(path);
  }
  if (folders.empty()) return found;
  const LiveFiles live = TRY(workspace.files(stop));
  for (const SkippedPath& one : live.files->skipped()) {
    const auto is_related = [&](const std::string& folder) {
      return is_at_or_below_folder(one.path, folder) || is_at_or_below_folder(folder, one.path);
    };
    if (one.reason == SkipReason::nested_repository && std::ranges::any_of(folders, is_related))
      found.push_back(one.path);
  }
  return found;
}

Result<std::vector<std::string>> nested_repositories_in_status(Workspace& workspace,
                                                               const std::stop_token& stop) {
  const GitStatus status = TRY(workspace.status(stop));
  return nested_repositories_in_status(workspace, status, stop);
}

std::string nested_repositories_sentence(const std::vector<std::string>& nested) {
  if (nested.empty()) return {};
  const std::string first = shortened(path_in_sentence(nested.front()), 60);
  const std::string omitted = " omitted from checks and snapshots, except files that you name.";
  if (nested.size() == 1) return "The nested repository " + first + " is" + omitted;
  return std::to_string(nested.size()) + " nested repositories, such as " + first + ", are" + omitted;
}

}  // namespace snapgen::core
