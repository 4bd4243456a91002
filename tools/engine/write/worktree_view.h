#pragma once
// WorktreeView: the live tree as a patch sees it. It remembers what it saw, so that the writer can make sure
// that nothing else stands there when it writes.
#include <map>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "tools/engine/files/root.h"
#include "tools/engine/patch/change.h"
#include "tools/engine/patch/view.h"
#include "tools/engine/store/file_record.h"

namespace snapgen::core {

class WorktreeView final : public PatchView {
 public:
  WorktreeView(const Root& root, std::stop_token stop) : root_(root), stop_(std::move(stop)) {}

  Result<TreeNode> look(std::string_view path) override;
  Result<std::string> read(std::string_view path) override;
  Result<std::vector<std::string>> names_in(std::string_view folder) override;

  // Every file and symlink that was looked at, sorted by path; those that were read, with their content.
  std::vector<FileRecord> seen() const;

  // Whether it was looked at, or a folder above it, and nothing was there.
  bool misses(std::string_view path) const;

  // Changes that were planned on this view, each with what was seen where it goes.
  std::vector<TreeWrite> writes(std::vector<TreeChange> changes) const;

 private:
  std::optional<FileRecord> seen(const std::string& path) const;

  const Root& root_;
  std::stop_token stop_;
  std::map<std::string, FileRecord, std::less<>> seen_;  // Files and symlinks.
  std::set<std::string, std::less<>> missing_;
};

}  // namespace snapgen::core
