#pragma once
// TrigramFilterCache: the trigram filters of contents that were searched, so that the next search need not
// read what cannot hold what it looks for.
//
// A trigram filter belongs to a content, never to a file: which content a file has is told by the stat cache
// and its rules. Kept in one file of checked batches that is mapped where it lies; what is damaged is not
// read, and the file is made anew. Several servers append to it.
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/store/blob_id.h"
#include "tools/engine/store/trigram_filter.h"

namespace snapgen::core {

// A content with its encoded trigram filter.
using SignedContent = std::pair<BlobId, std::string>;

// What was known at one moment. Safe to use from several threads; trigram filters live as long as it does.
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
  std::uint64_t device_ = 0;  // Which file it was.
  std::uint64_t inode_ = 0;
  std::size_t read_bytes_ = 0;  // Of it: whole batches.
  bool torn_ = false;           // Nothing that is appended would ever be read.
  std::size_t count_ = 0;
  std::vector<const char*> places_;  // Of the records, by their contents' hashes; a power of two; null: free.
};

// Thread-safe.
class TrigramFilterCache {
 public:
  explicit TrigramFilterCache(std::string folder, std::size_t file_bytes_max = 64 << 20)
      : folder_(std::move(folder)), file_bytes_max_(file_bytes_max) {}
  TrigramFilterCache(TrigramFilterCache&&) = delete;

  // What is known now.
  std::shared_ptr<const TrigramFilterTable> table();

  // Keeps these too. `contents`: of how many somebody asks now, as of all files of the tree; where many more
  // are kept, those go. A failure is not an error: the files will be read.
  void keep(const std::vector<SignedContent>& fresh, std::size_t contents);

  // Gives back the memory; what is asked next is read from disk.
  void rest();

 private:
  std::shared_ptr<const TrigramFilterTable> load(const TrigramFilterTable* before) const;

  std::string folder_;
  std::size_t file_bytes_max_;
  std::mutex mutex_;
  std::shared_ptr<const TrigramFilterTable> table_;  // Null: not read yet.
  bool began_anew_ = false;                          // The file had become too large once.
};

}  // namespace snapgen::core
