#pragma once
// The differences between two states as a unified diff: what stands in a snapshot or in the live tree,
// against HEAD, the index, or a snapshot.
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/git/tracked_diff.h"
#include "tools/engine/operations/diff/changes.h"
#include "tools/engine/store/snapshot_store.h"
#include "tools/engine/workspace/live_view.h"

namespace snapgen::core {

class Workspace;

struct DiffQuery {
  std::vector<std::string> paths;  // Files or folders; none: everything.
  std::uint32_t context = 3;       // Lines around each change.
  bool untracked = false;          // Against HEAD or the index: untracked files are shown as new ones.
  std::size_t bytes_max = 256 << 10;
  std::size_t files_max = 1000;
};

struct DiffedFile {
  std::string path;
  ChangeStatus status = ChangeStatus::modified;  // never renamed
  bool unmerged = false;   // In conflict: what stands in the work tree is told against "ours".
  std::int64_t added = 0;  // lines
  std::int64_t removed = 0;
  bool binary = false;
  bool omitted = false;  // It changed, but its text would not fit, or it is too large to look into.
};

struct DiffAnswer {
  std::string diff;               // Whole parts of files, in order; bytes.
  std::vector<DiffedFile> files;  // All that changed, at most files_max, by path.
  bool truncated = false;         // There are more files, or the text of some was omitted.
  std::int64_t untracked = 0;     // Untracked files that were left out.
  Skipped skipped;
};

// From `before` to `after`; what they hold, byte for byte. Errors of all: not_found (a path that neither side
// has); unavailable (libgit2 is missing); cancelled.
Result<DiffAnswer> diff_snapshots(Workspace& workspace, const Snapshot& before, const Snapshot& after,
                                  const DiffQuery& query, const std::stop_token& stop);

// From the commit or index that the snapshot was taken on to what it holds, byte for byte: what git would
// convert on the way in is not converted. Errors: not_found too where git has since dropped these objects.
Result<DiffAnswer> diff_snapshot_with_git(Workspace& workspace, const Snapshot& snapshot, GitBase base,
                                          const DiffQuery& query, const std::stop_token& stop);

// From the snapshot to the live files, byte for byte. Touches all that were compared.
Result<DiffAnswer> diff_live_with_snapshot(Workspace& workspace, const Snapshot& before, LiveView& view,
                                           const DiffQuery& query);

// From HEAD or the index to the tracked live files, converted as git converts them. Touches those that
// differ. Where only git can tell (external filters and the like), git is run for it.
Result<DiffAnswer> diff_live_with_git(Workspace& workspace, GitBase base, LiveView& view,
                                      const DiffQuery& query);

}  // namespace snapgen::core
