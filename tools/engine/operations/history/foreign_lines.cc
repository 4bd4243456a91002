#include "tools/engine/operations/history/foreign_lines.h"

#include <algorithm>
#include <utility>

#include "tools/engine/base/encoding.h"
#include "tools/engine/git/status/text_diff.h"
#include "tools/engine/operations/history/history_query.h"
#include "tools/engine/store/snapshots/manifest.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::core {
namespace {

constexpr std::size_t compared_files_max = 50;
constexpr std::uint64_t compared_bytes_max = 4 << 20;

// The lines that the present content has and the other one has not.
std::vector<LineSpan> added_lines(std::string_view present, std::string_view other) {
  std::vector<LineSpan> lines;
  if (looks_binary(present) || looks_binary(other)) return lines;
  const Result<std::vector<DifferingLines>> differences = differing_lines(other, present);
  if (!differences) return lines;
  for (const DifferingLines& each : *differences)
    if (each.new_begin < each.new_end) lines.push_back({.first = each.new_begin + 1, .last = each.new_end});
  return lines;
}

std::vector<LineSpan> added_lines(BlobStore& blobs, const BlobId& present, const BlobId& other) {
  for (const BlobId& id : {present, other})
    if (blobs.size_of(id).value_or(0) > compared_bytes_max) return {};
  const Result<std::string> text = blobs.get(present);
  const Result<std::string> other_text = blobs.get(other);
  return text && other_text ? added_lines(*text, *other_text) : std::vector<LineSpan>();
}

// The files that a restore of a state, not of an undo snapshot, changes. What brought a file to this state
// may be recorded only after the snapshot.
Result<std::map<std::string, LaterPart, std::less<>>> parts_of_state(
    BlobStore& blobs, const Timeline& timeline, const Snapshot& snapshot, std::int64_t taken_ms,
    const std::vector<RestoredPath>& changes) {
  std::map<std::string, LaterPart, std::less<>> parts;
  for (const RestoredPath& change : changes) {
    const ManifestEntry* const entry = find_entry(snapshot.entries, change.path);
    parts[change.path].blob = entry ? std::optional(entry->blob) : std::nullopt;
  }
  for (const auto& moment : timeline.moments) {
    const std::vector<MomentChange> made = TRY(changes_of(blobs, *moment));
    for (const MomentChange& change : made) {
      const auto part = parts.find(change.path);
      if (part == parts.end()) continue;
      const bool has_content = part->second.blob && change.after && change.after->blob == *part->second.blob;
      if (moment->at_ms <= taken_ms || has_content) part->second.after = moment->number;
    }
  }
  return parts;
}

}  // namespace

Result<std::vector<ForeignLines>> foreign_lines(BlobStore& blobs, const LaterChanges& later,
                                                const std::map<std::string, LaterPart, std::less<>>& parts) {
  std::map<std::string_view, std::string> authors;
  for (const auto& moment : later.timeline.moments) {
    const auto counts = [&](const MomentChange& change) {
      const auto part = parts.find(change.path);
      return part != parts.end() && moment->number > part->second.after && change.after &&
             (later.by == LaterChanges::By::all || !change.is_by_server);
    };
    const std::vector<MomentChange> made = TRY(changes_of(blobs, *moment));
    const MomentAuthors by(later.timeline, *moment);
    for (const MomentChange& change : made)
      if (counts(change)) authors.insert_or_assign(parts.find(change.path)->first, by.of(change));
  }
  std::vector<ForeignLines> found;
  for (const auto& [path, author] : authors) {
    if (found.size() == compared_files_max) break;
    const auto present = later.present.find(path);
    if (present == later.present.end() || present->second.is_left_out()) continue;
    ForeignLines foreign{.path = std::string(path), .lines = {}, .author = author};
    if (const std::optional<BlobId>& other = parts.find(path)->second.blob) {
      if (*other == present->second.blob) continue;
      foreign.lines = added_lines(blobs, present->second.blob, *other);
      if (foreign.lines.empty()) continue;
    }
    found.push_back(std::move(foreign));
  }
  return found;
}

Result<UndoneChanges> changes_undone_by(Workspace& workspace, const Timeline& timeline,
                                        const Snapshot& snapshot, const SnapshotNote& note) {
  std::map<std::string, const ManifestEntry*, std::less<>> wanted;  // Null: the change created the file.
  for (const ManifestEntry& entry : snapshot.entries) wanted.emplace(entry.path, &entry);
  for (const std::string& path : note.scope_at(workspace.snapshots().origin()).absent_paths)
    wanted.emplace(path, nullptr);
  UndoneChanges undone;
  for (const auto& moment : timeline.moments) {
    if (moment->at_ms < note.created_ms) continue;
    std::vector<MomentChange> changes = TRY(changes_of(workspace.blobs(), *moment));
    for (MomentChange& change : changes) {
      const auto at = wanted.find(change.path);
      if (at == wanted.end()) continue;
      const ManifestEntry* const entry = at->second;
      const bool replaced_it =
          entry == nullptr ? !change.before : change.before && change.before->blob == entry->blob;
      if (!replaced_it) continue;
      wanted.erase(at);
      std::string path = change.path;
      undone.found.emplace(std::move(path),
                           UndoneChange{.moment = moment->number, .change = std::move(change)});
    }
  }
  for (const auto& [path, entry] : wanted) undone.missing.push_back(path);
  return undone;
}

Result<std::vector<ForeignLines>> foreign_lines_of_restore(Workspace& workspace, const Timeline& timeline,
                                                           std::uint64_t present, const Snapshot& snapshot,
                                                           const std::vector<RestoredPath>& changes,
                                                           const std::stop_token& stop) {
  const std::optional<SnapshotNote> note = workspace.snapshots().note(snapshot.hex);
  if (!note || changes.empty()) return std::vector<ForeignLines>();
  BlobStore& blobs = workspace.blobs();
  const RecordedState state = TRY(state_after(timeline, blobs, present, stop));
  if (!note->is_undo) {
    const LaterChanges later{.timeline = timeline, .present = state, .by = LaterChanges::By::others};
    const std::map<std::string, LaterPart, std::less<>> parts =
        TRY(parts_of_state(blobs, timeline, snapshot, note->created_ms, changes));
    return foreign_lines(blobs, later, parts);
  }
  const UndoneChanges undone = TRY(changes_undone_by(workspace, timeline, snapshot, *note));
  std::map<std::string, LaterPart, std::less<>> parts;
  for (const RestoredPath& change : changes) {
    const auto found = undone.found.find(change.path);
    if (found == undone.found.end()) continue;
    const std::optional<HistoryFile>& after = found->second.change.after;
    parts[change.path] = {.after = found->second.moment,
                          .blob = after ? std::optional(after->blob) : std::nullopt};
  }
  return foreign_lines(blobs, {.timeline = timeline, .present = state, .by = LaterChanges::By::all}, parts);
}

}  // namespace snapgen::core
