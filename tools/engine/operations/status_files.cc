#include "tools/engine/operations/status_files.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "tools/engine/base/phrase.h"
#include "tools/engine/files/path.h"
#include "tools/engine/files/root.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::core {

Result<std::vector<std::string>> dirty_files(Workspace& workspace, const std::stop_token& stop) {
  GitStatus status = TRY(workspace.status(stop));
  return dirty_files(workspace, status, stop);
}

Result<std::vector<std::string>> dirty_files(Workspace& workspace, const GitStatus& status,
                                             const std::stop_token& stop) {
  std::vector<std::string> found, folders;
  const auto add = [&](std::string_view name) {
    std::optional<std::string> path = workspace.to_workspace_path(name);
    if (path && !path->empty() && !is_reserved_path(*path)) found.push_back(*std::move(path));
  };
  for (const StatusEntry& entry : status.entries) {
    if (entry.index_status == '!') continue;
    const bool is_folder = entry.path.ends_with('/');
    const std::string_view folder =
        std::string_view(entry.path).substr(0, entry.path.size() - (is_folder ? 1 : 0));
    if (is_folder && is_at_or_below_folder(workspace.to_repository_path(""), folder)) {
      folders.assign(1, "");  // The untracked folder contains the whole workspace.
      continue;
    }
    // A rename deletes the file at the old path.
    if (entry.index_status == 'R' || entry.worktree_status == 'R') add(entry.original_path);
    std::optional<std::string> path = workspace.to_workspace_path(entry.path);
    if (!is_folder)
      add(entry.path);
    else if (path && !path->empty() && !is_reserved_path(*path))
      folders.push_back(path->substr(0, path->size() - 1));
  }
  if (!folders.empty()) {
    LiveFiles listing = TRY(workspace.files(stop));
    std::sort(folders.begin(), folders.end());
    const FileList& files = *listing.files;
    for (std::size_t i = 0; i < files.size(); ++i) {
      const std::string_view file = files.path(i);
      auto above = [&](const std::string& folder) { return is_at_or_below_folder(file, folder); };
      if (std::any_of(folders.begin(), folders.end(), above)) found.emplace_back(file);
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

namespace {

// Returns the files below `folder` that are deleted, or moved away, and whose deletion is not committed.
std::vector<std::string> deleted_files_below(const Workspace& workspace, const GitStatus& status,
                                             std::string_view folder) {
  std::vector<std::string> found;
  for (const StatusEntry& entry : status.entries)
    for (const std::string* name : {&entry.path, &entry.original_path}) {
      if (name->empty() || name->ends_with('/')) continue;
      std::optional<std::string> path = workspace.to_workspace_path(*name);
      if (!path || *path == folder || !is_at_or_below_folder(*path, folder)) continue;
      const Result<FileStat> stat = workspace.root().lstat(*path);
      if (!stat && stat.error().code == ErrorCode::not_found) found.push_back(*std::move(path));
    }
  return found;
}

}  // namespace

Result<std::vector<std::string>> with_folders_expanded(Workspace& workspace, const GitStatus& status,
                                                       const std::vector<std::string>& paths,
                                                       const std::stop_token& stop) {
  std::vector<std::string> files;
  std::shared_ptr<const FileList> listing;
  for (const std::string& path : paths) {
    const Result<FileStat> stat = workspace.root().lstat(path);
    const bool is_folder = path.empty() || (stat && kind_of(*stat) == FileKind::folder);
    std::vector<std::string> deleted;
    if (is_folder || (!stat && stat.error().code == ErrorCode::not_found))
      deleted = deleted_files_below(workspace, status, path);
    if (!is_folder && deleted.empty()) files.push_back(path);
    files.insert(files.end(), deleted.begin(), deleted.end());
    if (!is_folder) continue;
    if (!listing) {
      LiveFiles live = TRY(workspace.files(stop));
      listing = std::move(live.files);
    }
    const FileRange run = listing->at_or_below(path);
    for (std::size_t i = run.first; i < run.last; ++i) files.emplace_back(listing->path(i));
  }
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

bool is_unmerged(const StatusEntry& entry) {
  return entry.index_status == 'U' || entry.worktree_status == 'U' ||
         (entry.index_status == entry.worktree_status &&
          (entry.index_status == 'A' || entry.index_status == 'D'));
}

std::vector<std::string> unmerged_files(const Workspace& workspace, const GitStatus& status) {
  std::vector<std::string> found;
  for (const StatusEntry& entry : status.entries) {
    std::optional<std::string> path =
        is_unmerged(entry) ? workspace.to_workspace_path(entry.path) : std::nullopt;
    if (path && !is_reserved_path(*path)) found.push_back(*std::move(path));
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string unmerged_sentence(const std::vector<std::string>& paths) {
  constexpr std::size_t named_max = 3;
  if (paths.empty()) return {};
  std::string text =
      paths.size() == 1 ? "1 file is unmerged: " : std::to_string(paths.size()) + " files are unmerged: ";
  for (std::size_t i = 0; i < std::min(paths.size(), named_max); ++i)
    text += (i == 0 ? "" : ", ") + shortened(path_in_sentence(paths[i]), 60);
  if (paths.size() > named_max) text += " and " + std::to_string(paths.size() - named_max) + " more";
  return text + ".";
}

bool is_in_status(const Workspace& workspace, const GitStatus& status, std::string_view path) {
  const std::string name = workspace.to_repository_path(path);
  return std::any_of(status.entries.begin(), status.entries.end(), [&](const StatusEntry& entry) {
    return entry.path == name || entry.original_path == name;
  });
}

}  // namespace snapgen::core
