#pragma once
// FileSet: the paths of a tree, to look for one among them, or for all that end alike.
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
  // `paths`: sorted by their bytes, each once.
  explicit FileSet(std::vector<std::string> paths);
  FileSet(FileSet&&) = delete;

  std::size_t size() const { return paths_.size(); }
  const std::string& path(FileIndex index) const { return paths_[index]; }
  const std::vector<std::string>& paths() const { return paths_; }

  std::optional<FileIndex> find(std::string_view path) const;
  bool has_folder(std::string_view folder) const;  // The root is one.
  // Of the files in the folder and below: [first, second).
  std::pair<FileIndex, FileIndex> below(std::string_view folder) const;
  // All files of this name, in the order of their paths.
  const std::vector<FileIndex>& named(std::string_view name) const;

 private:
  std::vector<std::string> paths_;
  std::unordered_map<std::string_view, FileIndex> by_path_;
  std::unordered_map<std::string_view, std::vector<FileIndex>> by_name_;
};

}  // namespace snapgen::core
