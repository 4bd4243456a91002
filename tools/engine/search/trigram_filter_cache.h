#pragma once
// TrigramFilterCache: the trigram filters of contents that were searched, so that the next search skips
// contents that cannot match.
//
// A filter belongs to a content, not to a file; the stat cache knows which content a file has. Only UTF-8
// text and binary contents have one. The cache is
// one mapped file of batches with checksums. If the file is damaged, the damaged part is ignored and the
// file is replaced. Several servers append to it.
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/search/trigram_filter.h"
#include "tools/engine/store/blobs/blob_id.h"

namespace snapgen::core {

// A content with its encoded trigram filter.
using ContentFilter = std::pair<BlobId, std::string>;

// The filters that were known at one moment. Thread-safe; filters from it are valid for its lifetime.
class TrigramFilterTable {
 public:
  std::optional<TrigramFilter> find(const BlobId& blob) const;

 private:
  friend class TrigramFilterCache;
  class Mapping;

  void add_all(std::string_view payload);
  void add(const char* record);
  void grow();

  std::shared_ptr<const Mapping> file_;
  std::uint64_t device_ = 0;  // Identifies the file, with inode_.
  std::uint64_t inode_ = 0;
  std::size_t read_bytes_ = 0;  // The size of the whole batches that were read from it.
  bool torn_ = false;           // The file is torn: no reader would reach an appended batch.
  std::size_t count_ = 0;
  // Hash table of records by their contents' hashes; size is a power of two; null: free.
  std::vector<const char*> places_;
};

// Thread-safe.
class TrigramFilterCache {
 public:
  explicit TrigramFilterCache(std::string folder, std::size_t file_bytes_max = 64 << 20)
      : folder_(std::move(folder)), file_bytes_max_(file_bytes_max) {}
  TrigramFilterCache(TrigramFilterCache&&) = delete;

  // The filters that are known now.
  std::shared_ptr<const TrigramFilterTable> table();

  // Adds `fresh`. `contents`: the number of contents in use, such as all files of the tree. If the cache
  // has many more, it starts over with `fresh`. A failure is not an error: the files are read again.
  void add(const std::vector<ContentFilter>& fresh, std::size_t contents);

  // Frees the memory; the next call reads the file again.
  void release_memory();

 private:
  std::shared_ptr<const TrigramFilterTable> load(const TrigramFilterTable* before) const;

  std::string folder_;
  std::size_t file_bytes_max_;
  std::mutex mutex_;
  std::shared_ptr<const TrigramFilterTable> table_;  // Null: not read yet.
  bool was_replaced_ = false;                        // The file was replaced once because it was too large.
};

}  // namespace snapgen::core
