#include "tools/engine/store/snapshot_planner.h"

#include <mutex>
#include <string_view>
#include <utility>

#include "runtime/base/text.h"
#include "tools/engine/base/hash_each.h"
#include "tools/engine/base/parallel.h"

namespace snapgen::core {
namespace {

// Chunks that are hashed at a time, in parallel lanes: about 2 MiB of a manifest, enough to fill all lanes.
constexpr std::size_t chunks_together = 32;
// New chunks beyond this size are stored immediately, which limits memory.
constexpr std::size_t fresh_bytes_max = 2 << 20;

}  // namespace

void SnapshotPlanner::run() {
  Sha256 hasher;
  hasher.update(canonical_json(plan_.fingerprint));
  hasher.update("\n");
  hasher.update(manifest_begin);
  bool first = true;
  std::vector<std::string> texts;
  ran_ = for_each_chunk(rows_, [&](std::string_view chunk) -> Result<Unit> {
    if (!std::exchange(first, false)) hasher.update(",");
    hasher.update(chunk);
    texts.emplace_back(chunk);
    return texts.size() == chunks_together ? take(texts) : Result<Unit>(Unit{});
  });
  if (ran_) ran_ = take(texts);
  hasher.update(manifest_end);
  plan_.hex = hex(bytes_of(hasher.digest()));
}

Result<Unit> SnapshotPlanner::take(std::vector<std::string>& texts) {
  const std::vector<Sha256::Digest> digests =
      sha256_of_each(std::vector<std::string_view>(texts.begin(), texts.end()));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    plan_.chunks.push_back(BlobId{.digest = digests[i]});
    // The store has most chunks already, from the previous snapshot.
    if (blobs_.contains(plan_.chunks.back())) continue;
    if (fresh_bytes_ + texts[i].size() <= fresh_bytes_max) {
      fresh_bytes_ += texts[i].size();
      fresh_.push_back(std::move(texts[i]));
      continue;
    }
    TRY(blobs_.put(texts[i]));
  }
  texts.clear();
  return Unit{};
}

Result<SnapshotPlan> SnapshotPlanner::finish() {
  std::mutex mutex;
  if (ran_) {
    in_parallel(fresh_.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        Result<BlobId> put = blobs_.put(fresh_[i]);
        if (put) continue;
        std::lock_guard lock(mutex);
        ran_ = std::move(put).error();
      }
    });
  }
  if (!ran_) return std::move(ran_).error();
  return std::move(plan_);
}

}  // namespace snapgen::core
