#pragma once
// Retention: which snapshots are retained, by age and number.
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tools/engine/store/history/thin_history.h"

namespace snapgen::core {

struct SnapshotNote;

// The settings under "store" in `.snapback/config.json` (schemas/common/store_settings.json).
struct Retention {
  std::int64_t keep_days = 90;     // Retain snapshots that were last made within these days.
  std::int64_t keep_count = 1000;  // Retain so many of the latest ones, regardless of age.
  std::int64_t undo_days = 7;      // Retain undo snapshots this long; they do not count for keep_count.
  // If the store is larger, a sweep retains fewer than keep_count, but always the latest tenth of it and the
  // snapshots for which is_spared() is true. If that cannot suffice, it removes none for the quota.
  std::int64_t quota_bytes = std::int64_t{20} << 30;
  std::int64_t sweep_hours = 24;  // Time between two automatic sweeps; 0: none.
  // The limits of the histories, which a collection thins. What their moments store does not count for
  // quota_bytes, so that no snapshot is removed for it.
  std::optional<HistoryLimits> history = {};

  // The size from which a store may exceed its quota whatever the histories store.
  std::int64_t store_bytes_max() const { return quota_bytes + (history ? history->bytes_max : 0); }
};

// Returns the ids of snapshots that a collection retains regardless of the quota, in addition to its own:
// those with which open tasks began (task_store.h). Empty: there are none.
using GetSparedSnapshots = std::function<std::set<std::string>()>;

// The snapshots among `notes`, sorted latest first, that need not be retained.
std::vector<SnapshotNote> expired_snapshots(const std::vector<SnapshotNote>& notes,
                                            const Retention& retention, std::int64_t now_ms);

// Whether a snapshot is retained regardless of the quota: its id is in `spared`, or it has content that a
// change or a restore replaced and is younger than undo_days.
bool is_spared(const SnapshotNote& note, const std::set<std::string>& spared, const Retention& retention,
               std::int64_t now_ms);

}  // namespace snapgen::core
