#include "tools/work/task/restore_words.h"

#include <algorithm>

#include "tools/engine/base/phrase.h"
#include "tools/engine/files/path.h"
#include "tools/engine/operations/ignored_files.h"
#include "tools/engine/operations/nested_repositories.h"
#include "tools/engine/operations/status_files.h"
#include "tools/engine/workspace/workspace_parts.h"
#include "tools/work/task/task_store.h"

namespace snapgen::core {
namespace {

constexpr std::size_t named_bytes_max = 120;

bool is_deletion(const RestoredPath& each) { return each.kind == RestoredPath::Kind::deleted; }

// Returns the first of the paths, for example "a.ts, b.ts, …".
std::string names_of(const std::vector<std::string>& paths) {
  std::string names;
  for (const std::string& path : paths) {
    const std::string next = (names.empty() ? "" : ", ") + path_in_sentence(path);
    if (!names.empty() && names.size() + next.size() > named_bytes_max) return names + ", …";
    names += next;
  }
  return names;
}

std::string lines_text(const std::vector<LineSpan>& lines) {
  constexpr std::size_t named_max = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(lines.size(), named_max); ++i) {
    const LineSpan& each = lines[i];
    text += (i == 0 ? (lines.size() == 1 && each.first == each.last ? " line " : " lines ") : ", ") +
            std::to_string(each.first) + (each.last > each.first ? "-" + std::to_string(each.last) : "");
  }
  return text + (lines.size() > named_max ? ", …" : "");
}

// Returns a sentence such as " This takes away later changes, too: a.txt line 4 (outside)."; or an empty
// text.
std::string foreign_lines_sentence(const RestoreAnswer& restored, bool dry_run) {
  constexpr std::size_t named_max = 3;
  constexpr std::size_t author_bytes_max = 40;
  if (restored.foreign_lines.empty()) return {};
  std::string text =
      dry_run ? " This would take away later changes, too: " : " This took away later changes, too: ";
  for (std::size_t i = 0; i < std::min(restored.foreign_lines.size(), named_max); ++i) {
    const ForeignLines& each = restored.foreign_lines[i];
    text += (i == 0 ? "" : ", ") + path_in_sentence(each.path) + lines_text(each.lines) + " (" +
            shortened(each.author, author_bytes_max) + ")";
  }
  return text + (restored.foreign_lines.size() > named_max ? ", …." : ".");
}

}  // namespace

std::vector<std::string> written_paths(const RestoreAnswer& restored) {
  std::vector<std::string> paths;
  for (const RestoredPath& each : restored.changes)
    if (!is_deletion(each)) paths.push_back(each.path);
  return paths;
}

std::vector<std::string> deleted_paths(const RestoreAnswer& restored) {
  std::vector<std::string> paths;
  for (const RestoredPath& each : restored.changes)
    if (is_deletion(each)) paths.push_back(each.path);
  return paths;
}

std::vector<RestoredPath> changes_deletions_first(const RestoreAnswer& restored) {
  std::vector<RestoredPath> changes = restored.changes;
  std::stable_partition(changes.begin(), changes.end(), is_deletion);
  return changes;
}

std::string deletions_sentence(const RestoreAnswer& restored, bool dry_run) {
  const std::vector<std::string> paths = deleted_paths(restored);
  if (paths.empty()) return {};
  return (dry_run ? " Would delete " : " Deleted ") +
         count_with_noun(static_cast<std::int64_t>(paths.size()), "file") +
         " not in the snapshot: " + names_of(paths) + ".";
}

std::string_view text(RestoredPath::Kind kind) {
  switch (kind) {
    case RestoredPath::Kind::created: return "created";
    case RestoredPath::Kind::replaced: return "replaced";
    case RestoredPath::Kind::mode_changed: return "mode";
    case RestoredPath::Kind::deleted: break;
  }
  return "deleted";
}

std::string sentence_of_spared(const RestoreAnswer& restored) {
  using Reason = SparedPath::Reason;
  const auto sentence = [&](std::string_view why, auto is_meant) {
    std::vector<std::string> paths;
    for (const SparedPath& each : restored.spared)
      if (is_meant(each.reason)) paths.push_back(each.path);
    if (paths.empty()) return std::string();
    return " Left unchanged: " + count_with_noun(static_cast<std::int64_t>(paths.size()), "file") + " " +
           std::string(why) + ": " + names_of(paths) + ".";
  };
  return sentence("that only the user may change, with snap snapshot restore",
                  [](Reason reason) { return reason == Reason::protected_file; }) +
         sentence("whose content cannot be read, and so not saved first",
                  [](Reason reason) { return reason == Reason::unreadable; }) +
         sentence("whose place a FIFO, socket, device, unreadable folder or nested repository takes",
                  [](Reason reason) { return reason == Reason::occupied; }) +
         sentence("not in the snapshot",
                  [](Reason reason) { return reason == Reason::not_captured || reason == Reason::older; });
}

std::string staged_changes_sentence(Workspace& workspace, const RestoreAnswer& restored,
                                    const std::stop_token& stop) {
  const Result<GitStatus> status = status_of(workspace, stop);
  if (!status) return {};
  std::vector<std::string> paths;
  for (const RestoredPath& each : restored.changes) paths.push_back(each.path);
  const auto is_restored = [&](const std::string& entry_path) {
    const std::optional<std::string> path = to_workspace_path(workspace, entry_path);
    return path && std::ranges::binary_search(paths, *path);
  };
  std::int64_t staged = 0;
  std::vector<std::string> unmerged;
  for (const StatusEntry& entry : status->entries) {
    if (entry.index_status == ' ' || entry.index_status == '?' || entry.index_status == '!') continue;
    // The source of a staged rename is staged as deleted.
    const bool is_source = entry.index_status == 'R' && is_restored(entry.original_path);
    if (!is_source && !is_restored(entry.path)) continue;
    if (is_unmerged(entry))
      unmerged.push_back(entry.path);
    else
      ++staged;
  }
  std::string sentence;
  if (staged > 0)
    sentence += " The index was not restored: " + std::to_string(staged) +
                (staged == 1 ? " of these files has" : " of these files have") +
                " staged changes, which the next commit contains.";
  if (!unmerged.empty())
    sentence += " Git's index still has the merge conflict of " + names_of(unmerged) +
                ": `git add` what is resolved.";
  return sentence;
}

std::string omitted_from_snapshot_sentence(Workspace& workspace, const Snapshot& snapshot,
                                           const std::stop_token& stop) {
  const std::optional<Task> task = TaskStore(record_folders_of(workspace)).current_task();
  const Result<std::vector<std::string>> nested = nested_repositories_in_status(workspace, stop);
  std::string sentence = nested ? nested_repositories_sentence(*nested) : std::string();
  if (!task) return sentence;
  const std::string ignored = ignored_sentence(ignored_files_not_in(workspace, snapshot, task->files));
  return sentence.empty() ? ignored : sentence + with_leading_space(ignored);
}

std::string restore_summary(const RestoreAnswer& restored, bool dry_run, std::string_view from,
                            std::optional<std::size_t> listed) {
  std::string summary = dry_run ? "Would restore " : "Restored ";
  summary += count_with_noun(static_cast<std::int64_t>(written_paths(restored).size()), "file") + " from ";
  summary.append(from).append(".");
  summary += deletions_sentence(restored, dry_run);
  if (listed)
    summary += " The first " + std::to_string(*listed) + " of these " +
               std::to_string(restored.changes.size()) + " files are named above.";
  summary += sentence_of_spared(restored);
  summary += foreign_lines_sentence(restored, dry_run);
  if (restored.safety_snapshot_id)
    summary += " To go back, restore " + short_snapshot_id(*restored.safety_snapshot_id) + ".";
  return summary;
}

}  // namespace snapgen::core
