#include "tools/engine/operations/protection.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "tools/engine/base/common_errors.h"
#include "tools/engine/files/path.h"
#include "tools/engine/git/repository/discover.h"
#include "tools/engine/git/repository/tree.h"
#include "tools/engine/git/status/head_diff.h"
#include "tools/engine/git/walk/files.h"
#include "tools/engine/operations/nested_repositories.h"
#include "tools/engine/read/observe.h"
#include "tools/engine/store/snapshots/snapshot_contents.h"
#include "tools/engine/workspace/current_contents.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::core {
namespace {

constexpr std::size_t uncovered_max = 5;

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

// Sets `committed` for those of `files` whose content is HEAD's although the status names them, because only
// their modes differ. `stats` are those of the files.
Result<Unit> add_changed_modes(const Workspace& workspace, const GitStatus& status,
                               const std::vector<std::string>& files, const std::vector<FileStat>& stats,
                               const std::stop_token& stop, std::vector<bool>& committed) {
  std::set<std::string_view> modified;
  for (const StatusEntry& entry : status.entries)
    if (entry.index_status == 'M' || (entry.index_status == ' ' && entry.worktree_status == 'M'))
      modified.insert(entry.path);
  std::vector<std::string> names;
  std::vector<std::size_t> names_at;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (committed[i] || kind_of(stats[i]) != FileKind::file || stats[i].size > current_contents_bytes_max)
      continue;
    std::string name = workspace.to_repository_path(files[i]);
    if (!modified.contains(name)) continue;
    names.push_back(std::move(name));
    names_at.push_back(i);
  }
  if (names.empty()) return Unit{};
  const std::vector<std::optional<git::Oid>> blobs =
      TRY(git::head_blobs_of(workspace.repository(), names, stop));
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (stop.stop_requested()) return cancelled_call_error();
    if (!blobs[i]) continue;
    const std::size_t at = names_at[i];
    const Result<std::optional<std::size_t>> size = size_of_blob(workspace.repository(), *blobs[i]);
    if (!size || !*size || static_cast<std::int64_t>(**size) != stats[at].size) continue;
    Result<OpenedPath> file = workspace.root().open_file(files[at]);
    std::string content;
    if (!file || !read_stable_content(*file, content)) continue;
    const Result<std::optional<std::string>> blob = read_blob(workspace.repository(), *blobs[i]);
    committed[at] = blob && *blob == content;
  }
  return Unit{};
}

// Returns the nested repository that has `path`, if there is one between it and the workspace.
std::optional<std::string> nested_repository_of(const Workspace& workspace, std::string_view path) {
  for (std::string_view above = parent_path(path); !above.empty(); above = parent_path(above))
    if (git::is_repository_root(joined_path(workspace.root().folder(), above))) return std::string(above);
  return std::nullopt;
}

bool may_read(const Workspace& workspace, const std::string& path, const FileStat& stat) {
  if (kind_of(stat) != FileKind::file) return true;
  const Result<OpenedPath> opened = workspace.root().open_file(path);
  return opened || opened.error().code != ErrorCode::permission_denied;
}

}  // namespace

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
  TRY(add_changed_modes(workspace, status, files, stats, stop, covered));
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
  const std::vector<bool> retained =
      TRY(are_contents_in_snapshots(workspace.snapshots(), workspace.blobs(), stored, stop));
  for (std::size_t i = 0; i < retained.size(); ++i) covered[stored_at[i]] = retained[i];
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

}  // namespace snapgen::core
