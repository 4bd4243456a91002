#pragma once
// Collecting: snapshots that need not be kept go, and then the room of what nothing needs any more.
//
// While it runs, other processes capture and read as always (see tools/engine/store/generation.h). It can be
// killed at any instant.
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/operations/gc/retention.h"
#include "tools/engine/store/snapshot_note.h"

namespace snapgen::core {

class Workspace;

struct CollectQuery {
  Retention retention;
  SparedSnapshots spared = {};
  bool dry_run = false;
  bool drop_damaged = false;  // Snapshots whose manifest cannot be read go too.
};

struct Collected {
  std::vector<SnapshotNote> removed;  // The latest first; of a dry run: what would go.
  std::int64_t kept = 0;
  std::uint64_t blobs_removed = 0;
  std::uint64_t bytes_freed = 0;  // Of a dry run: about.
  std::uint64_t segments_removed = 0;
  std::uint64_t segments_in_use = 0;   // Left alone, for somebody appends to them.
  std::uint64_t segments_damaged = 0;  // Left alone, for something needed is damaged in them.
  std::uint64_t store_bytes = 0;       // Afterwards.
  bool quota_is_too_small = false;     // For what must be kept; so nothing else went for it.
};

// Errors: internal (a snapshot is damaged; its name is in the details); unavailable (another process
// collects, ...); cancelled.
Result<Collected> collect(Workspace& workspace, const CollectQuery& query, const std::stop_token& stop);

struct Usage {
  std::int64_t snapshots = 0;
  std::int64_t blobs = 0;   // Different ones.
  std::int64_t copies = 0;  // Records; more than blobs if several processes stored the same.
  std::int64_t segments = 0;
  std::int64_t logical_bytes = 0;      // What all snapshots together would take as plain copies.
  std::int64_t blob_bytes = 0;         // What the different blobs hold, not compressed.
  std::int64_t stored_bytes = 0;       // What the store takes on disk, everything in it.
  std::int64_t reclaimable_bytes = 0;  // What gc would free without removing a snapshot.
  std::int64_t oldest_ms = 0;          // When the oldest snapshot was last made; 0: there is none.
  std::int64_t latest_ms = 0;
};

// Errors: as collect().
Result<Usage> usage(Workspace& workspace, const std::stop_token& stop);

}  // namespace snapgen::core
