#pragma once
// The live files that are compared with captured ones, each looked at as little as will do.
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/files/root.h"
#include "tools/engine/operations/diff/scope.h"
#include "tools/engine/store/manifest.h"
#include "tools/engine/workspace/live_view.h"

namespace snapgen::core {

class Workspace;

struct LiveFile {
  std::string path;
  FileStat stat;
  std::int64_t seen_ns = 0;
  FileMode mode = FileMode::plain;
  std::optional<BlobId> blob;  // If it was needed, and could be read.
  bool unreadable = false;
};

// A captured file and the live one at the same path; at least one of them is there.
struct LivePair {
  const ManifestEntry* before = nullptr;
  std::optional<LiveFile> after;
};

// Pairs what a snapshot holds with the files that the view lists, in the scope, in the order of paths. A
// captured file that no listing shows (it is ignored, or in a nested repository) is looked for by its name.
// Where nobody asks what was touched, watched files that are known to be as they were captured are left out.
Result<std::vector<LivePair>> pair_with_live(Workspace& workspace, LiveView& view, const Scope& scope,
                                             const std::vector<ManifestEntry>& before);

// Whether sizes tell that the contents differ.
bool sizes_differ(Workspace& workspace, const ManifestEntry& before, const LiveFile& after);

// Finds the blobs of `files`: from the stat cache, and by reading on several threads what it does not know,
// which it learns thereby. Errors: repo_changed, cancelled; a file that may not be read is marked instead.
Result<Unit> find_blobs(Workspace& workspace, const std::vector<LiveFile*>& files,
                        const std::stop_token& stop);

struct LiveContent {
  std::string bytes;  // of a symlink: its target
  BlobId blob;
  FileStat stat;
};

// Reads what stands at `path` itself, a file or symlink as `kind` says, whole, and notes in the view that it
// was read. Errors: repo_changed (it is another kind by now, or kept changing); permission_denied.
Result<LiveContent> read_live(Workspace& workspace, LiveView& view, const std::string& path, FileKind kind);

// Notes in the view that the client was told of these files.
void touch(LiveView& view, const LiveFile& file);

}  // namespace snapgen::core
