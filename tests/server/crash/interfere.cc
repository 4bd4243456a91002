// Preloaded into a server: counts the system calls with which it writes, and kills the process at one of them
// or makes them fail. Environment variables:
//   SNAPGEN_COUNT=FILE   the number of calls is stored in FILE, in eight bytes
//   SNAPGEN_AT=N         interferes with call N, from 1
//   SNAPGEN_UNTIL=N      and with all calls after it up to N
//   SNAPGEN_ERROR=N      the errno with which these calls fail; without it SIGKILL ends the process
// A call that opens counts if it may create a file; a call that writes counts if it writes to a regular file.
// Both names of a function, such as open() and open64(), are defined here separately, without an alias.
#undef _FILE_OFFSET_BITS

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

namespace {

long number_in(const char* name, long otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::atol(text);
}

struct Interference {
  std::atomic<long>* count = nullptr;  // In the file of SNAPGEN_COUNT. Null if calls are not counted.
  long at = 0;
  long until = 0;
  int error = 0;

  Interference() {
    const char* file = std::getenv("SNAPGEN_COUNT");
    if (file == nullptr) return;
    int fd = static_cast<int>(::syscall(SYS_openat, AT_FDCWD, file, O_RDWR | O_CLOEXEC));
    if (fd < 0) return;
    void* shared = ::mmap(nullptr, sizeof(std::atomic<long>), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    ::close(fd);
    if (shared == MAP_FAILED) return;
    at = number_in("SNAPGEN_AT", 0);
    until = number_in("SNAPGEN_UNTIL", at);
    error = static_cast<int>(number_in("SNAPGEN_ERROR", 0));
    count = static_cast<std::atomic<long>*>(shared);
  }
};

// Returns whether the call may be made; if not, sets errno.
bool may_write() {
  static Interference interference;
  if (interference.count == nullptr) return true;
  long number = ++*interference.count;
  if (interference.at == 0 || number < interference.at || number > interference.until) return true;
  if (interference.error == 0) {
    ::kill(::getpid(), SIGKILL);
    while (true) ::pause();
  }
  errno = interference.error;
  return false;
}

bool goes_to_a_file(int fd) {
  struct stat st;
  return ::fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

template <class... Arguments>
int made(long number, Arguments... arguments) {
  return may_write() ? static_cast<int>(::syscall(number, arguments...)) : -1;
}

bool makes_file(int flags) { return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE; }

int opened(int folder, const char* path, int flags, mode_t mode) {
  if ((makes_file(flags) || (flags & O_TRUNC) != 0) && !may_write()) return -1;
  return static_cast<int>(::syscall(SYS_openat, folder, path, flags | O_LARGEFILE, mode));
}

mode_t mode_in(int flags, va_list rest) {
  return makes_file(flags) ? static_cast<mode_t>(va_arg(rest, int)) : 0;
}

}  // namespace

#define OPENED(folder, path)                \
  va_list rest;                             \
  va_start(rest, flags);                    \
  const mode_t mode = mode_in(flags, rest); \
  va_end(rest);                             \
  return opened(folder, path, flags, mode)

extern "C" {

ssize_t write(int fd, const void* bytes, size_t size) {
  if (goes_to_a_file(fd) && !may_write()) return -1;
  return ::syscall(SYS_write, fd, bytes, size);
}
ssize_t writev(int fd, const iovec* pieces, int count) {
  if (goes_to_a_file(fd) && !may_write()) return -1;
  return ::syscall(SYS_writev, fd, pieces, count);
}
ssize_t pwrite64(int fd, const void* bytes, size_t size, off64_t offset) {
  return may_write() ? ::syscall(SYS_pwrite64, fd, bytes, size, offset) : -1;
}
ssize_t pwrite(int fd, const void* bytes, size_t size, off_t offset) {
  return pwrite64(fd, bytes, size, offset);
}
int open(const char* path, int flags, ...) { OPENED(AT_FDCWD, path); }
int open64(const char* path, int flags, ...) { OPENED(AT_FDCWD, path); }
int openat(int folder, const char* path, int flags, ...) { OPENED(folder, path); }
int openat64(int folder, const char* path, int flags, ...) { OPENED(folder, path); }
int rename(const char* from, const char* to) noexcept {
  return made(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
int renameat(int from, const char* from_name, int to, const char* to_name) noexcept {
  return made(SYS_renameat2, from, from_name, to, to_name, 0);
}
int renameat2(int from, const char* from_name, int to, const char* to_name, unsigned flags) noexcept {
  return made(SYS_renameat2, from, from_name, to, to_name, flags);
}
int link(const char* from, const char* to) noexcept {
  return made(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}
int linkat(int from, const char* from_name, int to, const char* to_name, int flags) noexcept {
  return made(SYS_linkat, from, from_name, to, to_name, flags);
}
int symlinkat(const char* target, int folder, const char* name) noexcept {
  return made(SYS_symlinkat, target, folder, name);
}
int unlink(const char* name) noexcept { return made(SYS_unlinkat, AT_FDCWD, name, 0); }
int unlinkat(int folder, const char* name, int flags) noexcept {
  return made(SYS_unlinkat, folder, name, flags);
}
int rmdir(const char* name) noexcept { return made(SYS_unlinkat, AT_FDCWD, name, AT_REMOVEDIR); }
int mkdir(const char* name, mode_t mode) noexcept { return made(SYS_mkdirat, AT_FDCWD, name, mode); }
int mkdirat(int folder, const char* name, mode_t mode) noexcept {
  return made(SYS_mkdirat, folder, name, mode);
}
int fchmod(int fd, mode_t mode) noexcept { return made(SYS_fchmod, fd, mode); }
int fchown(int fd, uid_t user, gid_t group) noexcept { return made(SYS_fchown, fd, user, group); }
int ftruncate64(int fd, off64_t size) noexcept { return made(SYS_ftruncate, fd, size); }
int ftruncate(int fd, off_t size) noexcept { return made(SYS_ftruncate, fd, size); }
int fsync(int fd) { return made(SYS_fsync, fd); }
int fdatasync(int fd) { return made(SYS_fdatasync, fd); }
int syncfs(int fd) noexcept { return made(SYS_syncfs, fd); }

}  // extern "C"
