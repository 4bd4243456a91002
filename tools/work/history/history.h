#pragma once
// History: what happened in a workspace, in one order, from all that is kept of it: snapshots (the store),
// tasks (`.snapback/session/`), learnings, violations and files that were put back (`.snapback/learnings/`),
// checks, measured risk, restores and acknowledged risks (`.snapback/logs/`).
//
// Only reads. What is not there is no history; what cannot be read is counted, and the rest is told.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/store/snapshot_store.h"
#include "tools/work/history/work_note.h"

namespace snapgen::core {

enum class EventKind : std::uint8_t { snapshot, task, check, restore, risk, learning, violation };
inline constexpr std::size_t event_kinds = 7;
std::string_view text(EventKind kind);  // "snapshot", "task", ...

struct Event {
  EventKind kind = EventKind::snapshot;
  std::int64_t at_ms = 0;  // Since 1970.
  // Of a task: started, or how it ended (completed, abandoned, blocked); of a check: pass, fail; of a risk
  // that was acknowledged: its level; of a learning: its type.
  std::string state;
  std::string id;       // Of the snapshot (sha256:...), task, learning, or audit entry; the violation's type.
  std::string title;    // What somebody said; of a check its mode. UTF-8; may hold anything.
  std::string task_id;  // That it belongs to; or empty.
  std::string snapshot_id;           // Of a task's start, and what a restore went back to; or empty.
  std::string safety_snapshot_id;    // What a restore replaced; or empty.
  std::vector<std::string> files;    // As texts of paths; not always all of them:
  std::int64_t file_count = 0;       // so many there were.
  std::vector<std::string> removed;  // Of a restore: those of them that went away; not always all of them:
  std::int64_t removed_count = 0;    // so many there were.
  std::int64_t bytes = 0;            // Of a snapshot.
  std::int64_t added_lines = 0, removed_lines = 0;  // Of a task that ended.
  std::int64_t errors = 0, warnings = 0;            // Of a check.
  TestCounts tests;                                 // Of a check that ran some.
  std::int64_t points = 0;                          // Of a risk.
};

// What could not be read of one place.
struct Unread {
  std::string place;  // "learnings/violations.jsonl", seen from .snapback.
  std::int64_t count = 0;
  std::string why;  // Empty: lines that are damaged; else a sentence, and the whole of it was not read.
};

struct History {
  std::vector<Event> events;   // The latest first.
  std::vector<RiskNote> risk;  // As it was measured; the earliest first.
  std::vector<Unread> unread;
  std::string other_snapshots;  // A sentence on those of other folders, if there is none of this; or empty.
};

// `root`: the workspace. `store_folder`, `place`: as store_folder_of() and place_of(). Never fails: see
// History::unread.
History read_history(const std::string& root, const std::string& store_folder, const SnapshotOrigin& place);

// One canonical JSON object; members that say nothing are left out.
std::string json_of(const Event& event);

// Of a restore: the files that were put back; not always all of them.
std::vector<std::string> put_back(const Event& event);

// How many lines or files could not be read, as a sentence; empty: none.
std::string sentence(const std::vector<Unread>& unread);

}  // namespace snapgen::core
