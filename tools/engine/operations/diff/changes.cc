#include "tools/engine/operations/diff/changes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include "tools/engine/base/common_errors.h"
#include "tools/engine/files/path.h"
#include "tools/engine/operations/diff/live_files.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::core {
namespace {

// One side of a changed file, for rename detection.
struct Side {
  std::string path;
  FileMode mode = FileMode::plain;
  std::optional<BlobId> blob;
};

struct FoundChanges {
  std::vector<FileChange> changes;  // All changes except added and deleted files.
  std::vector<Side> added;
  std::vector<Side> deleted;
};

bool is_symlink_mode(FileMode mode) { return mode == FileMode::symlink; }

std::optional<ChangeStatus> change_status(FileMode before, FileMode after, bool same_content) {
  if (is_symlink_mode(before) != is_symlink_mode(after)) return ChangeStatus::type_changed;
  if (!same_content) return ChangeStatus::modified;
  if (before != after) return ChangeStatus::mode_changed;
  return std::nullopt;
}

void take_renames(FoundChanges& found) {
  std::unordered_map<BlobId, std::vector<const Side*>, BlobIdHash> sources;
  for (const Side& side : found.deleted) sources[*side.blob].push_back(&side);
  std::map<const Side*, bool> used;
  std::vector<Side> added;
  for (Side& side : found.added) {
    auto candidates = side.blob ? sources.find(*side.blob) : sources.end();
    const Side* best = nullptr;
    if (candidates != sources.end()) {
      for (const Side* source : candidates->second) {
        if (used.contains(source) || is_symlink_mode(source->mode) != is_symlink_mode(side.mode)) continue;
        bool same_name = base_name(source->path) == base_name(side.path);
        if (best == nullptr || same_name) best = source;
        if (same_name) break;
      }
    }
    if (best == nullptr) {
      added.push_back(std::move(side));
      continue;
    }
    used[best] = true;
    found.changes.push_back(FileChange{
        .path = std::move(side.path), .status = ChangeStatus::renamed, .renamed_from = best->path});
  }
  found.added = std::move(added);
  std::vector<Side> deleted;
  for (Side& side : found.deleted) {
    if (!used.contains(&side)) deleted.push_back(std::move(side));
  }
  found.deleted = std::move(deleted);
}

ChangesAnswer changes_answer(FoundChanges found, const ChangesQuery& query) {
  if (query.detect_renames) take_renames(found);
  ChangesAnswer answer;
  answer.changes = std::move(found.changes);
  for (Side& side : found.added) {
    answer.changes.push_back(
        FileChange{.path = std::move(side.path), .status = ChangeStatus::added, .renamed_from = {}});
  }
  for (Side& side : found.deleted) {
    answer.changes.push_back(
        FileChange{.path = std::move(side.path), .status = ChangeStatus::deleted, .renamed_from = {}});
  }
  std::sort(answer.changes.begin(), answer.changes.end(),
            [](const FileChange& a, const FileChange& b) { return a.path < b.path; });
  answer.total = static_cast<std::int64_t>(answer.changes.size());
  if (answer.changes.size() > query.changes_max) answer.changes.resize(query.changes_max);
  return answer;
}

bool has_below(const std::vector<ManifestEntry>& entries, std::string_view path) {
  auto [first, last] = range_below(entries, path);
  return first != last || path.empty();
}

}  // namespace

Result<ChangesAnswer> changes_between(Workspace& workspace, const Snapshot& before, const Snapshot& after,
                                      const ChangesQuery& query, const std::stop_token& stop) {
  if (stop.stop_requested()) return cancelled_call_error();
  PathScope scope(query.paths);
  for (const std::string& path : scope.paths()) {
    if (has_below(before.entries, path) || has_below(after.entries, path)) continue;
    return Error(ErrorCode::not_found, "Neither " + before.alias() + " nor " + after.alias() + " holds " +
                                           path_in_sentence(path) + ".");
  }
  std::vector<const ManifestEntry*> old_entries = scope.select(before.entries);
  std::vector<const ManifestEntry*> new_entries = scope.select(after.entries);
  const SnapshotScope old_part = workspace.snapshots().captured_scope(before);
  const SnapshotScope new_part = workspace.snapshots().captured_scope(after);
  FoundChanges found;
  SkippedCounts skipped;
  auto take = [&](const ManifestEntry& entry, const SnapshotScope& other, std::vector<Side>& sides) {
    if (other.covers(entry.path))
      sides.push_back(Side{.path = entry.path, .mode = entry.mode, .blob = entry.blob});
    else
      ++skipped.not_captured;
  };
  auto next = old_entries.begin();
  auto take_deleted = [&] { take(**next++, new_part, found.deleted); };
  for (const ManifestEntry* entry : new_entries) {
    while (next != old_entries.end() && (*next)->path < entry->path) take_deleted();
    if (next == old_entries.end() || (*next)->path != entry->path) {
      take(*entry, old_part, found.added);
      continue;
    }
    std::optional<ChangeStatus> status =
        change_status((*next)->mode, entry->mode, (*next)->blob == entry->blob);
    if (status)
      found.changes.push_back(FileChange{.path = entry->path, .status = *status, .renamed_from = {}});
    ++next;
  }
  while (next != old_entries.end()) take_deleted();
  ChangesAnswer answer = changes_answer(std::move(found), query);
  answer.skipped = skipped;
  return answer;
}

Result<ChangesAnswer> changes_since(Workspace& workspace, const Snapshot& before, LiveView& view,
                                    const ChangesQuery& query) {
  TRY(workspace.snapshots().check_same_folder(before));
  PathScope scope(query.paths);
  std::vector<LivePair> pairs = TRY(pair_with_live(workspace, view, scope, before.entries));
  auto known = [&](std::string_view path) { return has_below(before.entries, path); };
  SkippedCounts skipped = TRY(skipped_in(view, scope, known));
  const SnapshotScope captured = workspace.snapshots().captured_scope(before);
  skipped.not_captured = remove_uncaptured(captured, pairs);
  std::vector<std::string> unreadable = take_unreadable(workspace.root(), captured, pairs);

  // A changed file is read only if neither its size nor its stat tells whether it differs. An added file is
  // read only if it has the size of a deleted one, which may then have been renamed.
  std::unordered_map<std::uint64_t, bool> deleted_sizes;
  for (const LivePair& pair : pairs) {
    if (!query.detect_renames || pair.after || pair.is_hidden) continue;
    std::optional<std::uint64_t> size = workspace.blobs().size_of(pair.before->blob);
    if (size) deleted_sizes[*size] = true;
  }
  std::vector<LiveFile*> wanted;
  for (LivePair& pair : pairs) {
    if (!pair.after) continue;
    LiveFile& file = *pair.after;
    bool needed = pair.before != nullptr ? is_symlink_mode(pair.before->mode) == is_symlink_mode(file.mode) &&
                                               !sizes_differ(workspace, *pair.before, file)
                                         : deleted_sizes.contains(static_cast<std::uint64_t>(file.stat.size));
    if (needed) wanted.push_back(&file);
  }
  TRY(set_blobs(workspace, wanted, view.stop()));

  FoundChanges found;
  for (LivePair& pair : pairs) {
    if (pair.is_hidden) {
      unreadable.push_back(pair.before->path);
      continue;
    }
    if (!pair.after) {
      found.deleted.push_back(
          Side{.path = pair.before->path, .mode = pair.before->mode, .blob = pair.before->blob});
      continue;
    }
    LiveFile& file = *pair.after;
    mark_touched(view, file);
    if (pair.before == nullptr) {
      found.added.push_back(Side{.path = std::move(file.path), .mode = file.mode, .blob = file.blob});
    } else if (file.unreadable) {
      unreadable.push_back(file.path);
    } else {
      bool same = file.blob && *file.blob == pair.before->blob;
      std::optional<ChangeStatus> status = change_status(pair.before->mode, file.mode, same);
      if (status)
        found.changes.push_back(FileChange{.path = file.path, .status = *status, .renamed_from = {}});
    }
  }
  ChangesAnswer answer = changes_answer(std::move(found), query);
  answer.skipped = skipped;
  answer.skipped.unreadable += count_unlisted_unreadable(view, unreadable);
  answer.unreadable = std::move(unreadable);
  return answer;
}

}  // namespace snapgen::core
