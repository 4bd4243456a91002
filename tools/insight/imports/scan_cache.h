#pragma once
// ScanCache: the imports that each file content has, so that no process scans a content twice.
//
// The cache is optional. It is one file in the store, rewritten as a whole when enough entries are new.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tools/engine/store/blobs/blob_id.h"
#include "tools/insight/imports/scan.h"

namespace snapgen::core {

using ScannedImports = std::shared_ptr<const std::vector<Import>>;

// Not thread-safe.
class ScanCache {
 public:
  // `folder` is the folder of the cache file. It is created when needed.
  explicit ScanCache(std::string folder) : folder_(std::move(folder)) {}

  ScannedImports find(Language language, const BlobId& blob);
  void remember(Language language, const BlobId& blob, ScannedImports scanned);
  // Drops entries that were not used since the last call, and writes the rest if enough are new. A failed
  // write is ignored: the files will be scanned again.
  void write_if_due();

 private:
  struct Key {
    BlobId blob;
    Language language;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const {
      return BlobIdHash()(key.blob) + static_cast<std::size_t>(key.language);
    }
  };
  struct Entry {
    ScannedImports scanned;
    bool used = false;
  };
  void load();

  std::string folder_;
  bool loaded_ = false;
  std::size_t unwritten_ = 0;
  std::unordered_map<Key, Entry, KeyHash> entries_;
};

}  // namespace snapgen::core
