#include "tools/work/history/history.h"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "runtime/json/members.h"
#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/base/utc.h"
#include "tools/engine/files/json_lines.h"
#include "tools/engine/files/path.h"
#include "tools/engine/store/blobs/blob_store.h"
#include "tools/engine/store/snapshots/snapshot_store.h"
#include "tools/engine/workspace/work_trees.h"
#include "tools/work/log/log_writer.h"
#include "tools/work/memory/copied_lines.h"
#include "tools/work/memory/records.h"
#include "tools/work/task/task_store.h"

namespace snapgen::core {
namespace {

constexpr std::array<std::string_view, event_kind_count> event_names = {
    "snapshot", "task", "check", "restore", "risk", "learning", "violation"};

// Lines about the same snapshot belong to one restore if they are not further apart than this. An audit entry
// and the lines of its restore are written one directly after the other.
constexpr std::int64_t one_restore_ms = 10'000;
// The end of the year 9999, in milliseconds since 1970.
constexpr std::int64_t last_ms = 253'402'300'799'999;
// Maximum number of rotated files that are read per log. There are two, unless a user saved more.
constexpr int ages_max = 16;

// An entry of audit.jsonl about a restore or an acknowledged risk.
struct AuditEntry {
  std::string at, event, id, level, reason, safety_snapshot_id, snapshot_id, task_id;
  std::int64_t deleted_count = 0;
  std::int64_t file_count = 0;
  std::int64_t points = 0;
  std::vector<std::string> files;
};

void read_files(json::Reader& in, AuditEntry& out) {
  // The entry of a restore has the number of files, that of an acknowledged risk has their list.
  if (in.peek() == json::Kind::number) {
    in.integer(out.file_count);
    return;
  }
  if (!in.begin_array()) return;
  while (in.next_element()) in.string(out.files.emplace_back());
  out.file_count = static_cast<std::int64_t>(out.files.size());
}

std::optional<AuditEntry> audit_entry_of(std::string_view line) {
  if (!json::valid_utf8(line)) return std::nullopt;
  json::Reader in(line);
  AuditEntry found;
  const auto files = [&](json::Reader& value) { read_files(value, found); };
  // Entries of earlier versions have a list instead of a number; it is ignored.
  const auto deleted = [&](json::Reader& value) {
    if (value.peek() == json::Kind::number)
      value.integer(found.deleted_count);
    else
      value.skip();
  };
  std::int64_t listed_and_other_files = 0;  // The list may have only the first files.
  json::read_members(in, "at", found.at, "event", found.event, "file_count", listed_and_other_files, "id",
                     found.id, "reason", found.reason, "risk_level", found.level, "safety_snapshot_id",
                     found.safety_snapshot_id, "snapshot_id", found.snapshot_id, "task_id", found.task_id,
                     "files", files, "deleted", deleted, "risk_score", found.points);
  in.end();
  if (!in.ok() || !ms_of_iso_time(found.at)) return std::nullopt;
  found.file_count = std::max(found.file_count, listed_and_other_files);
  return found;
}

bool is_time(std::int64_t at_ms) { return at_ms >= 0 && at_ms <= last_ms; }

// Returns the hex digits of a snapshot's id or alias, or of a prefix of either.
std::string_view digits_of(std::string_view id) {
  for (const std::string_view prefix : {"sha256:", "snap_"})
    if (id.starts_with(prefix)) id.remove_prefix(prefix.size());
  return id;
}

bool may_be_same(std::string_view a, std::string_view b) {
  a = digits_of(a);
  b = digits_of(b);
  return a.starts_with(b) || b.starts_with(a);
}

class HistoryReader {
 public:
  HistoryReader(const RecordFolders& folders, const std::string& store_folder, SnapshotOrigin origin)
      : folders_(folders), lines_(folders), store_(store_folder), origin_(std::move(origin)) {}

  History gather() {
    read_snapshots();
    read_tasks();
    read_learnings();
    read_restores();
    read_work_log();
    auto earlier = [](const RiskNote& a, const RiskNote& b) { return a.at_ms < b.at_ms; };
    std::stable_sort(found_.risk_notes.begin(), found_.risk_notes.end(), earlier);
    // Sorts by time, the latest first. Within a millisecond, the end of a task counts as later than its
    // start.
    std::stable_sort(found_.events.begin(), found_.events.end(),
                     [](const HistoryEvent& a, const HistoryEvent& b) {
                       return std::tuple(b.at_ms, a.kind, a.state == "started", std::string_view(a.id)) <
                              std::tuple(a.at_ms, b.kind, b.state == "started", std::string_view(b.id));
                     });
    return std::move(found_);
  }

 private:
  void read_snapshots() {
    Result<std::unique_ptr<BlobStore>> blobs = open_segment_store(store_ + "/blobs");
    if (!blobs) return note_unread("the store", blobs.error());
    SnapshotStore store(store_ + "/snapshots", origin_, **blobs);
    const Result<SnapshotNotes> listed = store.list();
    if (!listed) return note_unread("the store", listed.error());
    std::vector<SnapshotNote> notes;
    for (const auto& each : *listed) notes.push_back(*each);
    if (notes.empty()) found_.other_snapshots_sentence = store.other_snapshots_sentence();
    const std::vector<std::optional<OtherTree>> trees = other_trees_of(store_, origin_, folders_.name, notes);
    for (std::size_t i = 0; i < notes.size(); ++i) {
      const SnapshotNote& note = notes[i];
      if (!is_time(note.created_ms)) continue;
      HistoryEvent event{.kind = EventKind::snapshot, .at_ms = note.created_ms, .id = "sha256:" + note.hex};
      event.title = text_of_bytes(note.message);
      event.file_count = note.stats.file_count;
      event.bytes = note.stats.bytes;
      if (trees[i]) event.other_tree = trees[i]->name;
      found_.events.push_back(std::move(event));
    }
  }

  void read_tasks() {
    const TaskStore store(folders_);
    std::int64_t unreadable = store.unreadable_count();
    for (const Task& task : store.open_tasks()) unreadable += started(task) ? 0 : 1;
    for (const Task& task : store.ended_tasks(std::numeric_limits<std::size_t>::max())) {
      if (!is_time(task.ended_ms) || !started(task)) {
        ++unreadable;
        continue;
      }
      HistoryEvent event = event_of(task, std::string(text(*task.outcome)), task.ended_ms);
      event.changes_were_counted = task.changes.has_value();
      const TaskChanges changes = task.changes.value_or(TaskChanges{});
      event.file_count = changes.file_count;
      event.added_lines = changes.added_lines;
      event.removed_lines = changes.removed_lines;
      found_.events.push_back(std::move(event));
    }
    if (unreadable > 0)
      found_.unread_sources.push_back({.path = "session", .count = unreadable, .reason = {}});
  }

  HistoryEvent event_of(const Task& task, std::string state, std::int64_t at_ms) const {
    HistoryEvent event{.kind = EventKind::task, .at_ms = at_ms, .state = std::move(state), .id = task.id};
    event.title = task.title;
    event.task_id = task.id;
    if (task.tree != folders_.name) event.other_tree = task.tree;
    for (const std::string& each : task.files) event.files.push_back(text_of_path(each));
    return event;
  }

  bool started(const Task& task) {
    if (!is_time(task.started_ms)) return false;
    HistoryEvent event = event_of(task, "started", task.started_ms);
    event.snapshot_id = task.snapshot_id;
    // The files of an ended task are those that it changed; the event of its start lists none.
    if (task.outcome) event.files.clear();
    event.file_count = static_cast<std::int64_t>(event.files.size());
    found_.events.push_back(std::move(event));
    return true;
  }

  void read_learnings() {
    for_each_record("learnings/user-learnings.jsonl", lines_.learnings, [&](std::string_view line) {
      std::optional<Learning> learning = parse_learning(line);
      if (!learning || !is_time(learning->at_ms)) return false;
      HistoryEvent event{.kind = EventKind::learning, .at_ms = learning->at_ms, .id = learning->id};
      event.state = std::string(text(learning->kind));
      event.title =
          learning->trigger.empty() ? learning->action : learning->trigger + ": " + learning->action;
      event.task_id = learning->task_id;
      found_.events.push_back(std::move(event));
      return true;
    });
    for_each_record("learnings/violations.jsonl", lines_.violations, [&](std::string_view line) {
      std::optional<Violation> violation = parse_violation(line);
      if (!violation || !is_time(violation->at_ms)) return false;
      HistoryEvent event{.kind = EventKind::violation, .at_ms = violation->at_ms, .id = violation->type};
      event.title = violation->description;
      event.task_id = violation->task_id;
      if (!violation->file.empty()) event.files.push_back(violation->file);
      event.file_count = static_cast<std::int64_t>(event.files.size());
      found_.events.push_back(std::move(event));
      return true;
    });
  }

  // Collects restores. The files of every restore are in reverts.jsonl; those of the facade also have an
  // entry in the audit log.
  void read_restores() {
    std::vector<HistoryEvent> restores;
    for_each_record("learnings/reverts.jsonl", lines_.reverts, [&](std::string_view line) {
      std::optional<Revert> revert = parse_revert(line);
      if (!revert || !is_time(revert->at_ms)) return false;
      const bool goes_on = !restores.empty() && restores.back().snapshot_id == revert->snapshot_id &&
                           revert->at_ms - restores.back().at_ms < one_restore_ms &&
                           std::find(restores.back().files.begin(), restores.back().files.end(),
                                     text_of_path(revert->file)) == restores.back().files.end();
      if (!goes_on) {
        restores.push_back({.kind = EventKind::restore, .at_ms = revert->at_ms});
        restores.back().snapshot_id = revert->snapshot_id;
      }
      restores.back().files.push_back(text_of_path(revert->file));
      restores.back().file_count = static_cast<std::int64_t>(restores.back().files.size());
      if (revert->was_deleted) restores.back().deleted_files.push_back(restores.back().files.back());
      restores.back().deleted_file_count = static_cast<std::int64_t>(restores.back().deleted_files.size());
      return true;
    });
    each_log_line(LogKind::audit, [&](std::string_view line) {
      std::optional<AuditEntry> entry = audit_entry_of(line);
      if (!entry) return false;
      if (entry->event == "restore") {
        add_audited(restores, *entry);
      } else if (entry->event == "risk_acknowledged") {
        acknowledged(*std::move(entry));
      }
      return true;
    });
    std::move(restores.begin(), restores.end(), std::back_inserter(found_.events));
  }

  static void add_audited(std::vector<HistoryEvent>& restores, const AuditEntry& entry) {
    const std::int64_t at_ms = *ms_of_iso_time(entry.at);
    const auto same = std::find_if(restores.begin(), restores.end(), [&](const HistoryEvent& each) {
      // The log may have an entry twice, if the process was killed after it wrote the entry and before it
      // deleted its note to do so.
      if (!each.id.empty()) return each.id == entry.id;
      return may_be_same(each.snapshot_id, entry.snapshot_id) &&
             std::abs(each.at_ms - at_ms) < one_restore_ms;
    });
    const bool is_new = same == restores.end();
    HistoryEvent& event = is_new ? restores.emplace_back() : *same;
    if (is_new) event.at_ms = at_ms;
    event.kind = EventKind::restore;
    event.id = entry.id;
    event.snapshot_id = entry.snapshot_id;
    event.safety_snapshot_id = entry.safety_snapshot_id;
    event.file_count = std::max(event.file_count, entry.file_count);
    event.deleted_file_count = std::max(event.deleted_file_count, entry.deleted_count);
  }

  void acknowledged(AuditEntry entry) {
    HistoryEvent event{.kind = EventKind::risk, .at_ms = *ms_of_iso_time(entry.at), .state = entry.level};
    event.id = entry.id;
    event.title = entry.reason;
    event.task_id = entry.task_id;
    event.files = std::move(entry.files);
    event.file_count = entry.file_count;
    event.points = entry.points;
    found_.events.push_back(std::move(event));
  }

  void read_work_log() {
    each_log_line(LogKind::work, [&](std::string_view line) {
      if (std::optional<RiskNote> risk = parse_risk_note(line)) {
        found_.risk_notes.push_back(*std::move(risk));
        return true;
      }
      std::optional<CheckNote> check = parse_check_note(line);
      if (!check) return false;
      HistoryEvent event{.kind = EventKind::check, .at_ms = check->at_ms};
      event.state = text(check->outcome);
      event.title = check->mode;
      event.task_id = check->task_id;
      event.errors = check->errors;
      event.warnings = check->warnings;
      event.tests = check->tests;
      found_.events.push_back(std::move(event));
      return true;
    });
  }

  template <class F>
  void for_each_record(const std::string& location, const CopiedLines& lines, F take) {
    std::int64_t damaged = 0;
    Result<std::int64_t> unreadable = lines.for_each_line([&](std::string_view line) {
      if (!parse_withdrawal(line) && !take(line)) ++damaged;
    });
    if (!unreadable) return note_unread(location, unreadable.error());
    damaged += *unreadable;
    if (damaged > 0) found_.unread_sources.push_back({.path = location, .count = damaged, .reason = {}});
  }

  template <class F>
  void for_each_line(const std::string& location, F take) {
    const JsonLinesFile file(folders_.root, ".snapback/" + location);
    const std::int64_t size = file.current_stat().size;
    std::int64_t damaged = 0;
    Result<std::int64_t> end = file.for_each_line(0, [&](std::string_view line) {
      if (!take(line)) ++damaged;
    });
    if (!end) return note_unread(location, end.error());
    if (*end < size) ++damaged;  // The last line is incomplete, because a process was killed while it wrote.
    if (damaged > 0) found_.unread_sources.push_back({.path = location, .count = damaged, .reason = {}});
  }

  template <class F>
  void each_log_line(LogKind page, F take) {
    const std::string& root = folders_.root;
    const std::size_t folder = root.size() + std::string_view("/.snapback/").size();
    for (int age = ages_max; age >= 0; --age) for_each_line(log_path(root, page, age).substr(folder), take);
  }

  void note_unread(std::string location, const Error& error) {
    found_.unread_sources.push_back({.path = std::move(location), .count = 0, .reason = error.message});
  }

  const RecordFolders& folders_;
  RecordLines lines_;
  const std::string& store_;
  SnapshotOrigin origin_;
  History found_;
};

}  // namespace

std::string_view text(EventKind kind) { return event_names[static_cast<std::size_t>(kind)]; }

History read_history(const RecordFolders& folders, const std::string& store_folder,
                     const SnapshotOrigin& origin) {
  return HistoryReader(folders, store_folder, origin).gather();
}

std::string titled(const HistoryEvent& event) {
  if (event.other_tree.empty()) return event.title;
  return event.title + (event.title.empty() ? "" : " ") + "(in the work tree " + event.other_tree + ")";
}

std::vector<std::string> restored_files(const HistoryEvent& event) {
  std::vector<std::string> files;
  for (const std::string& each : event.files)
    if (std::find(event.deleted_files.begin(), event.deleted_files.end(), each) == event.deleted_files.end())
      files.push_back(each);
  return files;
}

std::string unread_sentence(const std::vector<UnreadSource>& unread) {
  std::string damaged, closed;
  std::int64_t lines = 0;
  for (const UnreadSource& each : unread) {
    if (!each.reason.empty()) {
      closed += " " + each.path + " could not be read: " + each.reason;
      continue;
    }
    lines += each.count;
    damaged += (damaged.empty() ? "" : ", ") + std::to_string(each.count) + " in " + each.path;
  }
  if (lines > 0) damaged = count_with_noun(lines, "record") + " could not be read (" + damaged + ").";
  if (damaged.empty() && !closed.empty()) closed.erase(0, 1);
  return damaged + closed;
}

}  // namespace snapgen::core
