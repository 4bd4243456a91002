#include "tools/engine/operations/work.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "tools/engine/base/common_errors.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/files/path.h"
#include "tools/engine/git/discover.h"
#include "tools/engine/git/files.h"
#include "tools/engine/operations/diff/diff.h"
#include "tools/engine/operations/diff/path_scope.h"
#include "tools/engine/store/snapshot_contents.h"
#include "tools/engine/workspace/coherent.h"
#include "tools/engine/workspace/current_contents.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::core {
namespace {

constexpr std::size_t uncovered_max = 5;
constexpr std::size_t counted_files_max = 5000;
constexpr std::size_t counted_bytes_max = 64 << 20;

// Whether the content of each of `files` is that in HEAD.
Result<std::vector<bool>> committed_of(const Workspace& workspace, const GitStatus& status,
                                       const std::vector<std::string>& files, const std::stop_token& stop) {
  std::vector<bool> committed(files.size());
  if (!workspace.repository().is_git()) return committed;
  std::set<std::string_view> changed;
  for (const StatusEntry& entry : status.entries)
    if (entry.index_status != '!') changed.insert(entry.path);
  std::vector<std::string> names;
  std::vector<std::size_t> names_at;
  for (std::size_t i = 0; i < files.size(); ++i) {
    std::string name = workspace.to_repository_path(files[i]);
    if (changed.contains(name)) continue;
    names.push_back(std::move(name));
    names_at.push_back(i);
  }
  if (names.empty()) return committed;
  const std::vector<bool> shown = TRY(status_shows_changes(workspace.repository(), names, stop));
  for (std::size_t i = 0; i < names.size(); ++i) committed[names_at[i]] = shown[i];
  return committed;
}

// Returns the nested repository that has `path`, if there is one between it and the workspace.
std::optional<std::string> nested_repository_of(const Workspace& workspace, std::string_view path) {
  for (std::string_view above = parent_path(path); !above.empty(); above = parent_path(above))
    if (git::is_repository_root(joined_path(workspace.root().folder(), above))) return std::string(above);
  return std::nullopt;
}

bool is_folder(const Workspace& workspace, std::string_view repository_path) {
  const std::optional<std::string> path = workspace.to_workspace_path(repository_path);
  const Result<FileStat> stat = path ? workspace.root().lstat(*path) : Result<FileStat>(FileStat{});
  return stat && kind_of(*stat) == FileKind::folder;
}

bool may_read(const Workspace& workspace, const std::string& path, const FileStat& stat) {
  if (kind_of(stat) != FileKind::file) return true;
  const Result<OpenedPath> opened = workspace.root().open_file(path);
  return opened || opened.error().code != ErrorCode::permission_denied;
}

}  // namespace

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

Result<std::vector<std::string>> with_folders_expanded(Workspace& workspace,
                                                       const std::vector<std::string>& paths,
                                                       const std::stop_token& stop) {
  std::vector<std::string> files;
  std::shared_ptr<const FileList> listing;
  for (const std::string& path : paths) {
    const Result<FileStat> stat = workspace.root().lstat(path);
    if (!path.empty() && (!stat || kind_of(*stat) != FileKind::folder)) {
      files.push_back(path);
      continue;
    }
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

Result<Protection> protection_of(Workspace& workspace, const GitStatus& status,
                                 const std::vector<std::string>& paths, const std::stop_token& stop) {
  std::vector<std::string> nested = TRY(nested_repositories_in_status(workspace, status, stop));
  Protection found;
  std::set<std::string> counted;  // The nested repositories that the percentage includes.
  std::vector<std::string> files;
  std::vector<FileStat> stats;
  for (const std::string& path : paths) {
    if (stop.stop_requested()) return cancelled_call_error();
    Result<FileStat> stat = workspace.root().lstat(path);
    if (!stat && stat.error().code == ErrorCode::permission_denied) found.unreadable.push_back(path);
    if (!stat || kind_of(*stat) == FileKind::other) continue;
    if (kind_of(*stat) == FileKind::folder) {
      if (std::ranges::binary_search(nested, path)) counted.insert(path);
      continue;
    }
    files.push_back(path);
    stats.push_back(*stat);
  }
  std::vector<bool> covered = TRY(committed_of(workspace, status, files, stop));
  CurrentContents contents(workspace, stop);
  std::vector<ManifestRow> stored;
  std::vector<std::size_t> stored_at;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (covered[i]) continue;
    const std::optional<BlobId> blob = contents.find(files[i], stats[i]);
    if (stop.stop_requested()) return cancelled_call_error();
    // That the store has the content proves nothing: it may be of another path, or of a snapshot that was
    // removed.
    if (!blob || !workspace.blobs().contains(*blob)) continue;
    stored.push_back({.path = files[i], .blob = *blob});
    stored_at.push_back(i);
  }
  const std::vector<bool> kept =
      TRY(are_contents_in_snapshots(workspace.snapshots(), workspace.blobs(), stored, stop));
  for (std::size_t i = 0; i < kept.size(); ++i) covered[stored_at[i]] = kept[i];
  found.nested_repositories = std::move(nested);
  found.file_count = static_cast<std::int64_t>(found.unreadable.size());
  for (std::size_t i = 0; i < files.size(); ++i) {
    // What a nested repository has committed is unknown.
    if (std::optional<std::string> inside =
            covered[i] ? std::nullopt : nested_repository_of(workspace, files[i])) {
      const auto at = std::ranges::lower_bound(found.nested_repositories, *inside);
      if (at == found.nested_repositories.end() || *at != *inside)
        found.nested_repositories.insert(at, *inside);
      counted.insert(*std::move(inside));
      continue;
    }
    ++found.file_count;
    if (covered[i])
      ++found.covered_count;
    else if (!may_read(workspace, files[i], stats[i]))
      found.unreadable.push_back(std::move(files[i]));
    else if (found.uncovered.size() < uncovered_max)
      found.uncovered.push_back(std::move(files[i]));
  }
  found.submodule_count = static_cast<std::int64_t>(counted.size());
  return found;
}

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

std::vector<std::string> ignored_files_not_in(Workspace& workspace, const Snapshot& snapshot,
                                              const std::vector<std::string>& files) {
  std::vector<std::string> found;
  for (const std::string& path : files) {
    const Result<FileStat> stat = workspace.root().lstat(path);
    if (path.empty() || !stat || is_reserved_path(path)) continue;
    const auto [first, last] = range_below(snapshot.entries, path);
    const Result<bool> ignored = workspace.ignores(path, kind_of(*stat) == FileKind::folder);
    if (first == last && ignored && *ignored) found.push_back(path);
  }
  return found;
}

std::string ignored_sentence(const std::vector<std::string>& files) {
  if (files.empty()) return {};
  const std::string first = shortened(path_in_sentence(files.front()), 60);
  if (files.size() == 1) return "The ignored file " + first + " is not in the snapshot.";
  return std::to_string(files.size()) + " ignored files, such as " + first + ", are not in the snapshot.";
}

std::string unreadable_sentence(const std::vector<std::string>& paths) {
  if (paths.empty()) return {};
  const std::string first = shortened(path_in_sentence(paths.front()), 60);
  if (paths.size() == 1) return "1 file cannot be read, and was not compared: " + first + ".";
  return std::to_string(paths.size()) + " files cannot be read, and were not compared, such as " + first +
         ".";
}

Result<WorkSummary> work_summary_since(Workspace& workspace, const Snapshot& before,
                                       const std::stop_token& stop) {
  DiffQuery query{.paths = {},
                  .context = 0,
                  .show_untracked = false,
                  .bytes_max = counted_bytes_max,
                  .files_max = counted_files_max};
  auto read = [&](LiveView& view) { return diff_live_with_snapshot(workspace, before, view, query); };
  DiffAnswer answer = TRY(read_without_lease(workspace, stop, read));
  WorkSummary done;
  for (DiffedFile& file : answer.files) {
    done.added_lines += file.added_lines;
    done.removed_lines += file.removed_lines;
    done.files.push_back(std::move(file.path));
  }
  done.truncated = answer.truncated;
  done.unreadable = std::move(answer.unreadable);
  return done;
}

}  // namespace snapgen::core
