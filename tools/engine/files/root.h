#pragma once
// Root is an open handle of the workspace folder. Tools read only through it, and nothing that it opens is
// outside the folder, whatever other processes do to the tree meanwhile.
//
// A path is first opened with one system call that follows no symlink (openat2). If a component is a symlink,
// or the kernel lacks openat2, the path is walked component by component, each opened relative to its
// parent's handle. A symlink's target is walked in the same way, so it cannot lead out of the root, into
// `.git`, or into the store. FIFOs and devices are rejected, so opening never blocks.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/fd.h"
#include "runtime/base/result.h"
#include "tools/engine/files/file_stat.h"
#include "tools/engine/files/path.h"

namespace snapgen::core {

enum class FileKind : std::uint8_t { file, folder, symlink, other };

FileKind kind_of(const FileStat& stat);
bool is_executable(const FileStat& stat);  // The owner's execute bit, which is the one that git records.

// OpenedPath is an open handle of a file or folder, and its real path.
struct OpenedPath {
  Fd fd;
  FileStat stat;     // The stat when it was opened.
  std::string path;  // The path with every symlink replaced by its target.
  std::vector<std::string>
      followed_symlinks;  // The symlinks that were followed, in order, each by its real path.
};

struct FolderEntry {
  std::string name;
  FileKind kind = FileKind::other;
};

class Root {
 public:
  // How paths are opened; `walk` is for kernels without openat2 and for tests.
  enum class OpenMethod : std::uint8_t { openat2, walk };

  // Opens the workspace `folder`. Errors: not_found, permission_denied.
  static Result<Root> open(std::string folder, OpenMethod opening = OpenMethod::openat2);

  const std::string& folder() const { return folder_; }
  int fd() const { return fd_.get(); }

  // Checks that the folder's name still leads to the open folder. Errors: unavailable.
  Result<Unit> check_not_moved() const;

  // Opens a regular file. Errors, also of the functions below: not_found, or unavailable if check_not_moved()
  // fails too; permission_denied (reserved, outside the root, forbidden by the system, or a symlink where
  // links are refused); invalid_argument (wrong kind of file, too many symlinks, name too long).
  Result<OpenedPath> open_file(std::string_view path, SymlinkPolicy links = SymlinkPolicy::followed) const;
  // Opens a folder for reading.
  Result<OpenedPath> open_folder(std::string_view path, SymlinkPolicy links = SymlinkPolicy::followed) const;

  // Returns the stat of `path` without following its last component. Errors: as open_file().
  Result<FileStat> lstat(std::string_view path, SymlinkPolicy links = SymlinkPolicy::followed) const;
  // Returns the target of the symlink at `path`. Errors: as open_file().
  Result<std::string> read_link(std::string_view path) const;
  // Lists a folder, sorted by the names' bytes, without `.git` and the store. Errors: as open_file().
  Result<std::vector<FolderEntry>> read_folder(std::string_view path) const;

 private:
  Root(std::string folder, Fd fd, OpenMethod opening)
      : folder_(std::move(folder)), fd_(std::move(fd)), opening_(opening) {}
  enum class Follow : std::uint8_t { none, parents, all };
  Result<OpenedPath> open_beneath(std::string_view path, int flags, Follow follow) const;
  Result<OpenedPath> find_beneath(std::string_view path, int flags, Follow follow) const;
  Result<OpenedPath> walk(std::string_view path, int flags, Follow follow) const;

  std::string folder_;
  Fd fd_;
  OpenMethod opening_;
};

// Reads at most `bytes_max` bytes from the current offset of `fd` and appends them to `out`. Returns their
// number; fewer than `bytes_max` means end of file. Errors: unavailable.
Result<std::size_t> read_and_append(int fd, std::string& out, std::size_t bytes_max);

// Makes the error for a failed system call on `path`.
Error system_error(int number, std::string_view doing, std::string_view path);

// The stat of an open file. `path`: for the error. Errors: as system_error().
Result<FileStat> stat_of_fd(int fd, std::string_view path);

}  // namespace snapgen::core
