#include "tools/engine/operations/gc/retention.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <string>

#include "tools/engine/base/phrase.h"
#include "tools/engine/store/snapshots/snapshot_note.h"

namespace snapgen::core {
namespace {

constexpr std::int64_t day_ms = 24LL * 3600 * 1000;

}  // namespace

std::vector<SnapshotNote> expired_snapshots(const std::vector<SnapshotNote>& notes,
                                            const Retention& retention, std::int64_t now_ms) {
  assert(std::ranges::is_sorted(notes, std::ranges::greater(), &SnapshotNote::latest_ms));
  std::vector<SnapshotNote> going;
  std::int64_t counted = 0;
  for (const SnapshotNote& note : notes) {
    const std::int64_t age_ms = now_ms - note.latest_ms;
    if (note.is_undo) {
      if (age_ms >= retention.undo_days * day_ms) going.push_back(note);
      continue;
    }
    const bool is_young = age_ms < retention.keep_days * day_ms;
    if (counted++ >= retention.keep_count && !is_young) going.push_back(note);
  }
  return going;
}

bool is_spared(const SnapshotNote& note, const std::set<std::string>& spared, const Retention& retention,
               std::int64_t now_ms) {
  if (spared.contains("sha256:" + note.hex)) return true;
  const bool brings_back =
      note.is_undo || note.message.starts_with(std::string(safety_message_prefix) + "snap_");
  return brings_back && now_ms - note.latest_ms < retention.undo_days * day_ms;
}

}  // namespace snapgen::core
