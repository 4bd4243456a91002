#pragma once
// ProtectedLinks: finds files of the workspace that decide what this server, git or a host does although
// their names do not say so: what symlinks with protected names lead to, the symlinks on the way, the files
// that git obeys, and the user's settings.
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/files/root.h"
#include "tools/engine/git/repository/obeyed_files.h"
#include "tools/engine/git/repository/repository.h"

namespace snapgen::core {

// Thread-safe. A change of a symlink, or of git's configuration, is noticed by the next Moment.
class ProtectedLinks {
 public:
  class Moment;

  // `outside` has absolute paths that need no protected name (protected_user_paths(), a folder of tools).
  // `prefix` is the path of `root` in the repository, with a final slash. Both must outlive this.
  ProtectedLinks(const Root& root, const Repository& repository, std::string prefix,
                 std::vector<std::string> outside);

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
  // The way from a name to what it means: the symlinks on it, and where it ends. Absolute paths.
  struct Way {
    std::vector<std::string> symlinks;
    std::string end;
  };
  // A way that begins at a link, or at a path outside.
  struct Guarded {
    std::string setting;  // As setting_at() returns it.
    bool is_link = false;
    Way way;
  };

  static Way way_of(const std::string& path);
  void find_relevant() const;
  std::vector<Guarded> guarded_everywhere() const;
  std::vector<Guarded> guarded_by_links_in(const std::string& folder) const;
  std::vector<Link> links_in(const std::string& folder) const;
  Found search(const std::string& folder) const;
  void add(const Link& link, int depth, Found& found) const;
  void add_folder(const std::string& path, Found& found) const;
  std::vector<Link> tracked_links() const;

  const Root& root_;
  const Repository& repository_;
  const std::string prefix_;
  const std::vector<std::string> outside_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, Found, std::less<>> found_;  // By folder.
  mutable git::TrackedSymlinks tracked_;
  mutable git::ObeyedFiles obeyed_;
  mutable std::vector<std::string> relevant_;  // Of `outside_` and `obeyed_`.
  mutable bool is_relevant_known_ = false;
};

// What guards the workspace at the moment of the first question, for the checks of one change: it reads git's
// configuration and each folder once. Not thread-safe.
class ProtectedLinks::Moment {
 public:
  // `links` must outlive this.
  explicit Moment(const ProtectedLinks& links) : links_(links) {}

  // Returns the setting that `path` is, or that needs it: the path of a symlink that leads through it, or an
  // absolute path. Empty if it is none. `path` is "" for the workspace itself.
  std::string setting_at(std::string_view path);

  // Returns the setting that is below `path`, or would be. A symlink or a file at `path` would replace it.
  std::string setting_below(std::string_view path);

 private:
  const std::vector<Guarded>& guarded_near(std::string_view path);

  const ProtectedLinks& links_;
  std::optional<std::vector<Guarded>> everywhere_;
  std::map<std::string, std::vector<Guarded>, std::less<>>
      near_;  // By folder: also those of the folders above.
};

}  // namespace snapgen::core
