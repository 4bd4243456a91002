#pragma once
// SnapshotPlanning: finds out a snapshot's id and puts its manifest into the blob store, where nothing refers
// to it yet. The first half is work for one thread, beside whatever others do meanwhile: every byte of the
// manifest counts for all after it. The second, compressing what is new, is shared by all.
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/base/hash.h"
#include "tools/engine/store/snapshot_store.h"

namespace snapgen::core {

class SnapshotPlanning {
 public:
  // `rows` are sorted by path. All must outlive this.
  SnapshotPlanning(BlobStore& blobs, const Fingerprint& fingerprint, std::span<const ManifestRow> rows)
      : blobs_(blobs), rows_(rows) {
    plan_.fingerprint = fingerprint;
  }

  // On any one thread, once.
  void run();
  // After run(), once. Errors: unavailable.
  Result<SnapshotPlan> finish();

 private:
  Result<Unit> take(std::vector<std::string>& texts);

  BlobStore& blobs_;
  std::span<const ManifestRow> rows_;
  SnapshotPlan plan_;
  std::vector<std::string> fresh_;  // Chunks that the store does not have.
  std::size_t fresh_bytes_ = 0;
  Result<Unit> ran_ = Unit{};
};

}  // namespace snapgen::core
