#pragma once
// SnapshotFiles: the two small files of a snapshot as texts. The journal of a change carries those of its
// undo snapshot, so that they need no sync of their own before the change is made: after a crash of the
// machine they are written again from the journal.
#include <functional>
#include <string>

#include "runtime/base/result.h"

namespace snapgen::core {

struct SnapshotFiles {
  std::string hex;   // The id's digits, which name both files.
  std::string head;  // Of `<hex>`.
  std::string note;  // Of `<hex>.note`.

  bool operator==(const SnapshotFiles&) const = default;
};

// Where undo snapshots are stored.
struct UndoStore {
  std::string folder;
  // Whether the store has every content that the snapshot refers to. Null: it is taken for granted.
  std::function<bool(const SnapshotFiles& files)> has_contents = {};
};

// Makes both files durable in `folder`, and writes those that a crash of the machine lost. The blobs that
// they name are durable already. Errors: unavailable.
Result<Unit> make_durable(const std::string& folder, const SnapshotFiles& files);

}  // namespace snapgen::core
