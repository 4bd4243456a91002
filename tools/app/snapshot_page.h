#pragma once
// A page of the list of snapshots, for `snap_fix` and `snapback.snapshot_list`.
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
  std::optional<std::string> cursor;    // From an earlier page.
  std::optional<std::string> contains;  // A text in the message.
};

struct SnapshotPage {
  std::vector<core::SnapshotNote> notes;  // The latest first.
  std::int64_t total = 0;                 // Of all pages.
  std::int64_t left_out = 0;              // Of later pages.
  std::optional<std::string> next_cursor;
  bool has_any = false;  // There are snapshots, with that text or not.
};

// Errors: invalid_argument (unknown cursor); as SnapshotStore::list(). Blocks.
Result<SnapshotPage> snapshot_page(core::Workspace& workspace, const SnapshotPageRequest& request);

}  // namespace snapgen::tools
