#include "tools/core/snapshot/snapshot_planning.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "runtime/base/text.h"
#include "tools/core/hash_each.h"
#include "tools/core/snapshot/chunks.h"

namespace snapgen::core {
namespace {

// Of a manifest; about 2 MiB. Hashed side by side, and enough of them that no lane waits for a long one.
constexpr std::size_t chunks_together = 32;

}  // namespace

SnapshotPlanning::SnapshotPlanning(BlobStore& blobs, const Fingerprint& fingerprint,
                                   std::span<const ManifestRow> rows)
    : blobs_(blobs), fingerprint_(fingerprint), rows_(rows), ends_(chunk_ends(rows)), chunks_(ends_.size()) {
  failed_.resize(parts());
}

std::size_t SnapshotPlanning::parts() const {
  return 1 + (ends_.size() + chunks_together - 1) / chunks_together;
}

void SnapshotPlanning::run(std::size_t part) {
  if (part == 0) return hash_all();
  const std::size_t first = (part - 1) * chunks_together;
  Result<Unit> done = put(first, std::min(first + chunks_together, ends_.size()));
  if (!done) failed_[part] = std::move(done).error();
}

// Which no other thread can share: every byte counts for all after it.
void SnapshotPlanning::hash_all() {
  Sha256 hasher;
  hasher.update(canonical_json(fingerprint_));
  hasher.update("\n");
  hasher.update(manifest_begin);
  std::string text;
  std::size_t begin = 0;
  for (const std::size_t end : ends_) {
    text.clear();
    if (begin > 0) text += ',';
    append_chunk(text, rows_.subspan(begin, end - begin));
    hasher.update(text);
    begin = end;
  }
  hasher.update(manifest_end);
  hex_ = hex(bytes_of(hasher.digest()));
}

// Their text is made once more, which takes less time than waiting for who hashes all of it.
Result<Unit> SnapshotPlanning::put(std::size_t first, std::size_t last) {
  std::vector<std::string> texts(last - first);
  for (std::size_t i = first; i < last; ++i) {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    append_chunk(texts[i - first], rows_.subspan(begin, ends_[i] - begin));
  }
  const std::vector<Sha256::Digest> digests =
      sha256_of_each(std::vector<std::string_view>(texts.begin(), texts.end()));
  for (std::size_t i = first; i < last; ++i) {
    chunks_[i] = BlobId{.digest = digests[i - first]};
    // Most are the last snapshot's.
    if (blobs_.contains(chunks_[i])) continue;
    Result<BlobId> id = blobs_.put(texts[i - first]);
    if (!id) return std::move(id).error();
  }
  return Unit{};
}

Result<SnapshotPlan> SnapshotPlanning::finish() {
  for (std::optional<Error>& failed : failed_)
    if (failed) return *std::move(failed);
  return SnapshotPlan{.hex = std::move(hex_), .fingerprint = fingerprint_, .chunks = std::move(chunks_)};
}

}  // namespace snapgen::core
