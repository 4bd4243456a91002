#pragma once
// entries_after() applies planned changes to a snapshot, whose files are a list of entries.
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/patch/change.h"
#include "tools/engine/store/blobs/blob_store.h"
#include "tools/engine/store/snapshots/manifest.h"

namespace snapgen::core {

// Stores the contents of `changes`, at most one per path, and returns `entries` after them. Both lists of
// entries are sorted by path. Errors: as BlobStore::put(); internal (the snapshot lacks a blob).
Result<std::vector<ManifestEntry>> entries_after(const std::vector<ManifestEntry>& entries,
                                                 const std::vector<TreeChange>& changes, BlobStore& blobs);

}  // namespace snapgen::core
