#include "tools/engine/store/snapshots/snapshot_contents.h"

#include <iterator>
#include <string>
#include <string_view>
#include <unordered_set>

#include "tools/engine/base/common_errors.h"

namespace snapgen::core {

Result<std::vector<bool>> are_contents_in_snapshots(SnapshotStore& snapshots, BlobStore& blobs,
                                                    std::span<const ManifestRow> rows,
                                                    const std::stop_token& stop) {
  std::vector<bool> retained(rows.size());
  if (rows.empty()) return retained;
  std::unordered_multimap<std::string_view, std::size_t> missing;  // The index of each path in `rows`.
  for (std::size_t i = 0; i < rows.size(); ++i) missing.emplace(rows[i].path, i);
  std::unordered_set<BlobId, BlobIdHash> read;  // The chunks that were read, most of which snapshots share.
  const SnapshotNotes notes = TRY(snapshots.list_all());
  for (const auto& note : notes) {
    if (missing.empty()) break;
    if (stop.stop_requested()) return cancelled_call_error();
    if (!note->is_of_prefix(snapshots.origin().prefix)) continue;
    const Result<SnapshotHeader> head = snapshots.read_header(note->hex);
    if (!head) continue;
    for (const BlobId& chunk : head->chunks) {
      if (!read.insert(chunk).second) continue;
      const Result<std::string> text = chunk_text(blobs, chunk);
      std::vector<ManifestEntry> entries;
      if (!text || !read_chunk(*text, entries)) continue;
      for (const ManifestEntry& entry : entries) {
        const auto [first, last] = missing.equal_range(entry.path);
        for (auto at = first; at != last;) {
          const bool same = rows[at->second].blob == entry.blob;
          if (same) retained[at->second] = true;
          at = same ? missing.erase(at) : std::next(at);
        }
      }
    }
  }
  return retained;
}

}  // namespace snapgen::core
