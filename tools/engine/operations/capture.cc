#include "tools/engine/operations/capture.h"

#include <algorithm>

#include "tools/engine/files/durable.h"
#include "tools/engine/files/path.h"
#include "tools/engine/operations/create.h"
#include "tools/engine/operations/work.h"
#include "tools/engine/workspace/content_finder.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::core {
namespace {

constexpr std::string_view last_snapshot_name = "last-whole-snapshot";
// The last snapshot is reused up to this age. Afterwards a new one is taken, whose date shows that it is
// still needed.
constexpr std::int64_t reused_ms_max = 24LL * 3600 * 1000;

const ManifestEntry* entry_of(const Snapshot& snapshot, const std::string& path) {
  auto at = std::lower_bound(
      snapshot.entries.begin(), snapshot.entries.end(), path,
      [](const ManifestEntry& entry, const std::string& bound) { return entry.path < bound; });
  return at != snapshot.entries.end() && at->path == path ? &*at : nullptr;
}

// Whether the file at `path` is the same as in the snapshot.
bool has_live_content(const Workspace& workspace, const Snapshot& snapshot, const std::string& path,
                      ContentFinder& contents) {
  const ManifestEntry* entry = entry_of(snapshot, path);
  Result<FileStat> stat = workspace.root().lstat(path);
  const bool is_file = stat && kind_of(*stat) != FileKind::folder && kind_of(*stat) != FileKind::other;
  if (!is_file || entry == nullptr) return is_file == (entry != nullptr);
  return mode_of(*stat) == entry->mode && contents.find(path, *stat) == entry->blob;
}

// Whether all files of the snapshot in untracked folders are among `dirty`. `git status` names an untracked
// folder once, and does not change when a file in it is deleted.
bool has_same_untracked_folders(const Workspace& workspace, const Snapshot& snapshot, const GitStatus& status,
                                const std::vector<std::string>& dirty) {
  std::vector<std::string_view> folders;
  for (const StatusEntry& entry : status.entries)
    if (entry.path.ends_with('/'))
      folders.push_back(std::string_view(entry.path).substr(0, entry.path.size() - 1));
  if (folders.empty()) return true;
  return std::all_of(snapshot.entries.begin(), snapshot.entries.end(), [&](const ManifestEntry& entry) {
    const std::string path = workspace.to_repository_path(entry.path);
    auto above = [&](std::string_view folder) { return is_below(path, folder); };
    return std::none_of(folders.begin(), folders.end(), above) ||
           std::binary_search(dirty.begin(), dirty.end(), entry.path);
  });
}

// The id of the last snapshot that capture_workspace() took here, if it is still current.
std::optional<std::string> unchanged_snapshot(Workspace& workspace, const std::stop_token& stop) {
  Result<std::string> hex = read_whole_file(workspace.tree_folder() + "/" + std::string(last_snapshot_name));
  if (!hex || hex->size() != 64) return std::nullopt;
  std::optional<SnapshotNote> note = workspace.snapshots().note(*hex);
  const std::int64_t now_ms = workspace.now() / 1'000'000;
  if (!note || note->latest_ms + reused_ms_max < now_ms) return std::nullopt;
  Result<SnapshotHeader> head = workspace.snapshots().head(*hex);
  if (!head) return std::nullopt;
  Result<GitStatus> status = workspace.status(stop);
  if (!status || status->fingerprint != head->fingerprint) return std::nullopt;
  Result<std::vector<std::string>> dirty = dirty_files(workspace, *status, stop);
  if (!dirty) return std::nullopt;
  if (!dirty->empty()) {
    Result<std::shared_ptr<const Snapshot>> snapshot = workspace.snapshots().load("sha256:" + *hex);
    if (!snapshot) return std::nullopt;
    ContentFinder contents(workspace, stop);
    const bool same = std::all_of(dirty->begin(), dirty->end(), [&](const std::string& path) {
      return has_live_content(workspace, **snapshot, path, contents);
    });
    if (!same || !has_same_untracked_folders(workspace, **snapshot, *status, *dirty)) return std::nullopt;
  }
  return "sha256:" + *hex;
}

}  // namespace

Result<WorkspaceCapture> capture_workspace(Workspace& workspace, const std::string& message,
                                           const std::stop_token& stop) {
  std::optional<std::string> unchanged = unchanged_snapshot(workspace, stop);
  if (unchanged) return WorkspaceCapture{.snapshot_id = *std::move(unchanged), .reused = true};
  CreateQuery query{.lease_id = {},
                    .paths = std::vector<std::string>{""},
                    .message = message,
                    .prefers_earlier_message = true};
  CreatedSnapshot created = TRY(create_snapshot(workspace, query, stop));
  const std::string hex = created.hex;
  std::optional<SnapshotNote> note = workspace.snapshots().note(hex);
  // Remembers the snapshot, so that the next task need not examine every file. A failure is harmless.
  Result<Unit> remembered =
      replace_file(workspace.tree_folder(), last_snapshot_name, hex, Durability::process);
  static_cast<void>(remembered);
  return WorkspaceCapture{.snapshot_id = created.id(),
                          .reused = note && note->created_ms < note->latest_ms,
                          .skipped = created.skipped};
}

}  // namespace snapgen::core
