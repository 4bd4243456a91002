#pragma once
// restore_work: restores the workspace, or parts of it, from a snapshot, for the tool `snap_fix` and the
// command `snap snapshot restore`.
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/async/task.h"
#include "runtime/base/result.h"
#include "runtime/mcp/call.h"
#include "schemas/common/restored_file.h"
#include "schemas/lines.h"
#include "tools/app/app.h"
#include "tools/engine/operations/restore.h"
#include "tools/engine/store/snapshots/snapshot_store.h"

namespace snapgen::tools {

// Loads a snapshot by any form of its id. Errors: not_found and invalid_argument with the wire family's code
// SNAPSHOT_NOT_FOUND; as SnapshotStore::load(). Blocks.
Result<std::shared_ptr<const core::Snapshot>> load_snapshot(core::Workspace& workspace,
                                                            const std::string& id);

struct RestoreRequest {
  std::string id;  // An id in any form that SnapshotStore::load() accepts.
  std::optional<std::vector<std::string>> paths = {};  // As RestoreQuery::paths.
  bool dry_run = false;                                // True to only report what would change.
  std::optional<std::string> from_tree = {};           // As RestoreQuery::from_tree.
  std::string_view from_tree_argument;                 // As RestoreQuery::from_tree_argument.
};

struct RestoredWork {
  std::string alias;  // The short id of the snapshot.
  core::RestoreAnswer restored;
  std::string staged_changes_sentence = {};  // The sentence of core::staged_changes_sentence().
  std::string omitted_sentence = {};         // The sentence of core::omitted_from_snapshot_sentence().
};

// Restores as core::restore(). If a history is recorded, the answer also has
// core::foreign_lines_of_restore(). Errors: as core::restore(). Blocks.
Result<core::RestoreAnswer> restore_snapshot(App& app, const core::RestoreQuery& query,
                                             const std::stop_token& stop);

// Restores the workspace and records the restore. `request` must outlive the task. Errors: as load_snapshot()
// and core::restore().
Task<RestoredWork> restore_work(App& app, mcp::Call& call, const RestoreRequest& request);

struct RestoreText {
  lines::RestoreLine line;  // The wire line with the first paths.
  std::string summary;
};

// Names the first `named_min` paths, and more if they are short.
RestoreText format_restore(const RestoredWork& done, bool dry_run, std::size_t named_min);

// The maximum number of files that an answer lists.
inline constexpr std::size_t listed_files_max = 200;

RestoredFile restored_file(const std::string& path, core::RestoredPath::Kind kind);

// Returns the first files in the form of answers. A Change has `path` and `kind`, as core::RestoredPath.
template <class Change>
std::vector<RestoredFile> listed_files(const std::vector<Change>& changes) {
  std::vector<RestoredFile> out;
  for (const Change& each : changes) {
    if (out.size() == listed_files_max) break;
    out.push_back(restored_file(each.path, each.kind));
  }
  return out;
}

// Records a restore for later measurements of risk, and logs a warning if that fails. `id` is that of the
// snapshot. Blocks.
void note_restore(App& app, const core::RestoreAnswer& restored, const std::string& id);

}  // namespace snapgen::tools
