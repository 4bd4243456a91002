#include "tests/engine/write/calls.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

namespace snapgen::core {
namespace {

// The counter of a child process; null if calls are not counted.
std::atomic<int>* counter = nullptr;
Interference interference;

// Returns whether the call may be made; if not, sets errno.
bool may_write() {
  if (counter == nullptr || ++*counter != interference.at) return true;
  if (interference.error == 0) ::kill(::getpid(), SIGKILL);
  errno = interference.error;
  return false;
}

bool makes_file(int flags) { return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE; }

bool may_rename(unsigned flags) {
  if (!may_write()) return false;
  if (counter == nullptr || !interference.plain_renames || flags == 0) return true;
  errno = EINVAL;
  return false;
}

template <class... Arguments>
int made(long number, Arguments... arguments) {
  return may_write() ? static_cast<int>(::syscall(number, arguments...)) : -1;
}

}  // namespace

ChildRun run_in_child(const std::function<int()>& child, const Interference& wanted) {
  void* shared =
      ::mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ChildRun run;
  pid_t pid = ::fork();
  if (pid == 0) {
    interference = wanted;
    counter = static_cast<std::atomic<int>*>(shared);
    int code = child();
    ::_exit(code);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  run.writes = *static_cast<std::atomic<int>*>(shared);
  run.killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  ::munmap(shared, sizeof(std::atomic<int>));
  return run;
}

}  // namespace snapgen::core

using snapgen::core::made;
using snapgen::core::makes_file;
using snapgen::core::may_rename;
using snapgen::core::may_write;

extern "C" {

ssize_t write(int fd, const void* bytes, size_t size) {
  return may_write() ? ::syscall(SYS_write, fd, bytes, size) : -1;
}
ssize_t pwrite(int fd, const void* bytes, size_t size, off_t offset) {
  return may_write() ? ::syscall(SYS_pwrite64, fd, bytes, size, offset) : -1;
}
int ftruncate(int fd, off_t size) noexcept { return made(SYS_ftruncate, fd, size); }
int open(const char* path, int flags, ...) {
  mode_t mode = 0;
  if (makes_file(flags)) {
    va_list rest;
    va_start(rest, flags);
    mode = static_cast<mode_t>(va_arg(rest, int));
    va_end(rest);
    if (!may_write()) return -1;
  }
  return static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}
int openat(int folder, const char* path, int flags, ...) {
  mode_t mode = 0;
  if (makes_file(flags)) {
    va_list rest;
    va_start(rest, flags);
    mode = static_cast<mode_t>(va_arg(rest, int));
    va_end(rest);
    if (!may_write()) return -1;
  }
  return static_cast<int>(::syscall(SYS_openat, folder, path, flags, mode));
}
int renameat2(int from, const char* from_name, int to, const char* to_name, unsigned flags) noexcept {
  return may_rename(flags) ? static_cast<int>(::syscall(SYS_renameat2, from, from_name, to, to_name, flags))
                           : -1;
}
int rename(const char* from, const char* to) noexcept {
  return made(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
int unlink(const char* name) noexcept { return made(SYS_unlinkat, AT_FDCWD, name, 0); }
int renameat(int from, const char* from_name, int to, const char* to_name) noexcept {
  return made(SYS_renameat2, from, from_name, to, to_name, 0);
}
int linkat(int from, const char* from_name, int to, const char* to_name, int flags) noexcept {
  return made(SYS_linkat, from, from_name, to, to_name, flags);
}
int symlinkat(const char* target, int folder, const char* name) noexcept {
  return made(SYS_symlinkat, target, folder, name);
}
int unlinkat(int folder, const char* name, int flags) noexcept {
  return made(SYS_unlinkat, folder, name, flags);
}
int mkdirat(int folder, const char* name, mode_t mode) noexcept {
  return made(SYS_mkdirat, folder, name, mode);
}
int mkdir(const char* name, mode_t mode) noexcept { return made(SYS_mkdirat, AT_FDCWD, name, mode); }
int fchmod(int fd, mode_t mode) noexcept { return made(SYS_fchmod, fd, mode); }
int fchown(int fd, uid_t user, gid_t group) noexcept { return made(SYS_fchown, fd, user, group); }
int fsetxattr(int fd, const char* name, const void* value, size_t size, int flags) noexcept {
  return made(SYS_fsetxattr, fd, name, value, size, flags);
}
int fsync(int fd) { return made(SYS_fsync, fd); }
int fdatasync(int fd) { return made(SYS_fdatasync, fd); }
int syncfs(int fd) noexcept { return made(SYS_syncfs, fd); }

}  // extern "C"
