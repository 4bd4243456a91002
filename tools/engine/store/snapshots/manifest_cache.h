#pragma once
// ManifestCache: the encoded chunks (manifest.h) of the latest large manifest. The next snapshot reuses each
// chunk whose rows are the same, so that a snapshot after ten edits encodes and hashes at most ten chunks.
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tools/engine/store/blobs/blob_id.h"
#include "tools/engine/store/snapshots/manifest.h"

namespace snapgen::core {

// One chunk of a manifest, and the rows that it encodes.
class ManifestChunk {
 public:
  // Encodes `rows`, which first_chunk_row_count() has cut off.
  explicit ManifestChunk(std::span<const ManifestRow> rows);

  const std::string& text() const { return text_; }
  std::size_t row_count() const { return blobs_.size(); }
  std::string_view first_path() const { return paths_.c_str(); }
  // Whether `rows`, which are not empty, begin with the rows of this chunk, and are cut after them.
  bool is_prefix_of(std::span<const ManifestRow> rows) const;

  BlobId id;  // The SHA-256 of the text. The planner sets it before it shares the chunk.

 private:
  std::string text_;
  std::string paths_;  // The path of each row, followed by a NUL.
  std::vector<BlobId> blobs_;
  std::vector<FileMode> modes_;
  bool ends_at_cut_;  // The last path ends a chunk, even if more rows follow.
};

using ManifestChunks = std::vector<std::shared_ptr<const ManifestChunk>>;

// Thread-safe.
class ManifestCache {
 public:
  // Returns the chunks of the latest large manifest, in order; null if there is none.
  std::shared_ptr<const ManifestChunks> latest() const {
    const std::lock_guard lock(mutex_);
    return latest_;
  }

  // Whether a manifest with this many rows is worth caching: not a small one, which is encoded quickly, nor a
  // very large one, which takes too much memory.
  static bool is_cacheable(std::size_t rows) { return rows >= rows_min && rows <= rows_max; }

  void store(ManifestChunks chunks) {
    auto stored = std::make_shared<const ManifestChunks>(std::move(chunks));
    const std::lock_guard lock(mutex_);
    latest_ = std::move(stored);
  }

  void release_memory() {
    const std::lock_guard lock(mutex_);
    latest_.reset();
  }

 private:
  static constexpr std::size_t rows_min = 2048;
  static constexpr std::size_t rows_max = 1 << 19;  // About 200 bytes each.

  mutable std::mutex mutex_;
  std::shared_ptr<const ManifestChunks> latest_;
};

// Returns the chunk of `cached` with which `rows` begin, or null. `at` is a position in `cached`, which the
// function moves forward: call it with later and later rows.
std::shared_ptr<const ManifestChunk> find_chunk(const ManifestChunks& cached, std::size_t& at,
                                                std::span<const ManifestRow> rows);

}  // namespace snapgen::core
