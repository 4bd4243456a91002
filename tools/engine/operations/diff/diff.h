#pragma once
// Unified diffs between two states: a snapshot or the work tree against HEAD, the index, or a snapshot.
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/git/status/tracked_diff.h"
#include "tools/engine/operations/diff/changes.h"
#include "tools/engine/store/snapshots/snapshot_store.h"
#include "tools/engine/text/text_encodings.h"
#include "tools/engine/workspace/live_view.h"

namespace snapgen::core {

class Workspace;

struct DiffQuery {
  std::vector<std::string> paths;  // Files or folders; empty: everything.
  std::uint32_t context = 3;       // Number of lines around each change.
  bool show_untracked = false;     // Against HEAD or the index: show untracked files as new ones.
  std::size_t bytes_max = 256 << 10;
  std::size_t files_max = 1000;
  TextEncodings* encodings = nullptr;  // Converts texts to UTF-8; null: the diff has the bytes of the files.
};

struct DiffedFile {
  std::string path;
  ChangeStatus status = ChangeStatus::modified;  // never renamed
  bool unmerged = false;                         // In conflict: the work tree's file is compared with "ours".
  std::int64_t added_lines = 0;                  // Number of added lines.
  std::int64_t removed_lines = 0;
  bool binary = false;
  bool omitted = false;                        // The text did not fit, or the file is too large to compare.
  TextEncoding encoding = TextEncoding::utf8;  // That of the new file, or of the deleted one.
};

struct DiffAnswer {
  std::string diff;                          // Complete sections of files, in order.
  std::vector<DiffedFile> files;             // The changed files, at most files_max, by path.
  bool truncated = false;                    // There are more files, or the text of some was omitted.
  std::int64_t omitted_untracked_files = 0;  // The number of omitted untracked files.
  std::vector<std::string> unreadable;       // As ChangesAnswer::unreadable, of a diff with a snapshot.
  SkippedCounts skipped;
};

// Compares two snapshots byte for byte. A file that one of them did not capture is counted in
// `skipped.not_captured`, here and below. Errors of all: not_found (a path that neither side has);
// unavailable (libgit2 cannot be started); cancelled.
Result<DiffAnswer> diff_snapshots(Workspace& workspace, const Snapshot& before, const Snapshot& after,
                                  const DiffQuery& query, const std::stop_token& stop);

// Compares the commit or index that the snapshot was taken on with the snapshot, byte for byte, without git's
// conversions. Errors: also not_found, if git has deleted the objects of the commit or index.
Result<DiffAnswer> diff_snapshot_with_git(Workspace& workspace, const Snapshot& snapshot, GitBase base,
                                          const DiffQuery& query, const std::stop_token& stop);

// Compares a snapshot with the live files, byte for byte. Touches all compared files.
Result<DiffAnswer> diff_live_with_snapshot(Workspace& workspace, const Snapshot& before, LiveView& view,
                                           const DiffQuery& query);

// Compares HEAD or the index with the tracked live files, converted as git does. Touches the differing files.
// Runs git for conversions that only git can do (external filters and the like).
Result<DiffAnswer> diff_live_with_git(Workspace& workspace, GitBase base, LiveView& view,
                                      const DiffQuery& query);

// Like diff_live_with_git(), by the git program, for files that only git can convert. `why`: the reason why
// git is needed. Untracked files are
// counted but not shown, because git's conversion of them is unknown. Errors: not_found (a path that neither
// side has); unavailable (no git, or it failed); cancelled.
Result<DiffAnswer> diff_by_git(Workspace& workspace, GitBase base, LiveView& view, const DiffQuery& query,
                               std::string_view why);

}  // namespace snapgen::core
