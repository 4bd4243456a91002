#include "tools/engine/store/read_back.h"

namespace snapgen::core {

bool ReadBack::has(const BlobId& id) {
  if (!blobs_.contains(id)) return false;
  const std::uint64_t bytes = blobs_.size_of(id).value_or(0);
  if (blobs_left_ == 0 || bytes > bytes_left_) return true;
  --blobs_left_;
  bytes_left_ -= bytes;
  return blobs_.is_sound(id);
}

}  // namespace snapgen::core
