#include "tools/engine/store/snapshots/manifest_cache.h"

#include <cassert>

namespace snapgen::core {

ManifestChunk::ManifestChunk(std::span<const ManifestRow> rows)
    : text_(encoded_chunk(rows)), ends_at_cut_(ends_chunk(rows)) {
  blobs_.reserve(rows.size());
  modes_.reserve(rows.size());
  for (const ManifestRow& row : rows) {
    paths_ += row.path;
    paths_ += '\0';
    blobs_.push_back(row.blob);
    modes_.push_back(row.mode);
  }
}

bool ManifestChunk::is_prefix_of(std::span<const ManifestRow> rows) const {
  const std::size_t count = blobs_.size();
  if (count > rows.size() || (count < rows.size() && !ends_at_cut_)) return false;
  std::string_view paths = paths_;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view path = rows[i].path;
    if (rows[i].blob != blobs_[i] || rows[i].mode != modes_[i]) return false;
    if (!paths.starts_with(path) || paths[path.size()] != '\0') return false;
    paths.remove_prefix(path.size() + 1);
  }
  return true;
}

std::shared_ptr<const ManifestChunk> find_chunk(const ManifestChunks& cached, std::size_t& at,
                                                std::span<const ManifestRow> rows) {
  assert(!rows.empty());
  while (at < cached.size() && cached[at]->first_path() < rows.front().path) ++at;
  return at < cached.size() && cached[at]->is_prefix_of(rows) ? cached[at] : nullptr;
}

}  // namespace snapgen::core
