#pragma once
// InspectedWorktree: the work tree as input of a planned change. It records what it reads, so that the writer
// detects changes by others.
#include <map>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "tools/engine/files/file_tree.h"
#include "tools/engine/files/root.h"
#include "tools/engine/patch/change.h"
#include "tools/engine/store/caches/file_record.h"

namespace snapgen::core {

class InspectedWorktree final : public FileTree {
 public:
  InspectedWorktree(const Root& root, std::stop_token stop) : root_(root), stop_(std::move(stop)) {}

  Result<TreeNode> node_at(std::string_view path) override;
  Result<std::string> read(std::string_view path) override;
  Result<std::vector<std::string>> names_in(std::string_view folder) override;

  // Every inspected file and symlink, sorted by path; with the content if it was read.
  std::vector<FileRecord> inspected_files() const;

  // Whether the path, or a folder above it, was inspected and did not exist.
  bool is_missing(std::string_view path) const;

  // Combines planned changes with the records of their paths.
  std::vector<TreeWrite> writes_of(std::vector<TreeChange> changes) const;

 private:
  std::optional<FileRecord> find_inspected(const std::string& path) const;

  const Root& root_;
  std::stop_token stop_;
  std::map<std::string, FileRecord, std::less<>> inspected_files_;  // Inspected files and symlinks.
  std::set<std::string, std::less<>> missing_;
};

}  // namespace snapgen::core
