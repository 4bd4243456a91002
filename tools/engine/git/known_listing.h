#pragma once
// KnownListing: the files of a work tree, kept so that they can be brought up to date where a few paths
// changed. As KnownStatus, it finds out nothing by itself: somebody must say which paths changed.
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/git/file_list.h"
#include "tools/engine/git/file_walk.h"
#include "tools/engine/git/repository.h"
#include "tools/engine/git/status_parts.h"
#include "tools/engine/git/walk_listener.h"

namespace snapgen::core::git {

// One question at a time.
class KnownListing {
 public:
  KnownListing(const Repository& repository, ListScope scope)
      : state_(repository.state()), scope_(std::move(scope)) {}

  // Null: there is none. Nobody changes it as long as somebody else holds it.
  std::shared_ptr<const FileList> files() const { return files_; }
  void forget();
  // Lets go of the index, which must be there again before anything is looked at again.
  void rest() { index_.reset(); }
  void wake(const Loaded& loaded) { index_ = loaded.index; }

  // Looks at everything, by the index and settings of `loaded`. Errors: as list_files().
  Result<Unit> read(const Loaded& loaded, Threads threads, WalkListener& listener, std::stop_token stop);

  // Looks again at these paths (from the repository's root), at all below them, and at the files whose other
  // names may have been used. Leaves no list where it fails. Errors: as list_files().
  Result<Unit> look_again(const std::vector<std::string>& paths, WalkListener& listener,
                          std::stop_token stop);

 private:
  struct Seen {
    std::size_t index;
    FileStat stat;
    bool other_names;
  };
  bool look_at_file(std::size_t index, PathProbe& probe, std::vector<Seen>& seen) const;
  void take(const std::vector<Seen>& seen);
  void take(std::vector<FileRegion> regions);

  Repository::State& state_;
  ListScope scope_;
  std::shared_ptr<const LoadedConfig> config_;
  std::shared_ptr<const LoadedIndex> index_;
  std::shared_ptr<FileList> files_;
};

}  // namespace snapgen::core::git
