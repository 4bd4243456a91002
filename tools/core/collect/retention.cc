#include "tools/core/collect/retention.h"

#include <string>

#include "tools/core/phrase.h"

namespace snapgen::core {
namespace {

constexpr std::int64_t day_ms = 24LL * 3600 * 1000;

}  // namespace

std::vector<SnapshotNote> expired(const std::vector<SnapshotNote>& notes, const Retention& retention,
                                  std::int64_t now_ms) {
  std::vector<SnapshotNote> going;
  for (std::size_t i = 0; i < notes.size(); ++i) {
    bool is_young = now_ms - notes[i].latest_ms < retention.keep_days * day_ms;
    if (!is_young && static_cast<std::int64_t>(i) >= retention.keep_count) going.push_back(notes[i]);
  }
  return going;
}

bool is_spared(const SnapshotNote& note, const std::set<std::string>& begun_with, std::int64_t now_ms) {
  if (begun_with.contains("sha256:" + note.hex)) return true;
  return now_ms - note.latest_ms < day_ms && note.message.starts_with(std::string(safety_message) + "snap_");
}

}  // namespace snapgen::core
