#include "runtime/transport/stdio.h"

#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace snapgen {
namespace {

Error failed(std::string_view what) {
  return Error(ErrorCode::unavailable,
               "Standard input and output cannot be used. Start the server from a host, or with pipes.", {},
               std::string(what) + ": " + std::strerror(errno));
}

// Reopens a pipe or terminal to get separate file status flags. Returns -1 if the system does not allow it.
int reopen(int fd, int flags) {
  struct stat status;
  if (::fstat(fd, &status) != 0) return -1;
  if (!S_ISFIFO(status.st_mode) && !::isatty(fd)) return -1;
  std::string path = "/proc/self/fd/" + std::to_string(fd);
  return ::open(path.c_str(), (flags & O_ACCMODE) | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

}  // namespace

Result<Stdio> Stdio::take() {
  for (int fd = 0; fd <= 2; ++fd) {
    // open() returns the lowest free descriptor, which is `fd`.
    if (::fcntl(fd, F_GETFD) < 0 && ::open("/dev/null", O_RDWR) < 0) return failed("open /dev/null");
  }
  Stdio stdio;
  for (int fd = 0; fd <= 1; ++fd) {
    Result<End> end = take(fd);
    if (!end) return std::move(end.error());
    stdio.ends_[fd] = *end;
  }
  int null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (null < 0) return failed("open /dev/null");
  bool replaced = ::dup2(null, 0) == 0 && ::dup2(2, 1) == 1;
  ::close(null);
  if (!replaced) return failed("dup2");
  return stdio;
}

Result<Stdio::End> Stdio::take(int fd) {
  int flags = ::fcntl(fd, F_GETFL);
  if (flags < 0) return failed("fcntl");
  int own = reopen(fd, flags);
  if (own >= 0) return End{.fd = own};
  int copy = ::fcntl(fd, F_DUPFD_CLOEXEC, 3);
  if (copy < 0) return failed("fcntl");
  return End{.fd = copy, .flags = flags, .shared = true};
}

Stdio::Stdio(Stdio&& other) noexcept : ends_(std::exchange(other.ends_, {})) {}

Stdio::~Stdio() {
  for (End& end : ends_) {
    if (end.fd < 0) continue;
    if (end.shared) ::fcntl(end.fd, F_SETFL, end.flags);
    ::close(end.fd);
  }
}

}  // namespace snapgen
