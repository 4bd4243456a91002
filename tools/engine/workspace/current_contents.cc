#include "tools/engine/workspace/current_contents.h"

#include <algorithm>

#include "tools/engine/read/observe.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::core {

CurrentContents::~CurrentContents() {
  if (new_records_.empty() || !workspace_.prepare_store()) return;
  std::sort(new_records_.begin(), new_records_.end(),
            [](const FileRecord& a, const FileRecord& b) { return a.path < b.path; });
  workspace_.stat_cache().remember(new_records_);
}

std::optional<BlobId> CurrentContents::find(const std::string& path, const FileStat& stat) {
  std::optional<BlobId> known = workspace_.stat_cache().find(path, stat);
  if (known || stat.size > current_contents_bytes_max) return known;
  Result<FileRecord> record = observe_file(workspace_.root(), path, stop_);
  if (!record) return std::nullopt;
  const std::optional<BlobId> blob = record->blob;
  new_records_.push_back(*std::move(record));
  return blob;
}

}  // namespace snapgen::core
