#include "tools/engine/files/root.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>
#include <memory>

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "tools/engine/base/plain_text.h"
#include "tools/engine/files/path.h"

namespace snapgen::core {
namespace {

constexpr int root_links_max = 40;  // Maximum number of symlinks, as in the kernel.
// Maximum number of tries of openat2, which fails while other processes rename folders on the path.
constexpr int retries_max = 64;
constexpr int reading = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
constexpr int looking = O_PATH | O_NOFOLLOW | O_CLOEXEC;

std::atomic<bool> kernel_has_openat2 = true;

Error leads_outside_error(std::string_view path) {
  return Error(ErrorCode::permission_denied,
               path_in_sentence(path) + " leads outside the workspace. Name a path in it.");
}

Result<std::string> link_target(int fd, std::string_view path) {
  char buffer[PATH_MAX];
  ssize_t size = ::readlinkat(fd, "", buffer, sizeof buffer);
  if (size < 0) return system_error(errno, "read the symlink", path);
  return std::string(buffer, static_cast<std::size_t>(size));
}

// Appends the components in reverse, so that the next one to walk is last.
void push_components(std::vector<std::string>& pending, std::string_view path) {
  std::size_t first = pending.size();
  for (std::string_view component; next_part(path, component, '/');)
    if (!component.empty()) pending.emplace_back(component);
  std::reverse(pending.begin() + static_cast<std::ptrdiff_t>(first), pending.end());
}

std::string_view noun(FileKind kind) {
  switch (kind) {
    case FileKind::file: return "a file";
    case FileKind::folder: return "a folder";
    case FileKind::symlink: return "a symlink";
    case FileKind::other: break;
  }
  return "a FIFO, socket or device";
}

Error wrong_kind_error(std::string_view path, FileKind found, std::string_view wanted) {
  return Error(ErrorCode::invalid_argument, path_in_sentence(path) + " is " + std::string(noun(found)) +
                                                ", not " + std::string(wanted) + ".");
}

FileKind kind_of_entry(const dirent& entry) {
  switch (entry.d_type) {
    case DT_REG: return FileKind::file;
    case DT_DIR: return FileKind::folder;
    case DT_LNK: return FileKind::symlink;
    default: return FileKind::other;
  }
}

bool has_long_name(std::string_view path) {
  std::size_t bytes = 0;
  return std::any_of(path.begin(), path.end(), [&](char c) {
    bytes = c == '/' ? 0 : bytes + 1;
    return bytes > NAME_MAX;
  });
}

}  // namespace

FileKind kind_of(const FileStat& stat) {
  if (S_ISREG(stat.mode)) return FileKind::file;
  if (S_ISDIR(stat.mode)) return FileKind::folder;
  if (S_ISLNK(stat.mode)) return FileKind::symlink;
  return FileKind::other;
}

bool is_executable(const FileStat& stat) { return (stat.mode & S_IXUSR) != 0; }

Result<FileStat> stat_of_fd(int fd, std::string_view path) {
  struct stat st;
  if (::fstat(fd, &st) == 0) return file_stat(st);
  return system_error(errno, "examine", path);
}

Error system_error(int number, std::string_view doing, std::string_view path) {
  std::string name = path_in_sentence(path);
  std::string cause = std::string(doing) + " " + name + ": " + std::strerror(number);
  switch (number) {
    case ENOENT:
    case ENOTDIR: return Error(ErrorCode::not_found, "There is no file or folder " + name + ".", {}, cause);
    case ENAMETOOLONG:
      return Error(
          ErrorCode::invalid_argument,
          name + (has_long_name(path) ? " is rejected: a name has at most 255 bytes. Choose a shorter one."
                                      : " is too long for the file system."),
          {}, cause);
    case EACCES:
    case EPERM:
      return Error(ErrorCode::permission_denied,
                   "The system does not allow this server to " + cause.substr(0, cause.rfind(':')) +
                       ". Check the permissions of the file and of its folders.",
                   {}, cause);
    case ELOOP:
      return Error(ErrorCode::invalid_argument,
                   name + " goes through too many symlinks, maybe in a loop. Name the file itself.", {},
                   cause);
    default: return Error(ErrorCode::unavailable, "Cannot " + cause + ".", {}, cause);
  }
}

Result<std::size_t> read_and_append(int fd, std::string& out, std::size_t bytes_max) {
  std::size_t before = out.size();
  out.resize(before + bytes_max);
  std::size_t got = 0;
  while (got < bytes_max) {
    ssize_t n = ::read(fd, out.data() + before + got, bytes_max - got);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      out.resize(before);
      return Error(ErrorCode::unavailable, "A file of the workspace cannot be read (" +
                                               std::string(std::strerror(errno)) +
                                               "). Check its disk or mount, and try again.");
    }
    if (n == 0) break;
    got += static_cast<std::size_t>(n);
  }
  out.resize(before + got);
  return got;
}

Result<Root> Root::open(std::string folder, OpenMethod opening) {
  while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
  Fd fd(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!fd) return system_error(errno, "open the folder", folder);
  return Root(std::move(folder), std::move(fd), opening);
}

Result<Unit> Root::check_not_moved() const {
  struct stat held;
  struct stat named;
  if (::fstat(fd_.get(), &held) == 0 && ::stat(folder_.c_str(), &named) == 0 && held.st_ino == named.st_ino &&
      held.st_dev == named.st_dev) {
    return Unit{};
  }
  return Error(ErrorCode::unavailable, "The workspace folder " + path_in_sentence(folder_) +
                                           " was moved or replaced; restart the server.");
}

Result<OpenedPath> Root::open_beneath(std::string_view path, int flags, Follow follow) const {
  Result<OpenedPath> opened = find_beneath(path, flags, follow);
  if (opened || opened.error().code != ErrorCode::not_found) return opened;
  // If another folder has replaced the root, the file may exist there, so not_found would be wrong.
  TRY(check_not_moved());
  return opened;
}

Result<OpenedPath> Root::find_beneath(std::string_view path, int flags, Follow follow) const {
  if (is_reserved_path(path)) return reserved_path_error(path);
  if (opening_ == OpenMethod::walk || !kernel_has_openat2) return walk(path, flags, follow);

  struct open_how how = {};
  how.flags = static_cast<std::uint64_t>(flags);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS;
  std::string name = path.empty() ? "." : std::string(path);
  for (int retries = 0; retries < retries_max; ++retries) {
    Fd fd(static_cast<int>(::syscall(SYS_openat2, fd_.get(), name.c_str(), &how, sizeof how)));
    if (fd) {
      FileStat stat = TRY(stat_of_fd(fd.get(), path));
      if (follow == Follow::none && kind_of(stat) == FileKind::symlink) return symlink_error(path);
      return OpenedPath{
          .fd = std::move(fd), .stat = stat, .path = std::string(path), .followed_symlinks = {}};
    }
    if (errno == EAGAIN) continue;
    if (errno == ENOSYS) kernel_has_openat2 = false;
    if (errno == ENOSYS || errno == EPERM || errno == ELOOP || errno == ENAMETOOLONG) break;
    if (errno == EXDEV) return leads_outside_error(path);
    if (errno == ENXIO) return wrong_kind_error(path, FileKind::other, "a file");
    return system_error(errno, "open", path);
  }
  return walk(path, flags, follow);
}

Result<OpenedPath> Root::walk(std::string_view path, int flags, Follow follow) const {
  std::vector<Fd> folders;  // The handle of folders[i] is that of names[i].
  std::vector<std::string> names;
  std::vector<std::string> pending;
  std::vector<std::string> links;
  push_components(pending, path);
  auto here = [&] { return folders.empty() ? fd_.get() : folders.back().get(); };
  auto path_here = [&] {
    std::string walked;
    for (const std::string& name : names) walked = joined_path(walked, name);
    return walked;
  };

  while (!pending.empty()) {
    std::string name = std::move(pending.back());
    pending.pop_back();
    if (name == ".") continue;
    if (name == "..") {
      if (folders.empty()) return leads_outside_error(path);
      folders.pop_back();
      names.pop_back();
      continue;
    }
    std::string at = joined_path(path_here(), name);
    if (is_reserved_path(at)) return reserved_path_error(path);
    Fd fd(::openat(here(), name.c_str(), looking));
    if (!fd) return system_error(errno, "open", path);
    FileStat stat = TRY(stat_of_fd(fd.get(), path));
    FileKind kind = kind_of(stat);
    if (kind == FileKind::symlink && follow == Follow::none) return symlink_error(at);
    if (kind == FileKind::symlink && (follow == Follow::all || !pending.empty())) {
      if (static_cast<int>(links.size()) == root_links_max) return system_error(ELOOP, "open", path);
      std::string target = TRY(link_target(fd.get(), path));
      if (target.starts_with('/')) return leads_outside_error(path);
      links.push_back(std::move(at));
      push_components(pending, target);
      continue;
    }
    if (kind == FileKind::folder) {
      folders.push_back(std::move(fd));
      names.push_back(std::move(name));
      continue;
    }
    if (!pending.empty()) return system_error(ENOTDIR, "open", path);
    if ((flags & O_PATH) == 0) {
      if (kind != FileKind::file) return wrong_kind_error(path, kind, "a file");
      fd = Fd(::openat(here(), name.c_str(), flags | O_NOFOLLOW));
      if (!fd) return system_error(errno, "open", path);
      stat = TRY(stat_of_fd(fd.get(), path));
    }
    return OpenedPath{
        .fd = std::move(fd), .stat = stat, .path = std::move(at), .followed_symlinks = std::move(links)};
  }

  Fd fd(::openat(here(), ".", flags));
  if (!fd) return system_error(errno, "open", path);
  FileStat stat = TRY(stat_of_fd(fd.get(), path));
  return OpenedPath{
      .fd = std::move(fd), .stat = stat, .path = path_here(), .followed_symlinks = std::move(links)};
}

Result<OpenedPath> Root::open_file(std::string_view path, SymlinkPolicy links) const {
  OpenedPath opened =
      TRY(open_beneath(path, reading, links == SymlinkPolicy::followed ? Follow::all : Follow::none));
  FileKind kind = kind_of(opened.stat);
  if (kind != FileKind::file) return wrong_kind_error(path, kind, "a file");
  return opened;
}

Result<OpenedPath> Root::open_folder(std::string_view path, SymlinkPolicy links) const {
  OpenedPath opened =
      TRY(open_beneath(path, reading, links == SymlinkPolicy::followed ? Follow::all : Follow::none));
  FileKind kind = kind_of(opened.stat);
  if (kind != FileKind::folder) return wrong_kind_error(path, kind, "a folder");
  return opened;
}

Result<FileStat> Root::lstat(std::string_view path, SymlinkPolicy links) const {
  OpenedPath opened =
      TRY(open_beneath(path, looking, links == SymlinkPolicy::followed ? Follow::parents : Follow::none));
  return opened.stat;
}

Result<std::string> Root::read_link(std::string_view path) const {
  OpenedPath opened = TRY(open_beneath(path, looking, Follow::parents));
  FileKind kind = kind_of(opened.stat);
  if (kind != FileKind::symlink) return wrong_kind_error(path, kind, "a symlink");
  return link_target(opened.fd.get(), path);
}

Result<std::vector<FolderEntry>> Root::read_folder(std::string_view path) const {
  OpenedPath opened = TRY(open_folder(path));
  int copy = ::dup(opened.fd.get());
  std::unique_ptr<DIR, int (*)(DIR*)> folder(copy < 0 ? nullptr : ::fdopendir(copy), &::closedir);
  if (!folder) {
    Error error = system_error(errno, "read the folder", path);
    if (copy >= 0) ::close(copy);
    return error;
  }
  std::vector<FolderEntry> entries;
  while (true) {
    errno = 0;
    const dirent* entry = ::readdir(folder.get());
    if (entry == nullptr && errno != 0) return system_error(errno, "read the folder", path);
    if (entry == nullptr) break;
    std::string_view name = entry->d_name;
    if (name == "." || name == ".." || is_reserved_path(joined_path(opened.path, name))) continue;
    FileKind kind = kind_of_entry(*entry);
    struct stat st;
    if (entry->d_type == DT_UNKNOWN &&
        ::fstatat(opened.fd.get(), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0) {
      kind = kind_of(file_stat(st));
    }
    entries.push_back(FolderEntry{.name = std::string(name), .kind = kind});
  }
  std::sort(entries.begin(), entries.end(),
            [](const FolderEntry& a, const FolderEntry& b) { return a.name < b.name; });
  return entries;
}

}  // namespace snapgen::core
