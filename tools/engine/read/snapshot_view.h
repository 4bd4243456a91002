#pragma once
// SnapshotView: the files of one snapshot, by path and as a listing. Files that were not captured do not
// exist in it.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/files/file_tree.h"
#include "tools/engine/read/view.h"
#include "tools/engine/store/snapshots/snapshot_store.h"

namespace snapgen::core {

class SnapshotView final : public FileView, public FileTree {
 public:
  // `read_remedy`: a sentence on what to do if a file cannot be read, which ends the errors of read().
  SnapshotView(std::shared_ptr<const Snapshot> snapshot, BlobStore& blobs, std::stop_token stop,
               std::string_view read_remedy = {});

  // Errors of node_at(), read() and names_in(): internal (a blob is missing or damaged), unavailable; of
  // read() also not_found.
  Result<TreeNode> node_at(std::string_view path) override;
  Result<std::string> read(std::string_view path) override;
  Result<std::vector<std::string>> names_in(std::string_view folder) override;

  Result<const Listing*> listing() override;
  std::optional<std::int64_t> size_of(std::size_t index) override;
  std::optional<BlobId> known_blob(std::size_t index) override;
  Result<SkippedCounts> skipped_below(std::string_view path, bool recursive) override;
  Result<std::unique_ptr<FileContent>> open(std::string_view path) override;
  DeclarationReader declarations() override;
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
  std::string_view read_remedy_;
  std::optional<Listing> listing_;
};

}  // namespace snapgen::core
