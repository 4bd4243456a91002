#pragma once
// Undo snapshots: before a change replaces or deletes files, their contents are captured, so that the answer
// can name a snapshot that restores them.
//
// An undo snapshot has only the files of one change, so that its fingerprint (undo_fingerprint) is not a
// state of the repository. Changes that replace the same contents and create the same files share an undo
// snapshot.
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/patch/change.h"
#include "tools/engine/store/snapshots/snapshot_store.h"
#include "tools/engine/store/snapshots/undo_store.h"

namespace snapgen::core {

class Workspace;

struct UndoRequest {
  // False: capture nothing, because the client accepts the loss or the contents are stored elsewhere.
  bool is_wanted = false;
  std::string message;  // The snapshot's message: "before deleting build".
};

// The fingerprint of a snapshot before a change that creates the `absent` files. Without them, changes that
// replace the same contents and create different files would have the same snapshot, which could restore only
// the latest of them. If there are any, `status_hash` is the SHA-256 of that of `state` and the sorted paths,
// each with a final NUL. An undo snapshot has no state.
Fingerprint undo_fingerprint(Fingerprint state, std::vector<std::string> absent);

// The undo snapshot in a call's answer.
struct UndoSnapshot {
  std::string snapshot_id;
  std::int64_t file_count = 0;
};

// The captured files of a change that is not made yet.
class UndoCapture final : public UndoContents {
 public:
  // `records` are sorted by path.
  UndoCapture(Workspace& workspace, std::vector<FileRecord> records, std::vector<std::string> absent,
              std::string message, std::stop_token stop);
  UndoCapture(UndoCapture&&) = delete;

  // Computes the snapshot's id and files. Errors: unavailable.
  Result<Unit> plan(std::uint64_t generation);

  // These are valid after plan().
  const SnapshotFiles& files() const override { return files_; }
  Result<Unit> make_durable() override;
  UndoSnapshot undo_snapshot() const;

 private:
  SnapshotSaveOptions save_options() const;

  Workspace& workspace_;
  std::vector<FileRecord> records_;  // Sorted by path.
  std::vector<ManifestRow> rows_;    // One row for each record.
  std::vector<std::string> absent_;  // Files that the change creates.
  std::string message_;
  std::int64_t taken_ms_;
  std::stop_token stop_;
  Privacy privacy_;
  std::uint64_t generation_ = 0;  // The store's generation before any lookup in it.
  SnapshotPlan plan_;
  SnapshotFiles files_;
};

// Captures the files that `writes` replace or delete, and sets the blob of each write's `existing`, so that
// the writer replaces only captured contents. Returns null if there is nothing to capture or it is not
// wanted. Errors: repo_changed (a file differs from the inspected one); too_large, permission_denied,
// unavailable (the contents cannot be stored); cancelled.
Result<std::unique_ptr<UndoCapture>> capture_replaced(Workspace& workspace, std::vector<TreeWrite>& writes,
                                                      const UndoRequest& request,
                                                      const std::stop_token& stop);

}  // namespace snapgen::core
