#pragma once
// SnapshotFiles: the contents of a snapshot's two small files. The journal of a change includes those of
// its undo snapshot, so that they need no sync before the change is made. After a machine crash they are
// restored from the journal.
#include <cstdint>
#include <functional>
#include <string>

#include "runtime/base/result.h"

namespace snapgen::core {

struct FileRecord;

// The header has 71 bytes for each 4,096 files; the note lists at most thousands of paths.
inline constexpr std::uint64_t snapshot_file_bytes_max = 64 << 20;

struct SnapshotFiles {
  std::string hex;          // The id's digits; both files are named after them.
  std::string header_text;  // The content of `<hex>`.
  std::string note_text;    // The content of `<hex>.note`.

  bool operator==(const SnapshotFiles&) const = default;
};

// The store of undo snapshots.
struct UndoStore {
  std::string folder;
  // Returns whether the store has every content that the snapshot refers to. Null: they are assumed to exist.
  std::function<bool(const SnapshotFiles& files)> has_contents = {};
  // Saves the open file `fd` if it has another content than `replaced` (SnapshotStore::save_late_write()).
  // Null: late writes are lost.
  std::function<Result<Unit>(const FileRecord& replaced, int fd)> save_late_write = {};
};

// Makes both files durable in `folder`, and writes those that a machine crash lost. The blobs that they
// name must be durable already. Errors: unavailable.
Result<Unit> make_snapshot_durable(const std::string& folder, const SnapshotFiles& files);

}  // namespace snapgen::core
