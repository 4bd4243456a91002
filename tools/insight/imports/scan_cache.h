#pragma once
// ScanCache: what files of a content import, so that no content is scanned twice, by whichever process.
//
// A hint that may be lost: kept in one file of the store, rewritten as a whole when it has learned enough.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tools/engine/store/blob_id.h"
#include "tools/insight/imports/scan.h"

namespace snapgen::core {

using Scanned = std::shared_ptr<const std::vector<Import>>;

// Not thread-safe.
class ScanCache {
 public:
  // `folder`: where its file stands, or is to stand.
  explicit ScanCache(std::string folder) : folder_(std::move(folder)) {}

  Scanned find(Language language, const BlobId& blob);
  void remember(Language language, const BlobId& blob, Scanned scanned);
  // Forgets what was not found or remembered since the last call, and writes the rest if there is enough that
  // is new. A failure is not an error: the files will be scanned.
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
    Scanned scanned;
    bool used = false;
  };
  void load();

  std::string folder_;
  bool loaded_ = false;
  std::size_t unwritten_ = 0;
  std::unordered_map<Key, Entry, KeyHash> entries_;
};

}  // namespace snapgen::core
