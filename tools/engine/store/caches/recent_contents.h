#pragma once
// RecentContents: the contents of files that a client has lately read or written, in memory. So an answer can
// show how a file differs from what the client knows, although no snapshot has that content.
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "tools/engine/store/blobs/blob_id.h"

namespace snapgen::core {

// Thread-safe.
class RecentContents {
 public:
  // Larger contents are not stored.
  static constexpr std::size_t content_bytes_max = std::size_t{1} << 20;
  // The oldest contents are dropped first, so that the rest stays within these limits.
  static constexpr std::size_t bytes_max = std::size_t{16} << 20;
  static constexpr std::size_t contents_max = 256;

  void put(std::string_view path, const BlobId& id, std::string content);
  // Returns the content of the file whose id begins with these digits, the last one that was put; null if
  // there is none.
  std::shared_ptr<const std::string> find(std::string_view path, std::string_view hex_prefix);

 private:
  struct Entry {
    std::string path;
    BlobId id;
    std::shared_ptr<const std::string> content;
  };

  std::mutex mutex_;
  std::list<Entry> entries_;  // The oldest one is first.
  std::size_t bytes_ = 0;
};

}  // namespace snapgen::core
