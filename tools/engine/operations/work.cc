#include "tools/engine/operations/work.h"

#include <algorithm>

#include "tools/engine/files/path.h"
#include "tools/engine/operations/diff/diff.h"
#include "tools/engine/workspace/coherent.h"
#include "tools/engine/workspace/content_finder.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::core {
namespace {

constexpr std::size_t uncovered_max = 5;
constexpr std::size_t counted_files_max = 5000;
constexpr std::size_t counted_bytes_max = 64 << 20;

}  // namespace

Result<std::vector<std::string>> dirty_files(Workspace& workspace, const std::stop_token& stop) {
  Status status = TRY(workspace.status(stop));
  return dirty_files(workspace, status, stop);
}

Result<std::vector<std::string>> dirty_files(Workspace& workspace, const Status& status,
                                             const std::stop_token& stop) {
  std::vector<std::string> found, folders;
  for (const StatusEntry& entry : status.entries) {
    if (entry.index == '!') continue;
    const bool is_folder = entry.path.ends_with('/');
    const std::string_view folder =
        std::string_view(entry.path).substr(0, entry.path.size() - (is_folder ? 1 : 0));
    if (is_folder && is_below(workspace.in_repository(""), folder)) {
      folders.assign(1, "");  // The whole workspace.
      continue;
    }
    std::optional<std::string> path = workspace.in_workspace(entry.path);
    if (!path || path->empty() || is_reserved(*path)) continue;
    if (is_folder)
      folders.push_back(path->substr(0, path->size() - 1));
    else
      found.push_back(*std::move(path));
  }
  if (!folders.empty()) {
    LiveFiles listing = TRY(workspace.files(stop));
    std::sort(folders.begin(), folders.end());
    const FileList& files = *listing.files;
    for (std::size_t i = 0; i < files.size(); ++i) {
      const std::string_view file = files.path(i);
      auto above = [&](const std::string& folder) { return is_below(file, folder); };
      if (std::any_of(folders.begin(), folders.end(), above)) found.emplace_back(file);
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

Result<Protection> protection_of(Workspace& workspace, const std::vector<std::string>& paths,
                                 const std::stop_token& stop) {
  Protection found;
  ContentFinder contents(workspace, stop);
  for (const std::string& path : paths) {
    if (stop.stop_requested()) return Error(ErrorCode::cancelled, "The call was cancelled.");
    Result<FileStat> stat = workspace.root().look(path);
    if (!stat || kind_of(*stat) == FileKind::folder || kind_of(*stat) == FileKind::other) continue;
    ++found.files;
    const std::optional<BlobId> blob = contents.find(path, *stat);
    if (!blob && stop.stop_requested()) return Error(ErrorCode::cancelled, "The call was cancelled.");
    // Blobs that no snapshot refers to are removed, so a stored blob counts as covered.
    if (blob && workspace.blobs().contains(*blob))
      ++found.covered;
    else if (found.uncovered.size() < uncovered_max)
      found.uncovered.push_back(path);
  }
  return found;
}

Result<WorkDone> work_since(Workspace& workspace, const Snapshot& before, const std::stop_token& stop) {
  DiffQuery query{.paths = {},
                  .context = 0,
                  .untracked = false,
                  .bytes_max = counted_bytes_max,
                  .files_max = counted_files_max};
  auto read = [&](LiveView& view) { return diff_live_with_snapshot(workspace, before, view, query); };
  DiffAnswer answer = TRY(read_without_lease(workspace, stop, read));
  WorkDone done;
  for (DiffedFile& file : answer.files) {
    done.added += file.added;
    done.removed += file.removed;
    done.files.push_back(std::move(file.path));
  }
  done.truncated = answer.truncated;
  return done;
}

}  // namespace snapgen::core
