#pragma once
// SnapshotTree: a snapshot as a patch sees it, and the snapshot that the patch makes of it.
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/patch/change.h"
#include "tools/engine/patch/view.h"
#include "tools/engine/store/blob_store.h"
#include "tools/engine/store/manifest.h"

namespace snapgen::core {

class SnapshotTree final : public PatchView {
 public:
  // `entries` are sorted by path; both must outlive this.
  SnapshotTree(const std::vector<ManifestEntry>& entries, BlobStore& blobs)
      : entries_(entries), blobs_(blobs) {}

  // Errors: internal (a blob is missing or damaged), unavailable.
  Result<TreeNode> look(std::string_view path) override;
  Result<std::string> read(std::string_view path) override;
  Result<std::vector<std::string>> names_in(std::string_view folder) override;

  // The entries after `changes`, whose contents are put into the store. Errors: as BlobStore::put(); internal
  // (the snapshot lacks a blob).
  Result<std::vector<ManifestEntry>> after(const std::vector<TreeChange>& changes);

 private:
  std::vector<ManifestEntry>::const_iterator lower_bound(std::string_view path) const;
  const ManifestEntry* find(std::string_view path) const;
  // What can be read and stands behind damage, where nothing new may rely on it, is put again.
  bool is_kept(const ManifestEntry& entry);

  const std::vector<ManifestEntry>& entries_;
  BlobStore& blobs_;
};

}  // namespace snapgen::core
