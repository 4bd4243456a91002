#pragma once
// Undo snapshots: before a change replaces or deletes files, their contents are captured, so that the call's
// answer can name a snapshot that brings them back.
//
// An undo snapshot holds only the files of one change. Its fingerprint is empty, because it describes no
// state of the repository; so equal contents at equal paths have one id.
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/patch/change.h"
#include "tools/engine/store/snapshot_store.h"
#include "tools/engine/write/writer.h"

namespace snapgen::core {

class Workspace;

struct UndoRequest {
  // False: the replaced contents are not kept. Either the client accepts the loss, or they are kept
  // otherwise.
  bool wanted = false;
  std::string message;  // Of the snapshot: "before deleting build".
};

// What a call's answer says of its undo snapshot.
struct Undo {
  std::string snapshot_id;
  std::int64_t files = 0;
};

// The captured files of one change, until it is made.
class UndoCapture {
 public:
  UndoCapture(Workspace& workspace, std::vector<FileRecord> records, std::vector<std::string> absent,
              std::string message, std::stop_token stop);
  UndoCapture(UndoCapture&&) = delete;

  // Names the snapshot. Errors: unavailable.
  Result<Unit> plan(std::uint64_t generation);

  // For WriteOptions::undo, after plan().
  const UndoFiles& files() const { return files_; }
  Undo undo() const;

 private:
  SnapshotSaving saving() const;

  Workspace& workspace_;
  std::vector<FileRecord> records_;  // Sorted by path.
  std::vector<ManifestRow> rows_;    // Of records_.
  std::vector<std::string> absent_;  // Paths at which the change creates a file.
  std::string message_;
  std::int64_t taken_ms_;
  std::stop_token stop_;
  Privacy privacy_;
  std::uint64_t generation_ = 0;  // Of the store, from before anything was looked for in it.
  SnapshotPlan plan_;
  UndoFiles files_;
};

// Captures what `writes` replace and delete, and sets the blob of each write's `stands`, so that the writer
// replaces nothing but what was captured. Null: nothing to keep, or not `wanted`. Errors: repo_changed (a
// file is no longer what the call looked at); too_large, permission_denied, unavailable (the contents cannot
// be kept; the sentence names `discard`); cancelled.
Result<std::unique_ptr<UndoCapture>> capture_replaced(Workspace& workspace, std::vector<TreeWrite>& writes,
                                                      const UndoRequest& request,
                                                      const std::stop_token& stop);

}  // namespace snapgen::core
