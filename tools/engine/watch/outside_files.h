#pragma once
// OutsideFiles: the few files outside of a work tree's folders that decide what is known of it (HEAD, index,
// configuration, ignore rules). The kernel tells of those whose folders it can watch (inotify(7)); the others
// are known by their stats: behind symlinks, with several names, or where changes come without notice.
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "runtime/base/fd.h"
#include "tools/engine/git/files.h"

namespace snapgen::core {

// Not thread-safe.
class OutsideFiles {
 public:
  // Whether none can have changed since they were looked at. False: look at all of them now, and if they say
  // what they said before, note_unchanged(). What changes after this call will be noticed.
  bool are_unchanged();

  // They were just looked at. `paths`: which, absolute, each a file, a folder whose names count, or nothing
  // so far. Of others than before only the next look counts.
  void note_unchanged(std::vector<std::string> paths);

 private:
  // What the kernel tells of one folder.
  struct Folder {
    std::unordered_set<std::string> names;  // that count
    bool all_names = false;
  };
  // A file that is known by its stat alone.
  struct Other {
    std::string path;
    std::optional<FileStat> stat;
    bool is_stable = false;  // An equal stat proves an equal content.
  };

  bool is_quiet();
  bool is_same_by_stat();
  void watch();
  bool watch(const std::string& path);
  bool watch_folder(const std::string& path, const std::string& name, bool all_names);

  std::vector<std::string> paths_;
  Fd fd_;
  std::unordered_map<int, Folder> folders_;  // by the number of the watch; those on the way have no names
  std::vector<Other> others_;
  bool looked_at_ = false;
  bool anew_ = true;  // What is watched may stand elsewhere now.
};

}  // namespace snapgen::core
