#include "tools/engine/store/snapshots/snapshot_planner.h"

#include <algorithm>
#include <cassert>
#include <mutex>
#include <string_view>
#include <utility>

#include "runtime/base/text.h"
#include "tools/engine/base/hash.h"
#include "tools/engine/base/parallel.h"

namespace snapgen::core {
namespace {

// Chunks that are hashed at a time, in parallel lanes: about 2 MiB of a manifest, enough to fill all lanes.
constexpr std::size_t chunks_together = 128;
// New chunks beyond this size are stored immediately, which limits memory.
constexpr std::size_t fresh_bytes_max = 2 << 20;

}  // namespace

void SnapshotPlanner::hash_manifest(const std::function<void(std::size_t)>& wait_for_rows) {
  assert(plan_.hex.empty());  // Called once.
  Sha256 hasher;
  hasher.update(canonical_json(plan_.fingerprint));
  hasher.update("\n");
  hasher.update(manifest_begin);
  const std::shared_ptr<const ManifestChunks> cached = cache_.latest();
  std::size_t at = 0;
  std::vector<PlannedChunk> chunks;
  for (std::span<const ManifestRow> rest = rows_; hash_result_ && !rest.empty();) {
    if (wait_for_rows) wait_for_rows(std::min(rows_.size(), rows_.size() - rest.size() + chunk_entries_max));
    // encoded_chunk() asserts the order within a chunk.
    assert(rest.size() == rows_.size() || rows_[rows_.size() - rest.size() - 1].path < rest.front().path);
    if (rest.size() < rows_.size()) hasher.update(",");
    PlannedChunk chunk;
    if (cached) chunk.cached = find_chunk(*cached, at, rest);
    if (!chunk.cached) chunk.fresh = std::make_shared<ManifestChunk>(rest.first(first_chunk_row_count(rest)));
    const ManifestChunk& made = chunk.cached ? *chunk.cached : *chunk.fresh;
    hasher.update(made.text());
    rest = rest.subspan(made.row_count());
    chunks.push_back(std::move(chunk));
    if (chunks.size() == chunks_together) hash_result_ = add_chunks(chunks);
  }
  if (hash_result_) hash_result_ = add_chunks(chunks);
  hasher.update(manifest_end);
  plan_.hex = hex(bytes_of(hasher.digest()));
  if (hash_result_ && ManifestCache::is_cacheable(rows_.size())) cache_.store(std::move(chunks_));
}

Result<Unit> SnapshotPlanner::add_chunks(std::vector<PlannedChunk>& chunks) {
  std::vector<std::string_view> texts;
  for (const PlannedChunk& chunk : chunks)
    if (chunk.fresh) texts.push_back(chunk.fresh->text());
  const std::vector<Sha256::Digest> digests = sha256_of_each(texts);
  std::size_t next = 0;
  for (PlannedChunk& chunk : chunks) {
    if (chunk.fresh) chunk.fresh->id = BlobId{.digest = digests[next++]};
    std::shared_ptr<const ManifestChunk> made =
        chunk.fresh ? std::move(chunk.fresh) : std::move(chunk.cached);
    plan_.chunks.push_back(made->id);
    if (ManifestCache::is_cacheable(rows_.size())) chunks_.push_back(made);
    // The store has most chunks already, from the previous snapshot.
    if (blobs_.contains(made->id)) continue;
    if (fresh_bytes_ + made->text().size() <= fresh_bytes_max) {
      fresh_bytes_ += made->text().size();
      fresh_.push_back(std::move(made));
      continue;
    }
    TRY(blobs_.put(made->text()));
  }
  chunks.clear();
  return Unit{};
}

Result<SnapshotPlan> SnapshotPlanner::finish() {
  assert(!plan_.hex.empty());  // After hash_manifest().
  std::mutex mutex;
  if (hash_result_) {
    in_parallel(fresh_.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        Result<BlobId> put = blobs_.put(fresh_[i]->text());
        if (put) continue;
        std::lock_guard lock(mutex);
        hash_result_ = std::move(put).error();
      }
    });
  }
  if (!hash_result_) return std::move(hash_result_).error();
  return std::move(plan_);
}

}  // namespace snapgen::core
