#include "tools/insight/imports/file_set.h"

#include <algorithm>

#include "tools/engine/files/path.h"

namespace snapgen::core {

FileSet::FileSet(std::vector<std::string> paths) : paths_(std::move(paths)) {
  by_path_.reserve(paths_.size());
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    auto index = static_cast<FileIndex>(i);
    by_path_.emplace(paths_[i], index);
    by_name_[base_name(paths_[i])].push_back(index);
  }
}

std::optional<FileIndex> FileSet::find(std::string_view path) const {
  auto found = by_path_.find(path);
  if (found == by_path_.end()) return std::nullopt;
  return found->second;
}

std::pair<FileIndex, FileIndex> FileSet::below(std::string_view folder) const {
  if (folder.empty()) return {0, static_cast<FileIndex>(paths_.size())};
  std::string prefix = std::string(folder) + "/";
  auto first = std::ranges::lower_bound(paths_, prefix);
  prefix.back() = '/' + 1;
  auto last = std::lower_bound(first, paths_.end(), prefix);
  return {static_cast<FileIndex>(first - paths_.begin()), static_cast<FileIndex>(last - paths_.begin())};
}

bool FileSet::has_folder(std::string_view folder) const {
  auto [first, last] = below(folder);
  return first != last || folder.empty();
}

bool FileSet::has_prefix(std::string_view prefix) const {
  const auto first = std::lower_bound(paths_.begin(), paths_.end(), prefix);
  return first != paths_.end() && first->starts_with(prefix);
}

const std::vector<FileIndex>& FileSet::files_named(std::string_view name) const {
  static const std::vector<FileIndex> nothing;
  auto found = by_name_.find(name);
  return found == by_name_.end() ? nothing : found->second;
}

}  // namespace snapgen::core
