#pragma once
// ReachableBlobs: the blobs that durable files refer to, which a collector must not remove: those of
// snapshots, of histories, of used leases that have not expired, and of writes that are not recovered.
#include <cstdint>
#include <functional>
#include <set>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "runtime/base/result.h"
#include "tools/engine/files/file_stat.h"
#include "tools/engine/store/blobs/blob_id.h"

namespace snapgen::core {

class Workspace;

class ReachableBlobs {
 public:
  explicit ReachableBlobs(Workspace& workspace) : workspace_(workspace) {}

  // Adds the blobs of everything except the snapshots `going`, which will be removed. A later call adds the
  // blobs of new files, and removes none. Errors: internal (a snapshot is damaged, so its blobs are unknown);
  // unavailable; cancelled.
  Result<Unit> gather(const std::set<std::string>& going, const std::stop_token& stop);

  bool contains(const BlobId& id) const { return blobs_.contains(id); }
  std::size_t size() const { return blobs_.size(); }
  // Whether a snapshot refers to a blob that is not in `stored`. Blobs of leases need not be in the store.
  bool has_missing_blob(const std::unordered_set<BlobId, BlobIdHash>& stored) const;

 private:
  Result<Unit> gather_snapshot(const std::string& hex);
  Result<Unit> gather_trees();
  // Calls `take` for each new or changed file in the folder.
  void for_each_new_file(const std::string& folder,
                         const std::function<void(const std::string& path, const FileStat& stat)>& take);
  void gather_lease(const std::string& path);
  void gather_journal(const std::string& path);
  Result<Unit> gather_history(const std::string& folder);  // Errors: unavailable (the log cannot be read).
  void add_without_snapshot(const BlobId& blob);

  Workspace& workspace_;
  std::unordered_set<BlobId, BlobIdHash> blobs_;
  // The blobs in blobs_ that were first found elsewhere than in a snapshot.
  std::unordered_set<BlobId, BlobIdHash> without_snapshot_;
  std::unordered_set<BlobId, BlobIdHash> chunks_;  // Chunks of manifests whose entries are in blobs_.
  std::set<std::string> snapshots_;
  struct Seen {
    std::int64_t mtime_ns = 0;
    std::int64_t bytes = 0;
    bool operator==(const Seen&) const = default;
  };
  std::unordered_map<std::string, Seen> files_;
};

}  // namespace snapgen::core
