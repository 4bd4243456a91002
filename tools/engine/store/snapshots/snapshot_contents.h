#pragma once
// Searches the manifests of all snapshots for files: which contents could be restored at their paths.
#include <span>
#include <stop_token>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/store/blobs/blob_store.h"
#include "tools/engine/store/snapshots/manifest.h"
#include "tools/engine/store/snapshots/snapshot_store.h"

namespace snapgen::core {

// Returns for each row whether a snapshot of this folder has its content at its path; modes are not compared.
// Includes undo snapshots. Reads the latest snapshots first, each manifest chunk once, and stops when all
// rows are found. A damaged snapshot counts as missing. Errors: unavailable; cancelled.
Result<std::vector<bool>> are_contents_in_snapshots(SnapshotStore& snapshots, BlobStore& blobs,
                                                    std::span<const ManifestRow> rows,
                                                    const std::stop_token& stop);

}  // namespace snapgen::core
