#pragma once
// SnapshotView: the files of one snapshot. Files that were not captured do not exist in it.
#include <memory>

#include "tools/engine/read/view.h"
#include "tools/engine/store/snapshot_store.h"

namespace snapgen::core {

class SnapshotView final : public FileView {
 public:
  SnapshotView(std::shared_ptr<const Snapshot> snapshot, BlobStore& blobs, std::stop_token stop);

  Result<const Listing*> listing() override;
  std::optional<std::int64_t> size_of(std::size_t index) override;
  std::optional<BlobId> known_blob(std::size_t index) override;
  Result<SkippedCounts> skipped_below(std::string_view path, bool recursive) override;
  Result<std::unique_ptr<FileContent>> open(std::string_view path) override;
  Result<SearchCandidate> read_candidate(std::size_t index, ReadBuffers& buffers) override;
  void mark_touched(std::size_t) override {}
  void mark_shown(std::size_t) override {}

  // The stored size of the file at exactly this path; nullopt for a symlink.
  std::optional<std::int64_t> size_at(std::string_view path);

 private:
  const ManifestEntry* find(std::string_view path) const;
  // Finds the file at `path`, following symlinks within the snapshot.
  Result<const ManifestEntry*> resolve(std::string_view path);

  std::shared_ptr<const Snapshot> snapshot_;
  BlobStore& blobs_;
  std::optional<Listing> listing_;
};

}  // namespace snapgen::core
