#pragma once
// History: the events of a workspace in one order. The sources are snapshots (the store), tasks
// (`.snapback/session/`), learnings, violations and restored files (`.snapback/learnings/`), and checks,
// measured risk, restores and acknowledged risks (`.snapback/logs/`).
//
// It only reads. Missing files are ignored; unreadable ones are counted in History::unread.
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
  std::int64_t at_ms = 0;  // Milliseconds since 1970.
  // Task: started, or its outcome (completed, abandoned, blocked). Check: pass, fail. Acknowledged risk: its
  // level. Learning: its type.
  std::string state;
  std::string id;                  // A snapshot (sha256:...), task, learning, audit entry or violation type.
  std::string title;               // The user's or model's text; a check's mode. Any UTF-8.
  std::string task_id;             // The task that it belongs to; or empty.
  std::string snapshot_id;         // The start of a task, or the target of a restore; or empty.
  std::string safety_snapshot_id;  // The state before a restore; or empty.
  std::vector<std::string> files;  // Paths as texts; possibly not all.
  std::int64_t file_count = 0;     // The number of all files.
  std::vector<std::string> removed;                 // Files that a restore deleted; possibly not all.
  std::int64_t removed_count = 0;                   // The number of all deleted files.
  std::int64_t bytes = 0;                           // Size of a snapshot.
  std::int64_t added_lines = 0, removed_lines = 0;  // Set for an ended task.
  std::int64_t errors = 0, warnings = 0;            // Set for a check.
  TestCounts tests;                                 // Set for a check that ran tests.
  std::int64_t points = 0;                          // Set for a risk.
};

// A source that could not be read completely.
struct UnreadSource {
  std::string place;  // "learnings/violations.jsonl", relative to .snapback.
  std::int64_t count = 0;
  std::string why;  // Empty: `count` lines are damaged. Else a sentence why reading stopped.
};

struct History {
  std::vector<Event> events;   // The latest first.
  std::vector<RiskNote> risk;  // Measured risk, the earliest first.
  std::vector<UnreadSource> unread;
  std::string other_snapshots;  // If only other folders have snapshots: a sentence on these; or empty.
};

// `root`: the workspace. `store_folder`, `origin`: as store_folder_of() and snapshot_origin_of(). Never
// fails: see History::unread.
History read_history(const std::string& root, const std::string& store_folder, const SnapshotOrigin& origin);

// One canonical JSON object without empty members.
std::string json_of(const Event& event);

// The files that a restore wrote; possibly not all.
std::vector<std::string> put_back(const Event& event);

// A sentence with the number of unreadable lines or files; empty: none.
std::string sentence(const std::vector<UnreadSource>& unread);

}  // namespace snapgen::core
