#pragma once
// SnapshotTree presents a snapshot to a patch, and computes the patched snapshot.
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/patch/change.h"
#include "tools/engine/patch/view.h"
#include "tools/engine/store/blob_store.h"
#include "tools/engine/store/manifest.h"

namespace snapgen::core {

class SnapshotTree final : public PatchTarget {
 public:
  // `entries` must be sorted by path; the arguments must outlive this object.
  SnapshotTree(const std::vector<ManifestEntry>& entries, BlobStore& blobs)
      : entries_(entries), blobs_(blobs) {}

  // Errors of node_at(), read() and names_in(): internal (a blob is missing or damaged), unavailable.
  Result<TreeNode> node_at(std::string_view path) override;
  Result<std::string> read(std::string_view path) override;
  Result<std::vector<std::string>> names_in(std::string_view folder) override;

  // Stores the contents of `changes` and returns the entries after them. Errors: as BlobStore::put();
  // internal (the snapshot lacks a blob).
  Result<std::vector<ManifestEntry>> entries_after(const std::vector<TreeChange>& changes);

 private:
  std::vector<ManifestEntry>::const_iterator lower_bound(std::string_view path) const;
  const ManifestEntry* find(std::string_view path) const;
  // Returns true if the store has the blob. A blob that is readable but stored after damaged data, where new
  // snapshots must not rely on it, is stored again.
  bool ensure_stored(const ManifestEntry& entry);

  const std::vector<ManifestEntry>& entries_;
  BlobStore& blobs_;
};

}  // namespace snapgen::core
