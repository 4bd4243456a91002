#pragma once
// ReadBack: whether the store still has contents that it had before. Another program may have damaged or
// deleted its files while this process remembers what they contained.
#include <cstdint>

#include "tools/engine/store/blob_store.h"

namespace snapgen::core {

// Maximum number of contents that one ReadBack reads. Reading them takes about as long as a status.
inline constexpr std::size_t read_back_blobs_max = 256;
inline constexpr std::uint64_t read_back_bytes_max = 8 << 20;

class ReadBack {
 public:
  explicit ReadBack(BlobStore& blobs) : blobs_(blobs) {}

  // Returns whether the store has the blob. Reads the blob, unless the limits are reached.
  bool has(const BlobId& id);

 private:
  BlobStore& blobs_;
  std::size_t blobs_left_ = read_back_blobs_max;
  std::uint64_t bytes_left_ = read_back_bytes_max;
};

}  // namespace snapgen::core
