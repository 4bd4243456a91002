#pragma once
// The writer of changes (tools/engine/write/) sees undo snapshots through these interfaces: UndoContents is
// the snapshot of a change that is not made yet, and UndoStore has those of all changes.
#include <stop_token>

#include "runtime/base/result.h"
#include "tools/engine/store/snapshots/snapshot_files.h"

namespace snapgen::core {

struct FileRecord;

// The contents that one change replaces or deletes.
class UndoContents {
 public:
  virtual ~UndoContents() = default;

  // The files of the undo snapshot, for the journal.
  virtual const SnapshotFiles& files() const = 0;

  // Makes the contents durable, and writes files() without a sync. The writer calls it once, on any thread,
  // while it syncs the journal, and changes nothing in the tree unless both succeed. Errors: unavailable;
  // repo_changed (a garbage collection removed some of the contents: capture them again); cancelled.
  virtual Result<Unit> make_durable() = 0;
};

// Thread-safe.
class UndoStore {
 public:
  virtual ~UndoStore() = default;

  // Whether the store has every content that the snapshot refers to. A change whose undo contents are
  // incomplete was never begun.
  virtual bool has_contents(const SnapshotFiles& files) = 0;

  // Makes the snapshot's files durable, and writes those that a machine crash lost. The contents must be
  // durable already. Errors: unavailable.
  virtual Result<Unit> make_files_durable(const SnapshotFiles& files) = 0;

  // Saves a replaced file, open as `fd`, into which another process wrote afterwards, in a separate undo
  // snapshot. Does nothing if the content is that of `replaced`. Errors: unavailable; repo_changed.
  virtual Result<Unit> save_late_write(const FileRecord& replaced, int fd) = 0;

  // Moves older undo snapshots into packs (undo_packs.h), which may take seconds. It is tried again later if
  // it fails.
  virtual void pack_older(const std::stop_token& stop) = 0;
};

}  // namespace snapgen::core
