#pragma once
// Exports files of a snapshot, or live ones.
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/operations/diff/path_scope.h"
#include "tools/engine/operations/export/bundle.h"
#include "tools/engine/store/snapshots/manifest.h"
#include "tools/engine/store/snapshots/snapshot_store.h"
#include "tools/engine/workspace/live_view.h"

namespace snapgen::core {

class Workspace;

// The snapshot's files in the scope. Errors: not_found (a path that the snapshot does not have).
Result<ExportSource> export_source(Workspace& workspace, const Snapshot& snapshot, const PathScope& scope);

// Live files with their contents: the same files that a snapshot of these paths would capture, so both export
// the same bytes. An export of more bytes than are permitted fails before they are all loaded.
struct LiveExport {
  std::vector<ManifestEntry> entries;
  std::unordered_map<BlobId, std::string, BlobIdHash> contents;
  SkippedCounts skipped;

  ExportSource export_source() const;
};

// Reads the scope's live files, and touches them. Errors: not_found (path); invalid_argument (a FIFO, socket
// or device); too_large; repo_changed; cancelled.
Result<LiveExport> read_for_export(Workspace& workspace, LiveView& view, const PathScope& scope,
                                   std::uint64_t bytes_max);

// In a tar archive (bundle.h), the blocks before the entry's content of `size` bytes: its header, preceded if
// necessary by pax records with long names and sizes of 8 GiB and more. For a symlink, size is 0 and `link`
// is its target.
std::string tar_header_blocks(const ManifestEntry& entry, std::uint64_t size, std::string_view link);

}  // namespace snapgen::core
