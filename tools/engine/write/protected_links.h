#pragma once
// ProtectedLinks: finds files of the workspace that decide what this server, git or a host does although
// their names do not say so: the targets of symlinks with protected names, of files that git obeys, and of
// the user's settings.
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/files/root.h"
#include "tools/engine/git/obeyed_files.h"
#include "tools/engine/git/repository.h"

namespace snapgen::core {

// Thread-safe. A changed symlink is noticed by the next call; a file that git obeys, at the next start.
class ProtectedLinks {
 public:
  // `outside` has absolute paths that need no protected name (protected_user_paths(), git's obeyed files, a
  // folder of tools). `prefix` is the path of `root` in the repository, with a final slash. Both must outlive
  // this.
  ProtectedLinks(const Root& root, const Repository& repository, std::string prefix,
                 const std::vector<std::string>& outside);

  // Returns the path of the setting that `path` is: the symlink that leads to it, or the path in `outside`.
  // Empty if it is none.
  std::string setting_at(std::string_view path) const;

 private:
  struct Folder {
    std::string path;  // Absolute.
    FileStat stat;
  };
  // A symlink, or a file that a symlinked folder contains.
  struct Link {
    std::string name;  // The path of the workspace by which it has a protected name.
    std::string path;  // Its own absolute path.
  };
  // The links in one folder, valid while the folders that were read are unchanged.
  struct Found {
    std::vector<Folder> folders;
    std::vector<Link> links;
    bool is_lasting = false;  // The folders were not changed just before they were read.
  };

  std::vector<Link> links_in(const std::string& folder) const;
  Found search(const std::string& folder) const;
  void add(const Link& link, int depth, Found& found) const;
  void add_folder(const std::string& path, Found& found) const;
  // Returns whether `link` gives `path` a protected name.
  bool leads_to(const Link& link, std::string_view path) const;
  std::vector<Link> tracked_links() const;

  const Root& root_;
  const Repository& repository_;
  std::string prefix_;
  // From a path of the workspace to the one of `outside` that it is.
  std::map<std::string, std::string, std::less<>> outside_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, Found, std::less<>> found_;  // By folder.
  mutable git::TrackedSymlinks tracked_;
};

}  // namespace snapgen::core
