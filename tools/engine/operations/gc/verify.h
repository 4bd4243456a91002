#pragma once
// Verify: every blob and every snapshot of a store, read and hashed.
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/store/blob_id.h"

namespace snapgen::core {

class Workspace;

inline constexpr std::size_t damage_paths_max = 10;

// A copy of a blob that is damaged, or a blob that is needed and stands nowhere.
struct Damage {
  std::optional<BlobId> blob;  // None: something is damaged that no blob can be named for.
  std::string segment;         // Empty: the blob is missing, nobody knows from where.
  std::uint64_t offset = 0;
  std::string why;
  bool stands_elsewhere = false;       // Another copy is sound, so nothing is lost.
  std::vector<std::string> snapshots;  // Digits of the snapshots that need the blob.
  std::vector<std::string> paths;      // Of files of those that have it, sorted; some,
  bool more_paths = false;             // if there are more than damage_paths_max.
};

struct DamagedSnapshot {
  std::string hex;
  std::string why;
};

struct Verified {
  std::int64_t segments = 0;
  std::int64_t blobs = 0;  // Copies read.
  std::int64_t bytes = 0;  // Of their contents.
  std::int64_t snapshots = 0;
  std::uint64_t torn_bytes = 0;  // What crashes left behind the last records; harmless.
  std::vector<Damage> damages;
  std::vector<DamagedSnapshot> damaged_snapshots;  // Their own files or manifests.
  std::vector<std::string> wrong_indexes;          // Segments whose index is wrong; reading makes it again.

  bool is_sound() const { return damages.empty() && damaged_snapshots.empty() && wrong_indexes.empty(); }
};

// Errors: unavailable, cancelled.
Result<Verified> verify_store(Workspace& workspace, const std::stop_token& stop);

}  // namespace snapgen::core
