#pragma once
// Root: the workspace folder, held open. Everything that tools read goes through it, and nothing that it
// opens lies outside the folder, whatever other processes do to the tree meanwhile.
//
// A path is first opened in one system call that follows no symlink (openat2). If there is one on the way, or
// the kernel lacks openat2, the path is walked component by component, each opened relative to its parent's
// handle; a symlink's target is then walked in the same way, so it can lead anywhere inside the root but not
// out of it, into `.git`, or into our store. Opening never blocks: FIFOs, sockets and devices are refused.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/fd.h"
#include "runtime/base/result.h"
#include "tools/engine/files/file_stat.h"
#include "tools/engine/files/links.h"

namespace snapgen::core {

enum class FileKind : std::uint8_t { file, folder, symlink, other };

FileKind kind_of(const FileStat& stat);
bool is_executable(const FileStat& stat);  // The owner may execute it, which is what git records.

// A file or folder that was found: an open handle and where it stands.
struct Opened {
  Fd fd;
  FileStat stat;                   // As of the opening.
  std::string path;                // Where it really stands: every symlink on the way replaced by its target.
  std::vector<std::string> links;  // The symlinks that were followed, in order, each where it really stands.
};

struct FolderEntry {
  std::string name;
  FileKind kind = FileKind::other;
};

class Root {
 public:
  // How paths are opened; `walk` is for kernels without openat2, and for tests.
  enum class Opening : std::uint8_t { kernel, walk };

  // Errors: not_found, permission_denied.
  static Result<Root> open(std::string folder, Opening opening = Opening::kernel);

  const std::string& folder() const { return folder_; }
  int fd() const { return fd_.get(); }

  // Whether the folder's name still leads to the folder that is held open. Errors: unavailable.
  Result<Unit> check_in_place() const;

  // Errors of all: not_found; unavailable (instead of it: as check_in_place()); permission_denied (reserved,
  // outside the root, or forbidden by the system; where links are refused, a symlink on the way or at its
  // end); invalid_argument (not of the kind asked for, too many symlinks, a name that is too long).
  Result<Opened> open_file(std::string_view path, Links links = Links::followed) const;    // A regular one.
  Result<Opened> open_folder(std::string_view path, Links links = Links::followed) const;  // For reading.

  // What stands at `path`, the last component not followed. Errors: as above.
  Result<FileStat> look(std::string_view path, Links links = Links::followed) const;
  // The target of the symlink at `path`. Errors: as above.
  Result<std::string> read_link(std::string_view path) const;
  // Names below a folder, sorted by their bytes; `.git` and our store are left out. Errors: as above.
  Result<std::vector<FolderEntry>> read_folder(std::string_view path) const;

 private:
  Root(std::string folder, Fd fd, Opening opening)
      : folder_(std::move(folder)), fd_(std::move(fd)), opening_(opening) {}
  enum class Follow : std::uint8_t { none, parents, all };
  Result<Opened> open_beneath(std::string_view path, int flags, Follow follow) const;
  Result<Opened> find_beneath(std::string_view path, int flags, Follow follow) const;
  Result<Opened> walk(std::string_view path, int flags, Follow follow) const;

  std::string folder_;
  Fd fd_;
  Opening opening_;
};

// Reads on from where `fd` stands, at most `bytes_max` bytes, appending to `out`. Returns how many; fewer
// than `bytes_max` means the end. Errors: unavailable.
Result<std::size_t> read_more(int fd, std::string& out, std::size_t bytes_max);

// The sentence and code for a failed system call on `path`.
Error system_error(int number, std::string_view doing, std::string_view path);

}  // namespace snapgen::core
