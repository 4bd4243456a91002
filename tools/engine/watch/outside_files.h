#pragma once
// OutsideFiles tracks the few files outside a work tree's folders that affect its state (HEAD, index,
// configuration, ignore rules). It uses inotify(7) where it can. It compares the stats of files behind
// symlinks, with several hard links, or on file systems that do not report every change.
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "runtime/base/fd.h"
#include "tools/engine/git/walk/files.h"

namespace snapgen::core {

// Not thread-safe.
class OutsideFiles {
 public:
  // Returns true if no file has changed since it was read. If it returns false, read all of them, and call
  // mark_read() if their content is as before. Changes after this call are detected.
  bool are_unchanged();

  // Records that the files were just read. `paths` are absolute: files, folders whose names matter, or paths
  // that do not exist yet. If they differ from the last call's, the files must be read again, because they
  // may have changed before the watches began.
  void mark_read(std::vector<std::string> paths);

 private:
  // The names of one watched folder that matter.
  struct Folder {
    std::unordered_set<std::string> names;  // Empty if this is only a parent folder.
    bool all_names = false;
  };
  // A file that is checked by its stat only.
  struct StatCheckedFile {
    std::string path;
    std::optional<FileStat> stat;
    bool stat_proves_content = false;  // An equal stat proves equal content.
  };

  bool is_quiet();
  bool is_same_by_stat();
  void watch();
  bool watch(const std::string& path);
  bool watch_folder(const std::string& path, const std::string& name, bool all_names);

  std::vector<std::string> paths_;
  Fd fd_;
  std::unordered_map<int, Folder> folders_;  // By watch descriptor; parent folders have no names.
  std::vector<StatCheckedFile> stat_checked_files_;
  bool is_known_unchanged_ = false;
  bool must_rewatch_ = true;  // The watched paths may have moved.
};

}  // namespace snapgen::core
