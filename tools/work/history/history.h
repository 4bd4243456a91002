#pragma once
// History: the events of a workspace in one order. The sources are snapshots, tasks, learnings, violations
// and restored files (the store, and what only the copies in `.snapback/` have), and checks, measured risk,
// restores and acknowledged risks (`.snapback/logs/`).
//
// Missing files are ignored; unreadable ones are counted in History::unread_sources.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/store/snapshots/snapshot_store.h"
#include "tools/work/history/work_note.h"
#include "tools/work/memory/record_folders.h"

namespace snapgen::core {

enum class EventKind : std::uint8_t { snapshot, task, check, restore, risk, learning, violation };
inline constexpr std::size_t event_kind_count = 7;
std::string_view text(EventKind kind);  // Returns the name, such as "snapshot" or "task".

struct HistoryEvent {
  EventKind kind = EventKind::snapshot;
  std::int64_t at_ms = 0;  // Milliseconds since 1970.
  // For a task, "started" or its outcome (completed, abandoned, blocked); for a check, pass or fail; for an
  // acknowledged risk, its level; for a learning, its type.
  std::string state;
  std::string id;  // The id of a snapshot (sha256:...), task, learning or audit entry, or a violation type.
  std::string title;        // The text of the user or the model, or the mode of a check. Any UTF-8.
  std::string task_id;      // The task that the event belongs to; may be empty.
  std::string other_tree;   // The work tree of a snapshot or a task, by name; empty if it is the present one.
  std::string snapshot_id;  // The snapshot at the start of a task, or the target of a restore; may be empty.
  std::string safety_snapshot_id;          // The snapshot that a restore made first; may be empty.
  std::vector<std::string> files;          // Paths as texts, possibly not all of them.
  std::int64_t file_count = 0;             // The number of all files, listed or not.
  std::vector<std::string> deleted_files;  // Files that a restore deleted, possibly not all of them.
  std::int64_t deleted_file_count = 0;     // The number of all deleted files.
  std::int64_t bytes = 0;                  // The size of a snapshot.
  // The lines that an ended task added and removed.
  std::int64_t added_lines = 0, removed_lines = 0;
  bool changes_were_counted = true;       // False for a task that ended without its snapshot.
  std::int64_t errors = 0, warnings = 0;  // The numbers of a check's findings.
  TestCounts tests;                       // The number of tests that a check ran.
  std::int64_t points = 0;                // The points of an acknowledged risk.
};

// A source of the history that could not be read completely.
struct UnreadSource {
  std::string path;  // A path below .snapback, such as "learnings/violations.jsonl".
  std::int64_t count = 0;
  std::string reason;  // A sentence why reading stopped. Empty if only `count` lines are damaged.
};

struct History {
  std::vector<HistoryEvent> events;  // All events, the latest first.
  std::vector<RiskNote> risk_notes;  // Measurements of risk, the earliest first.
  std::vector<UnreadSource> unread_sources;
  std::string other_snapshots_sentence;  // A sentence about snapshots of other folders, if only those exist;
                                         // or empty.
};

// Reads the history of a workspace. `store_folder` and `origin` are those of store_folder_of() and
// snapshot_origin_of(). Never fails; History::unread_sources lists what could not be read.
History read_history(const RecordFolders& folders, const std::string& store_folder,
                     const SnapshotOrigin& origin);

// Returns the title, followed by the work tree if the event is of another one.
std::string titled(const HistoryEvent& event);

// Returns the files that a restore wrote, possibly not all of them.
std::vector<std::string> restored_files(const HistoryEvent& event);

// Returns a sentence with the number of unreadable lines or files; empty if there are none.
std::string unread_sentence(const std::vector<UnreadSource>& unread);

}  // namespace snapgen::core
