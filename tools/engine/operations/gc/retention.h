#pragma once
// Retention: which snapshots are kept, by age and number.
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace snapgen::core {

struct SnapshotNote;

// What `.snapback/config.json` says under "store" (schemas/common/store_settings.json).
struct Retention {
  std::int64_t keep_days = 90;     // Younger snapshots are kept, by when they were last made,
  std::int64_t keep_count = 1000;  // and the latest ones, whatever their age.
  std::int64_t undo_days = 7;      // Undo snapshots are kept for so long, and neither count nor are counted.
  // If the store takes more room, a sweep keeps fewer than keep_count, the latest, but always a tenth of it,
  // and what is_spared(). If that would not be enough, none goes for it.
  std::int64_t quota_bytes = std::int64_t{20} << 30;
  std::int64_t sweep_hours = 24;  // Between two sweeps that run by themselves; 0: none does.
};

// Returns the ids of snapshots that a collection keeps however little room there is, besides those that it
// spares by itself: those that open tasks began with (task_store.h). Empty: there are none.
using SparedSnapshots = std::function<std::set<std::string>()>;

// Those of `notes`, the latest first, that need not be kept.
std::vector<SnapshotNote> expired(const std::vector<SnapshotNote>& notes, const Retention& retention,
                                  std::int64_t now_ms);

// Whether a snapshot is kept however little room there is: it is one of `spared` (ids), or it is younger than
// undo_days and holds what a change or a restore replaced.
bool is_spared(const SnapshotNote& note, const std::set<std::string>& spared, const Retention& retention,
               std::int64_t now_ms);

}  // namespace snapgen::core
