#pragma once
// Verify: reads and hashes every blob and every snapshot of a store.
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/store/blobs/blob_id.h"

namespace snapgen::core {

class Workspace;

inline constexpr std::size_t damage_paths_max = 10;

// A damaged copy of a blob, or a needed blob that is missing. Without blob and segment: a damaged pack of
// undo snapshots (undo_packs.h).
struct BlobDamage {
  std::optional<BlobId> blob;  // nullopt: the affected blob is unknown.
  std::string segment;         // Empty: the blob is missing in all segments.
  std::uint64_t offset = 0;
  std::string why;
  bool has_sound_copy = false;         // Another copy is sound, so nothing is lost.
  std::vector<std::string> snapshots;  // Ids of the snapshots that need the blob, in digits.
  std::vector<std::string> paths;      // Paths of files with this content, sorted; at most damage_paths_max.
  bool has_more_paths = false;         // The content has more paths than `paths` lists.
};

struct DamagedSnapshot {
  std::string hex;
  std::string why;
};

struct VerifyResult {
  std::int64_t segment_count = 0;
  std::int64_t blob_copy_count = 0;  // Number of copies read.
  std::int64_t content_bytes = 0;    // Size of the contents of these copies.
  std::int64_t snapshot_count = 0;
  std::uint64_t torn_bytes = 0;  // Incomplete records that crashes left; harmless.
  std::vector<BlobDamage> damages;
  std::vector<DamagedSnapshot> damaged_snapshots;  // Snapshots whose files or manifests are damaged.
  std::vector<std::string>
      segments_with_wrong_index;  // Segments with a wrong index; the next read rebuilds it.

  bool is_sound() const {
    return damages.empty() && damaged_snapshots.empty() && segments_with_wrong_index.empty();
  }
};

// Reads and hashes everything in the store. Errors: unavailable, cancelled.
Result<VerifyResult> verify_store(Workspace& workspace, const std::stop_token& stop);

}  // namespace snapgen::core
