#pragma once
// rewind() returns the work tree, or paths of it, to a recorded state. undo_moment() undoes the changes of
// some moments and retains later ones. Both take a moment before and after, so they can be undone themselves.
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/operations/history/undo_lines.h"
#include "tools/engine/operations/restore.h"

namespace snapgen::core {

class MomentTaker;
class Workspace;

struct RewindQuery {
  std::string target;  // As find_history_target(): the state before it is restored; for a time, that at it.
  std::optional<std::vector<std::string>> paths;  // Files or folders; nullopt: everything.
  bool dry_run = false;
  bool git = false;  // Also move the position of git back; not with paths.
};

// How the position of git differs from the recorded one.
struct RewoundPosition {
  std::vector<std::string> moved;    // As PositionMove::moved().
  std::vector<std::string> unmoved;  // As PositionMove::unmoved().
  bool is_moved_back = false;
  std::string failure;  // The sentence why it was not moved back although the files were restored.
};

struct RewindAnswer {
  std::uint64_t state_number = 0;  // The moment whose state was restored.
  std::int64_t state_ms = 0;       // Its time.
  RestoreAnswer restored;
  std::vector<ForeignLines> foreign_lines;
  std::optional<RewoundPosition> git;  // nullopt: it does not differ, or is unknown.
  // The changed files whose present content the history does not have, because they are too large or ignored.
  // Only the safety snapshot has it.
  std::vector<std::string> unrecorded;
  // The moment that undoes the rewind; nullopt in a dry run, if nothing had to change, and while the history
  // is paused.
  std::optional<std::uint64_t> undo_with;
};

// Errors: as find_history_target(), state_after(), MomentTaker::take() and restore(); with `git` also as
// PositionMove::check(), before any file is changed.
Result<WithLease<RewindAnswer>> rewind(Workspace& workspace, MomentTaker& taker, const RewindQuery& query,
                                       const std::stop_token& stop);

struct UndoPath {
  std::string path;               // A file or a folder.
  std::optional<LineSpan> lines;  // Of a file: only changes in these lines of the present file.
};

struct UndoMomentQuery {
  std::string target;           // A moment or a turn, or the id of an undo snapshot.
  std::vector<UndoPath> paths;  // Empty: all files of the change.
  bool partial = false;         // Undo what can be undone if there are conflicts.
  bool dry_run = false;
};

struct UndoneFile {
  std::string path;
  RestoredPath::Kind kind = RestoredPath::Kind::replaced;
};

// A file of which something cannot be undone.
struct UndoConflict {
  std::string path;
  std::vector<LineSpan> lines;  // Of the present file; empty: the whole file.
  std::string reason;           // One sentence.
};

struct UndoMomentAnswer {
  bool is_done = false;  // False in a dry run, with conflicts, and if nothing had to change.
  std::vector<UndoneFile> files;
  std::vector<UndoConflict> conflicts;
  std::optional<std::uint64_t> undo_with;  // As RewindAnswer::undo_with.
  std::optional<std::string> undo_snapshot_id;
};

// Errors: as rewind(), not_found (a path that the change does not have), and as change_worktree().
Result<WithLease<UndoMomentAnswer>> undo_moment(Workspace& workspace, MomentTaker& taker,
                                                const UndoMomentQuery& query, const std::stop_token& stop);

}  // namespace snapgen::core
