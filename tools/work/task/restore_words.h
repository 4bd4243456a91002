#pragma once
// Texts about a restore that all tool families share.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/operations/restore.h"

namespace snapgen::core {

struct Snapshot;
class Workspace;

// Returns the sorted paths of files that the restore writes, or wrote.
std::vector<std::string> written_paths(const RestoreAnswer& restored);

// Returns the sorted paths of files that the restore deletes, or deleted.
std::vector<std::string> deleted_paths(const RestoreAnswer& restored);

// Returns all changes, deletions first, so that a reader of the first lines sees them.
std::vector<RestoredPath> changes_deletions_first(const RestoreAnswer& restored);

// Returns "created", "replaced", "mode" or "deleted".
std::string_view text(RestoredPath::Kind kind);

// Returns a sentence such as " Deleted 2 files not in the snapshot: a.txt, b.txt."; empty without deletions.
std::string deletions_sentence(const RestoreAnswer& restored, bool dry_run);

// Returns sentences about restored files that have staged changes or are unmerged in the index, which a
// restore does not touch. Empty if there are none, or if git's status cannot be read. Blocks.
std::string staged_changes_sentence(Workspace& workspace, const RestoreAnswer& restored,
                                    const std::stop_token& stop);

// Returns the result in sentences. `from` is the snapshot, for example "snapshot snap_96b5c0893a". `listed`
// is how many of the changes the reader sees, if not all of them.
std::string restore_summary(const RestoreAnswer& restored, bool dry_run, std::string_view from,
                            std::optional<std::size_t> listed = {});

// Returns sentences about what the snapshot omits although it concerns the work: nested repositories, and
// ignored files that the current task names. Empty if there is nothing.
std::string omitted_from_snapshot_sentence(Workspace& workspace, const Snapshot& snapshot,
                                           const std::stop_token& stop);

}  // namespace snapgen::core
