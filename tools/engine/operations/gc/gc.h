#pragma once
// Garbage collection: removes snapshots that need not be retained, then frees the space of unreachable blobs.
//
// Other processes may capture and read meanwhile (see generation_file.h). It can be killed at any instant.
#include <cstdint>
#include <stop_token>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/operations/gc/retention.h"
#include "tools/engine/store/snapshots/snapshot_note.h"

namespace snapgen::core {

class Workspace;

struct CollectQuery {
  Retention retention;
  GetSparedSnapshots spared_snapshots = {};
  bool dry_run = false;
  bool drop_damaged = false;  // Also remove snapshots whose manifest is unreadable.
};

struct CollectResult {
  std::vector<SnapshotNote> removed;  // Latest first; in a dry run: the snapshots that would be removed.
  std::int64_t retained_snapshots = 0;
  std::uint64_t blobs_removed = 0;
  std::uint64_t bytes_freed = 0;  // In a dry run: approximate.
  std::uint64_t segments_removed = 0;
  std::uint64_t segments_in_use = 0;   // They are not rewritten: another process appends to them.
  std::uint64_t segments_damaged = 0;  // They are not rewritten: a needed blob in them is damaged.
  std::uint64_t store_bytes = 0;       // The size of the store after the collection.
  bool quota_is_too_small = false;     // The retained snapshots exceed the quota, so none was removed for it.
};

// Collects garbage. Errors: internal (a snapshot is damaged; the details have its id); unavailable (another
// collector is running, ...); cancelled.
Result<CollectResult> collect_garbage(Workspace& workspace, const CollectQuery& query,
                                      const std::stop_token& stop);

struct StoreUsage {
  std::int64_t snapshot_count = 0;
  std::int64_t blob_count = 0;  // Number of distinct blobs.
  std::int64_t blob_copy_count =
      0;  // Number of records; more than blobs if several processes stored the same one.
  std::int64_t segment_count = 0;
  std::int64_t logical_bytes = 0;      // The size of all snapshots as plain copies.
  std::int64_t blob_bytes = 0;         // The size of the distinct blobs, uncompressed.
  std::int64_t stored_bytes = 0;       // The disk space of the whole store.
  std::int64_t reclaimable_bytes = 0;  // The space that gc would free without removing a snapshot.
  std::int64_t oldest_ms = 0;          // When the oldest snapshot was last made; 0: there is none.
  std::int64_t latest_ms = 0;
};

// The disk usage of the store. Errors: as collect_garbage().
Result<StoreUsage> store_usage(Workspace& workspace, const std::stop_token& stop);

}  // namespace snapgen::core
