#include "tools/work/task/restore_words.h"

#include <algorithm>

#include "tools/engine/base/phrase.h"
#include "tools/engine/files/path.h"

namespace snapgen::core {
namespace {

constexpr std::size_t named_bytes_max = 120;

bool is_deletion(const RestoredPath& each) { return each.kind == RestoredPath::Kind::deleted; }

}  // namespace

std::vector<std::string> written(const RestoreAnswer& restored) {
  std::vector<std::string> paths;
  for (const RestoredPath& each : restored.changes)
    if (!is_deletion(each)) paths.push_back(each.path);
  return paths;
}

std::vector<std::string> gone(const RestoreAnswer& restored) {
  std::vector<std::string> paths;
  for (const RestoredPath& each : restored.changes)
    if (is_deletion(each)) paths.push_back(each.path);
  return paths;
}

std::vector<RestoredPath> gone_first(const RestoreAnswer& restored) {
  std::vector<RestoredPath> changes = restored.changes;
  std::stable_partition(changes.begin(), changes.end(), is_deletion);
  return changes;
}

std::string sentence_of_gone(const RestoreAnswer& restored, bool dry_run) {
  const std::vector<std::string> paths = gone(restored);
  if (paths.empty()) return {};
  std::string names;
  for (const std::string& path : paths) {
    const std::string next = (names.empty() ? "" : ", ") + path_in_sentence(path);
    if (!names.empty() && names.size() + next.size() > named_bytes_max) {
      names += ", …";
      break;
    }
    names += next;
  }
  return (dry_run ? " Would delete " : " Deleted ") +
         counted(static_cast<std::int64_t>(paths.size()), "file") + " not in the snapshot: " + names + ".";
}

std::string_view text(RestoredPath::Kind kind) {
  switch (kind) {
    case RestoredPath::Kind::created: return "created";
    case RestoredPath::Kind::replaced: return "replaced";
    case RestoredPath::Kind::mode: return "mode";
    case RestoredPath::Kind::deleted: break;
  }
  return "deleted";
}

std::string restore_summary(const RestoreAnswer& restored, bool dry_run, std::string_view from,
                            std::optional<std::size_t> listed) {
  std::string summary = dry_run ? "Would restore " : "Restored ";
  summary += counted(static_cast<std::int64_t>(written(restored).size()), "file") + " from ";
  summary.append(from).append(".");
  if (listed) summary += " The first " + std::to_string(*listed) + " are named.";
  summary += sentence_of_gone(restored, dry_run);
  if (!restored.spared.empty())
    summary += " Left unchanged: " + counted(static_cast<std::int64_t>(restored.spared.size()), "file") +
               " not in the snapshot.";
  if (restored.safety_snapshot_id)
    summary += " To go back, restore " + short_snapshot(*restored.safety_snapshot_id) + ".";
  return summary;
}

}  // namespace snapgen::core
