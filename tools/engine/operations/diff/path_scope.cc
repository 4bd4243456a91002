#include "tools/engine/operations/diff/path_scope.h"

#include <algorithm>

#include "tools/engine/files/path.h"

namespace snapgen::core {

std::pair<std::size_t, std::size_t> range_below(const std::vector<ManifestEntry>& entries,
                                                std::string_view path) {
  if (path.empty()) return {0, entries.size()};
  auto by_path = [](const ManifestEntry& entry, std::string_view bound) {
    return std::string_view(entry.path) < bound;
  };
  auto at = std::lower_bound(entries.begin(), entries.end(), path, by_path);
  auto index = [&](auto it) { return static_cast<std::size_t>(it - entries.begin()); };
  if (at != entries.end() && at->path == path) return {index(at), index(at) + 1};
  std::string below = std::string(path) + "/";
  auto first = std::lower_bound(at, entries.end(), std::string_view(below), by_path);
  below.back() = '/' + 1;
  auto last = std::lower_bound(first, entries.end(), std::string_view(below), by_path);
  return {index(first), index(last)};
}

PathScope::PathScope(std::vector<std::string> paths) : paths_(outermost_paths(std::move(paths))) {
  if (paths_.empty()) paths_.emplace_back();
}

bool PathScope::contains(std::string_view path) const {
  if (is_everything()) return true;
  // Searches every folder above the path, because other paths may sort between a folder and its files: `foo`,
  // `foo-bar`, `foo/x`.
  for (std::string_view above = path;; above = parent_path(above)) {
    if (std::binary_search(paths_.begin(), paths_.end(), above)) return true;
    if (above.empty()) return false;
  }
}

std::vector<const ManifestEntry*> PathScope::select(const std::vector<ManifestEntry>& entries) const {
  std::vector<const ManifestEntry*> selected;
  for (const std::string& path : paths_) {
    auto [first, last] = range_below(entries, path);
    for (std::size_t i = first; i < last; ++i) selected.push_back(&entries[i]);
  }
  if (paths_.size() > 1)
    std::sort(selected.begin(), selected.end(),
              [](const ManifestEntry* a, const ManifestEntry* b) { return a->path < b->path; });
  return selected;
}

}  // namespace snapgen::core
