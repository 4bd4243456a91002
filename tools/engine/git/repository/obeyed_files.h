#pragma once
// Lists files outside of `.git` that decide what git runs in a repository.
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/engine/git/repository/disk.h"
#include "tools/engine/git/repository/repository.h"

namespace snapgen::core::git {

// The files that git obeys, as absolute paths: its configuration files with every file that they may include,
// whatever the condition, and the folders of core.hooksPath. They may be missing.
class ObeyedFiles {
 public:
  // Reads the configuration again if one of its files has changed. Returns whether it did. A configuration
  // that only git understands is searched, too, so that nothing is overlooked.
  bool update(const Repository& repository);
  const std::vector<std::string>& paths() const { return paths_; }

 private:
  void add_config(const std::string& path, const Environment& environment, const std::string& root,
                  int depth);

  std::vector<std::string> paths_;
  std::vector<std::pair<std::string, std::optional<FileStat>>> read_;  // The configuration files.
};

// The symlinks of an index, as paths of the repository.
struct TrackedSymlinks {
  std::shared_ptr<const void> index;  // Identifies the index that was read; null: none.
  std::vector<std::string> paths;
};

// Updates `links`, if the index is another than the one that was read. Without an index that can be read,
// there are no links.
void update(TrackedSymlinks& links, const Repository& repository);

}  // namespace snapgen::core::git
