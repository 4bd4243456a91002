#include "tools/engine/operations/gc/reachable_blobs.h"

#include <algorithm>
#include <utility>

#include <sys/stat.h>

#include "tools/engine/base/common_errors.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/files/folder_names.h"
#include "tools/engine/store/blobs/blob_store.h"
#include "tools/engine/store/history/history_log.h"
#include "tools/engine/store/history/recorded_position.h"
#include "tools/engine/store/history/recorded_state.h"
#include "tools/engine/store/leases/lease.h"
#include "tools/engine/store/snapshots/snapshot_store.h"
#include "tools/engine/workspace/workspace_parts.h"
#include "tools/engine/write/journal.h"

namespace snapgen::core {
namespace {

// No lease is as large; their total has a setting.
constexpr std::uint64_t lease_file_bytes_max = 1 << 30;

std::vector<std::string> visible_names(const std::string& folder) {
  std::vector<std::string> names = names_in_folder(folder).names;
  std::erase_if(names, [](const std::string& name) { return name.starts_with('.'); });
  return names;
}

}  // namespace

bool ReachableBlobs::has_missing_blob(const std::unordered_set<BlobId, BlobIdHash>& stored) const {
  return std::any_of(blobs_.begin(), blobs_.end(), [&](const BlobId& id) {
    return !stored.contains(id) && !without_snapshot_.contains(id);
  });
}

void ReachableBlobs::add_without_snapshot(const BlobId& blob) {
  if (blobs_.insert(blob).second) without_snapshot_.insert(blob);
}

Result<Unit> ReachableBlobs::gather(const std::set<std::string>& going, const std::stop_token& stop) {
  TRY(snapshots_of(workspace_).check_undo_packs());
  std::vector<std::string> names = TRY(snapshots_of(workspace_).id_hexes());
  for (const std::string& hex : names) {
    if (stop.stop_requested()) return cancelled_call_error();
    if (going.contains(hex) || snapshots_.contains(hex)) continue;
    Result<Unit> done = gather_snapshot(hex);
    if (!done && done.error().code == ErrorCode::not_found) continue;  // The snapshot was removed meanwhile.
    if (!done) return done;
    snapshots_.insert(hex);
  }
  return gather_trees();
}

Result<Unit> ReachableBlobs::gather_snapshot(const std::string& hex) {
  SnapshotHeader head = TRY(snapshots_of(workspace_).read_header(hex));
  for (const BlobId& chunk : head.chunks) {
    if (!chunks_.insert(chunk).second) continue;
    Result<std::string> text = chunk_text(blobs_of(workspace_), chunk);
    std::vector<ManifestEntry> entries;
    Result<Unit> taken = text ? read_chunk(*text, entries) : Result<Unit>(text.error());
    if (!taken) {
      chunks_.erase(chunk);
      return Error(ErrorCode::internal,
                   "The snapshot sha256:" + hex + " is damaged, so the blobs that it needs are unknown. " +
                       std::string(verify_store_sentence),
                   ErrorDetails().add("snapshot_id", "sha256:" + hex), taken.error().message);
    }
    blobs_.insert(chunk);
    for (const ManifestEntry& entry : entries) blobs_.insert(entry.blob);
  }
  return Unit{};
}

Result<Unit> ReachableBlobs::gather_trees() {
  std::string trees = store_folder_of(workspace_) + "/trees";
  std::set<std::string> histories;
  for (const std::string& tree : visible_names(trees)) {
    for_each_new_file(trees + "/" + tree + "/leases", [&](const std::string& path, const FileStat& stat) {
      if (stat.mtime_ns + LeaseStore::unused_ns_max >= now_of(workspace_)) gather_lease(path);
    });
    for_each_new_file(trees + "/" + tree + "/writes", [&](const std::string& path, const FileStat&) {
      if (path.ends_with(".journal") || path.ends_with(".done")) gather_journal(path);
    });
    const std::string history = history_folder(trees + "/" + tree);
    for_each_new_file(history, [&](const std::string& path, const FileStat&) {
      if (path.ends_with("/log")) histories.insert(history);
    });
  }
  for (const std::string& history : histories) {
    TRY(gather_history(history));
  }
  return Unit{};
}

// Skips files that are unchanged since the first scan, because captures wait during the second one, and there
// may be thousands of leases.
void ReachableBlobs::for_each_new_file(const std::string& folder,
                                       const std::function<void(const std::string&, const FileStat&)>& take) {
  for (const std::string& name : visible_names(folder)) {
    const std::string path = folder + "/" + name;
    struct stat st;
    if (::stat(path.c_str(), &st) != 0 || !S_ISREG(st.st_mode)) continue;
    const FileStat stat = file_stat(st);
    const Seen seen{.mtime_ns = stat.mtime_ns, .bytes = stat.size};
    if (std::exchange(files_[path], seen) != seen) take(path, stat);
  }
}

void ReachableBlobs::gather_lease(const std::string& path) {
  Result<std::string> bytes = read_whole_file(path, lease_file_bytes_max);
  if (!bytes) return;
  std::string_view rest = *bytes;
  while (std::optional<Batch> batch = next_batch(rest)) {
    std::optional<std::vector<FileRecord>> records = records_of(*batch);
    if (!records) continue;
    for (const FileRecord& record : *records) {
      if (record.blob) add_without_snapshot(*record.blob);
    }
  }
}

// A state or a list of changes that is damaged cannot be used any more, so its blobs are not needed.
Result<Unit> ReachableBlobs::gather_history(const std::string& folder) {
  const auto take = [this](const BlobId& blob) { add_without_snapshot(blob); };
  const Timeline timeline = TRY(HistoryLog(folder).read());
  std::set<std::pair<std::optional<BlobId>, std::optional<BlobId>>> positions;
  const auto gather_position = [&](const GitPosition& position) {
    if (positions.emplace(position.branches, position.index).second)
      static_cast<void>(for_each_blob_of_position(blobs_of(workspace_), position, take));
  };
  for (const auto& base : timeline.bases) {
    static_cast<void>(for_each_blob_of_state(blobs_of(workspace_), base->state, take));
    gather_position(base->position);
  }
  for (const auto& moment : timeline.moments) {
    gather_position(moment->position);
    std::ranges::for_each(moment->change_blobs, take);
    const Result<std::vector<MomentChange>> changes = changes_of(blobs_of(workspace_), *moment);
    for (const MomentChange& change : changes ? *changes : std::vector<MomentChange>()) {
      for (const std::optional<HistoryFile>& file : {change.before, change.after})
        if (file && !file->is_left_out()) take(file->blob);
    }
  }
  return Unit{};
}

void ReachableBlobs::gather_journal(const std::string& path) {
  Result<std::string> bytes = read_whole_file(path, journal_bytes_max);
  std::optional<Journal> journal = bytes ? parse_journal(*bytes) : std::nullopt;
  if (!journal) return;
  for (const Step& step : journal->steps) {
    if (step.before && step.before->blob) add_without_snapshot(*step.before->blob);
  }
  // A machine crash may have lost the files of the undo snapshot, so the journal's copy of its head is used.
  const std::optional<SnapshotHeader> head = parse_snapshot_header(journal->undo.header_text);
  for (const BlobId& chunk : head ? head->chunks : std::vector<BlobId>()) {
    Result<std::string> text = chunk_text(blobs_of(workspace_), chunk);
    std::vector<ManifestEntry> entries;
    if (!text || !read_chunk(*text, entries)) continue;
    add_without_snapshot(chunk);
    for (const ManifestEntry& entry : entries) add_without_snapshot(entry.blob);
  }
}

}  // namespace snapgen::core
