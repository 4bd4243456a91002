#pragma once
// ListingCache caches the files of a work tree and updates them where paths changed. Like StatusCache it
// detects nothing itself: its owner must pass the changed paths. Not thread-safe.
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/git/repository/repository.h"
#include "tools/engine/git/status/status_parts.h"
#include "tools/engine/git/walk/file_list.h"
#include "tools/engine/git/walk/file_walk.h"
#include "tools/engine/git/walk/walk_listener.h"

namespace snapgen::core::git {

class ListingCache {
 public:
  ListingCache(const Repository& repository, ListScope scope)
      : repository_state_(repository.state()), scope_(std::move(scope)) {}

  // Returns the list, or null if there is none. It is not modified while a caller shares it.
  std::shared_ptr<const FileList> files() const { return files_; }
  void clear();
  // Releases the index; restore_index() must restore it before the next update.
  void release_index() { index_.reset(); }
  void restore_index(const LoadedRepository& loaded) { index_ = loaded.index; }

  // Reads everything, with the index and settings of `loaded`. Errors: as list_files().
  Result<Unit> read(const LoadedRepository& loaded, ThreadCount threads, WalkListener& listener,
                    std::stop_token stop);

  // Reads these paths again (relative to the repository's root), all paths below them, and every
  // file that has several hard links. Drops the list if it fails. Errors: as list_files().
  Result<Unit> reread(const std::vector<std::string>& paths, WalkListener& listener, std::stop_token stop);

 private:
  struct FreshStat {
    std::size_t index;
    FileStat stat;
    bool hard_linked;
  };
  bool stat_file(std::size_t index, PathProbe& probe, std::vector<FreshStat>& seen) const;
  void apply_stats(const std::vector<FreshStat>& seen);
  void apply_regions(std::vector<FileRegion> regions);

  Repository::State& repository_state_;
  ListScope scope_;
  std::shared_ptr<const LoadedConfig> config_;
  std::shared_ptr<const LoadedIndex> index_;
  std::shared_ptr<FileList> files_;
};

}  // namespace snapgen::core::git
