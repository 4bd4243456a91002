#pragma once
// SnapshotPlanner: computes a snapshot's id and puts its manifest into the blob store, where nothing
// refers to it yet. hash_manifest() hashes every byte of the manifest in order, so one thread does it while
// others do other work. finish() compresses the new chunks on all threads.
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/base/hash.h"
#include "tools/engine/store/snapshots/manifest_cache.h"
#include "tools/engine/store/snapshots/snapshot_store.h"

namespace snapgen::core {

class SnapshotPlanner {
 public:
  // `rows` are sorted by path. The arguments must outlive this.
  SnapshotPlanner(BlobStore& blobs, ManifestCache& cache, const Fingerprint& fingerprint,
                  std::span<const ManifestRow> rows)
      : blobs_(blobs), cache_(cache), rows_(rows) {
    plan_.fingerprint = fingerprint;
  }

  // Hashes the manifest. Called once, on any one thread. If the rows are still being made,
  // wait_for_rows(count) returns when the first `count` are complete.
  void hash_manifest(const std::function<void(std::size_t)>& wait_for_rows = {});
  // Stores the new chunks and returns the plan. Called once after hash_manifest(). Errors: unavailable.
  Result<SnapshotPlan> finish();

 private:
  struct PlannedChunk {
    std::shared_ptr<const ManifestChunk> cached;  // Null if the chunk is new.
    std::shared_ptr<ManifestChunk> fresh;         // Null if it is cached.
  };
  // Adds chunks to the plan, and computes the ids of those that the cache does not have.
  Result<Unit> add_chunks(std::vector<PlannedChunk>& chunks);

  BlobStore& blobs_;
  ManifestCache& cache_;
  std::span<const ManifestRow> rows_;
  SnapshotPlan plan_;
  ManifestChunks chunks_;  // All chunks so far, if the cache stores them.
  ManifestChunks fresh_;   // Chunks that the store does not have.
  std::size_t fresh_bytes_ = 0;
  Result<Unit> hash_result_ = Unit{};
};

}  // namespace snapgen::core
