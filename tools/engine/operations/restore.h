#pragma once
// restore: the live tree, or parts of it, as a snapshot captured it.
//
// What the snapshot holds is written where something else stands; what is the same already is not touched: it
// keeps its inode and its times. A file that the snapshot does not hold goes away only if it is proven to
// have come since: its folder was captured in this very work tree, git did not ignore it then, and it was
// born later. Everything else stays and is named. Nothing in `.git` or in a repository within the workspace
// is entered. Before anything changes, all of it is captured in another snapshot, by which the restore can be
// undone.
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/workspace/coherent.h"

namespace snapgen::core {

class Workspace;

struct RestoredPath {
  enum class Kind : std::uint8_t { created, replaced, mode, deleted };
  std::string path;
  Kind kind = Kind::created;

  bool operator==(const RestoredPath&) const = default;
};

// A file that is not changed: the snapshot does not hold it, or no tool may change it.
struct SparedPath {
  enum class Reason : std::uint8_t {
    not_captured,  // Its folder was not, or could not be, looked into here, or git ignored it then.
    older,         // It was born before the snapshot, or the file system does not tell.
    unreadable,    // What it holds could not be kept.
    settings,      // No tool changes it (protected_paths.h); the snapshot may hold it.
  };
  std::string path;
  Reason reason = Reason::not_captured;

  bool operator==(const SparedPath&) const = default;
};

struct RestoreAnswer {
  std::vector<RestoredPath> changes;  // Sorted by path.
  std::vector<SparedPath> spared;     // Sorted by path.
  std::int64_t unchanged = 0;
  std::optional<std::string> safety_snapshot_id;  // None in a dry run, and if nothing had to change.
};

struct RestoreQuery {
  std::string snapshot_id;                        // Any form that SnapshotStore::load() takes.
  std::optional<std::vector<std::string>> paths;  // Files or folders; absent: everything.
  bool dry_run = false;                           // Says what would happen.
  // Of what will be done, the note that Writer::set_listener() tells when it is; null: none.
  std::function<std::string(const RestoreAnswer&)> note = {};
};

// Durable, and all or nothing, when it returns. Errors: as SnapshotStore::load(); not_found (a path of which
// the snapshot knows nothing); invalid_argument (the snapshot is of another folder of the repository; a FIFO,
// a repository or the like stands where a file must go); too_large; repo_changed (others kept changing the
// tree); as create_snapshot() and Writer::write().
Result<Coherent<RestoreAnswer>> restore(Workspace& workspace, const RestoreQuery& query,
                                        const std::stop_token& stop);

}  // namespace snapgen::core
