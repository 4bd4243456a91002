#pragma once
// SnapshotPlanning: finds out a snapshot's id and puts its manifest into the blob store, where nothing refers
// to it yet, in parts that can be done beside each other and beside whatever else has to be done: hashing the
// manifest is one of them, and each run of its chunks, which are hashed, compressed and kept, another.
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/core/snapshot/snapshot_store.h"

namespace snapgen::core {

class SnapshotPlanning {
 public:
  // `rows` are sorted by path. All must outlive this.
  SnapshotPlanning(BlobStore& blobs, const Fingerprint& fingerprint, std::span<const ManifestRow> rows);

  std::size_t parts() const;
  // One of them, on any thread; each is done once.
  void run(std::size_t part);
  // After all of them. Errors: unavailable.
  Result<SnapshotPlan> finish();

 private:
  void hash_all();
  Result<Unit> put(std::size_t first, std::size_t last);

  BlobStore& blobs_;
  const Fingerprint& fingerprint_;
  std::span<const ManifestRow> rows_;
  std::vector<std::size_t> ends_;             // Of the chunks, in rows_.
  std::vector<BlobId> chunks_;                // One for each.
  std::vector<std::optional<Error>> failed_;  // One for each part.
  std::string hex_;
};

}  // namespace snapgen::core
