#pragma once
// Captures files of the work tree in a snapshot, as they are at the instant of the fingerprint in its id.
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/git/walk/file_list.h"
#include "tools/engine/read/view.h"
#include "tools/engine/store/caches/file_record.h"
#include "tools/engine/store/snapshots/snapshot_store.h"

namespace snapgen::core {

class Workspace;

struct CreateSnapshotQuery {
  std::optional<std::string> lease_id;
  // Files or folders to capture; nullopt: the files that the lease touched.
  std::optional<std::vector<std::string>> paths;
  std::string message;
  // If the same snapshot exists and has a message, keep that one instead of `message`.
  bool prefers_earlier_message = false;
  // Files that the caller is about to create. The snapshot proves that they did not exist.
  std::vector<std::string> absent_paths = {};
  bool is_undo = false;  // The snapshot is an undo snapshot, see SnapshotNote::is_undo.
};

struct CreatedSnapshot {
  std::string hex;
  Fingerprint fingerprint;
  ManifestStats stats;
  bool existed = false;  // The same state was captured before, so this is an earlier snapshot.
  SkippedCounts skipped;

  // The captured files, sorted by path. The rows refer to `files` and `records`.
  std::vector<ManifestRow> rows;
  std::shared_ptr<const FileList> files;
  std::vector<FileRecord> records;

  std::string id() const { return "sha256:" + hex; }
  std::string alias() const { return short_snapshot_id(hex); }
};

// A folder is captured without its ignored files; a named file or folder is captured even if it is ignored. A
// file that changes meanwhile is captured again, at most three times. Errors: invalid_argument (neither lease
// nor paths; a path that is not a file); not_found (lease, path); stale_lease; repo_changed;
// permission_denied (a named file); unavailable; cancelled.
Result<CreatedSnapshot> create_snapshot(Workspace& workspace, const CreateSnapshotQuery& query,
                                        const std::stop_token& stop);

struct WorkspaceCapture {
  std::string snapshot_id;
  bool reused = false;         // The snapshot is an earlier one, because nothing has changed since.
  SkippedCounts skipped = {};  // What the snapshot left out.
};

// Takes a snapshot of everything that git does not ignore, or reuses the last one if the watch proves that
// nothing has changed since.
// Errors: as create_snapshot().
Result<WorkspaceCapture> capture_workspace(Workspace& workspace, const std::string& message,
                                           const std::stop_token& stop);

}  // namespace snapgen::core
