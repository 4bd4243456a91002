#pragma once
// Makes a page of the list of snapshots, for `snap_fix` and `snapback.snapshot_list`.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/store/snapshots/snapshot_store.h"
#include "tools/engine/workspace/work_trees.h"

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
  // For each of them its work tree, if that is another one.
  std::vector<std::optional<core::OtherTree>> other_trees;
  std::int64_t total = 0;     // The number of snapshots on all pages.
  std::int64_t left_out = 0;  // The number of snapshots on later pages.
  std::optional<std::string> next_cursor;
  bool has_any = false;  // True if there are any snapshots, even if none has the text.
};

// Returns a page. Errors: invalid_argument (unknown cursor); as SnapshotStore::list(). Blocks.
Result<SnapshotPage> snapshot_page(core::Workspace& workspace, const SnapshotPageRequest& request);

// Returns the index of the first snapshot on the page that is of the present work tree; nullopt without any.
std::optional<std::size_t> first_of_this_tree(const SnapshotPage& page);

// Returns " Of the work tree side: snap_a, snap_b." for the snapshots on the page that are of other work
// trees; empty if there are none.
std::string other_trees_sentence(const SnapshotPage& page);

// Returns " 20 are shown, older undo snapshots last.", for a page before others.
std::string shown_snapshots_sentence(const SnapshotPage& page);

}  // namespace snapgen::tools
