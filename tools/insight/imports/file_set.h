#pragma once
// FileSet: the paths of a tree, indexed by path and by base name.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace snapgen::core {

using FileIndex = std::uint32_t;

class FileSet {
 public:
  // `paths` must be sorted bytewise, without duplicates.
  explicit FileSet(std::vector<std::string> paths);
  FileSet(FileSet&&) = delete;

  std::size_t size() const { return paths_.size(); }
  const std::string& path(FileIndex index) const { return paths_[index]; }
  const std::vector<std::string>& paths() const { return paths_; }

  std::optional<FileIndex> find(std::string_view path) const;
  bool has_folder(std::string_view folder) const;  // An empty `folder` is the root, for which this is true.
  bool has_prefix(std::string_view prefix) const;  // Returns whether a path begins with these bytes.
  // Returns the range [first, second) of the files in the folder and below.
  std::pair<FileIndex, FileIndex> below(std::string_view folder) const;
  // Returns all files with this base name, sorted by path.
  const std::vector<FileIndex>& files_named(std::string_view name) const;

 private:
  std::vector<std::string> paths_;
  std::unordered_map<std::string_view, FileIndex> by_path_;
  std::unordered_map<std::string_view, std::vector<FileIndex>> by_name_;
};

}  // namespace snapgen::core
