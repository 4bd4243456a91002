#pragma once
// Makes a page of the list of snapshots, for `snap_fix` and `snapback.snapshot_list`.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/store/snapshot_store.h"

namespace snapgen::core {
class Workspace;
}

namespace snapgen::tools {

struct SnapshotPageRequest {
  std::size_t limit = 0;
  std::optional<std::string> cursor;    // The cursor of an earlier page.
  std::optional<std::string> contains;  // Lists only snapshots whose message has this text.
};

struct SnapshotPage {
  std::vector<core::SnapshotNote> notes;  // The snapshots on this page, the latest first.
  std::int64_t total = 0;                 // The number of snapshots on all pages.
  std::int64_t left_out = 0;              // The number of snapshots on later pages.
  std::optional<std::string> next_cursor;
  bool has_any = false;  // True if there are any snapshots, even if none has the text.
};

// Returns a page. Errors: invalid_argument (unknown cursor); as SnapshotStore::list(). Blocks.
Result<SnapshotPage> snapshot_page(core::Workspace& workspace, const SnapshotPageRequest& request);

// Returns " 20 are shown, older undo snapshots last.", for a page before others.
std::string shown_snapshots_sentence(const SnapshotPage& page);

}  // namespace snapgen::tools
