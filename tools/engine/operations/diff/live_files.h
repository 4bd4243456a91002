#pragma once
// The live files that are compared with captured ones, examined as little as possible.
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/files/root.h"
#include "tools/engine/operations/diff/path_scope.h"
#include "tools/engine/store/snapshots/manifest.h"
#include "tools/engine/store/snapshots/snapshot_note.h"
#include "tools/engine/workspace/live_view.h"

namespace snapgen::core {

class Workspace;

struct LiveFile {
  std::string path;
  FileStat stat;
  std::int64_t seen_ns = 0;
  FileMode mode = FileMode::plain;
  std::optional<BlobId> blob;  // Set if it was needed and the file was readable.
  bool unreadable = false;
};

// A captured file and the live file at the same path; at least one of them is set.
struct LivePair {
  const ManifestEntry* before = nullptr;
  std::optional<LiveFile> after;
  // The permissions of a folder hide whether the captured file still exists. Then `after` is not set.
  bool is_hidden = false;
};

// Pairs a snapshot's files with the files that the view lists, within the scope, sorted by path. A captured
// file that is not listed (ignored, or in a nested repository) is found by its name. If touches are not
// recorded, watched files that are known to be unchanged are omitted.
Result<std::vector<LivePair>> pair_with_live(Workspace& workspace, LiveView& view, const PathScope& scope,
                                             const std::vector<ManifestEntry>& before);

// Removes the live files that the snapshot does not prove to have been missing, and returns their number.
std::int64_t remove_uncaptured(const SnapshotScope& captured, std::vector<LivePair>& pairs);

// Removes the live files that could not be read when the snapshot was taken, and still cannot. Returns their
// paths.
std::vector<std::string> take_unreadable(const Root& root, const SnapshotScope& captured,
                                         std::vector<LivePair>& pairs);

// Returns how many of these files the view's listing does not already count as unreadable.
std::int64_t count_unlisted_unreadable(const LiveView& view, const std::vector<std::string>& paths);

// Appends the paths of all files and symlinks below a folder, ignored ones included, and counts what it
// omits. Errors: cancelled; as Root::read_folder(), except permission_denied.
Result<Unit> add_files_below(const Root& root, const std::string& folder, const std::stop_token& stop,
                             std::vector<std::string>& paths, SkippedCounts& skipped);

// Whether the sizes of the two files prove that their contents differ.
bool sizes_differ(Workspace& workspace, const ManifestEntry& before, const LiveFile& after);

// Sets the blobs of `files` from the stat cache, or by reading on several threads, and adds what was read to
// the cache. Errors: repo_changed, cancelled. An unreadable file is marked instead.
Result<Unit> set_blobs(Workspace& workspace, const std::vector<LiveFile*>& files,
                       const std::stop_token& stop);

struct LiveContent {
  std::string bytes;  // For a symlink: its target.
  BlobId blob;
  FileStat stat;
};

// Reads the file or symlink at `path`, according to `kind`, and touches it in the view. Errors: repo_changed
// (it has another kind now, or kept changing); permission_denied.
Result<LiveContent> read_live(Workspace& workspace, LiveView& view, const std::string& path, FileKind kind);

// Records in the view that the client was shown this file.
void mark_touched(LiveView& view, const LiveFile& file);

}  // namespace snapgen::core
