#include "tools/engine/patch/entries_after.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace snapgen::core {
namespace {

// Returns true if the store has the blob. A blob that is readable but stored after damaged data, where new
// snapshots must not rely on it, is stored again.
bool ensure_stored(BlobStore& blobs, const ManifestEntry& entry) {
  if (blobs.contains(entry.blob)) return true;
  const Result<std::string> bytes = blobs.get(entry.blob);
  return bytes && blobs.put(*bytes);
}

}  // namespace

Result<std::vector<ManifestEntry>> entries_after(const std::vector<ManifestEntry>& entries,
                                                 const std::vector<TreeChange>& changes, BlobStore& blobs) {
  std::map<std::string_view, std::optional<ManifestEntry>> changed;  // nullopt: the file is removed.
  for (const TreeChange& change : changes) {
    std::optional<ManifestEntry>& entry = changed[change.path];
    const ManifestEntry* before =
        find_entry(entries, change.kind == TreeChange::Kind::copy ? change.from : change.path);
    switch (change.kind) {
      case TreeChange::Kind::write: {
        BlobId blob = TRY(blobs.put(change.bytes));
        entry = ManifestEntry{.path = change.path, .blob = blob, .mode = change.mode};
        break;
      }
      case TreeChange::Kind::copy:
      case TreeChange::Kind::chmod:
        entry = ManifestEntry{.path = change.path, .blob = before->blob, .mode = change.mode};
        break;
      case TreeChange::Kind::remove:
      case TreeChange::Kind::remove_folder: break;
    }
  }
  std::vector<ManifestEntry> after;
  after.reserve(entries.size() + changed.size());
  for (const ManifestEntry& entry : entries) {
    if (changed.contains(entry.path)) continue;
    if (!ensure_stored(blobs, entry)) return missing_blob_error(entry);
    after.push_back(entry);
  }
  for (auto& [path, entry] : changed) {
    if (!entry) continue;
    if (!ensure_stored(blobs, *entry)) return missing_blob_error(*entry);
    after.push_back(*std::move(entry));
  }
  std::sort(after.begin(), after.end(),
            [](const ManifestEntry& a, const ManifestEntry& b) { return a.path < b.path; });
  return after;
}

}  // namespace snapgen::core
