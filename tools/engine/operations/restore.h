#pragma once
// restore returns the work tree, or parts of it, to the state in a snapshot.
//
// Files that differ from the snapshot are written; identical ones are not touched and retain their inode and
// times. A file that is not in the snapshot is deleted only if it was provably created later: its folder was
// captured in this work tree, git did not ignore the file then, and its birth time is later. All other files
// remain and are reported. `.git` and repositories in the workspace are never entered. Before any change, a
// safety snapshot is taken, which undoes the restore.
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/base/line_span.h"
#include "tools/engine/workspace/coherent.h"

namespace snapgen::core {

class Workspace;

struct RestoredPath {
  enum class Kind : std::uint8_t { created, replaced, mode_changed, deleted };
  std::string path;
  Kind kind = Kind::created;

  bool operator==(const RestoredPath&) const = default;
};

// A file that is not changed, because the snapshot does not have it or no tool may change it.
struct SparedPath {
  enum class Reason : std::uint8_t {
    not_captured,    // The file's folder was not captured or unreadable, or git ignored the file then.
    older,           // Created before the snapshot, or the birth time is unknown.
    unreadable,      // The file's content could not be saved first.
    protected_file,  // Protected from tools (write_rules.cc); the snapshot may have it.
    occupied,        // A FIFO, socket, device, unreadable folder or repository is at its path or above it.
  };
  std::string path;
  Reason reason = Reason::not_captured;

  bool operator==(const SparedPath&) const = default;
};

// Lines of a present file that a restore takes away although they are from others, or from after the change
// that it undoes.
struct ForeignLines {
  std::string path;
  std::vector<LineSpan> lines;  // Empty: the whole file.
  std::string author;           // As MomentAuthors::of().
};

struct RestoreAnswer {
  std::vector<RestoredPath> changes;  // Sorted by path.
  std::vector<SparedPath> spared;     // Sorted by path.
  std::int64_t unchanged_files = 0;
  std::optional<std::string> safety_snapshot_id;  // nullopt in a dry run, and if nothing had to change.
  std::vector<ForeignLines> foreign_lines = {};  // As foreign_lines_of_restore(), if the caller asked for it.
};

struct RestoreQuery {
  std::string snapshot_id;                        // In any form that SnapshotStore::load() accepts.
  std::optional<std::vector<std::string>> paths;  // Files or folders; absent: everything.
  bool dry_run = false;                           // Only report the changes.
  // A snapshot of another work tree is restored only if this is the tree's name or folder.
  std::optional<std::string> from_tree = {};
  std::string_view from_tree_argument = "from_tree";  // The name of that argument in the caller's interface.
  // Makes the note for Writer::set_listener() from the planned changes; null: none.
  std::function<std::string(const RestoreAnswer&)> make_note = {};
};

// Atomic, and durable on return. Errors: as SnapshotStore::load() and check_same_folder(); invalid_argument
// (a snapshot of another work tree without the right `from_tree`); not_found (a path
// that the snapshot did not capture: not_in_snapshot_error()); if nothing else can be restored,
// invalid_argument (a FIFO, repository or the like at the path of a file) and permission_denied; too_large;
// repo_changed (the tree kept changing); as create_snapshot() and Writer::write().
Result<WithLease<RestoreAnswer>> restore(Workspace& workspace, const RestoreQuery& query,
                                         const std::stop_token& stop);

}  // namespace snapgen::core
