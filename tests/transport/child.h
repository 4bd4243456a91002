#pragma once
// Child: a program under test with standard descriptors that a test provides, and functions to communicate
// with it.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/base/fd.h"
#include "runtime/base/spawn.h"

namespace snapgen {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#elif defined(__has_feature)
inline constexpr bool sanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
inline constexpr bool sanitized = false;
#endif

class Child {
 public:
  // -1: closed in the child.
  Child(const std::string& program, std::array<int, 3> standard, std::vector<std::string> arguments = {}) {
    arguments.insert(arguments.begin(), program);
    const std::vector<char*> values = null_terminated_pointers(arguments);
    pid_ = ::fork();
    if (pid_ != 0) return;
    // The descriptors are moved first, so that no dup2 overwrites one that is still needed.
    for (int& fd : standard) fd = fd < 0 ? -1 : ::fcntl(fd, F_DUPFD_CLOEXEC, 10);
    for (int i = 0; i < 3; ++i) {
      if (standard[i] < 0) {
        ::close(i);
      } else {
        ::dup2(standard[i], i);
      }
    }
    ::signal(SIGPIPE, SIG_DFL);
    ::execv(program.c_str(), values.data());
    ::_exit(127);
  }
  Child(Child&&) = delete;
  ~Child() {
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      exit_code();
    }
  }

  pid_t pid() const { return pid_; }
  // Waits for the end of the program. Returns the exit code, or the negative number of the signal that ended
  // it.
  int exit_code() {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

 private:
  pid_t pid_;
};

inline bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

// Reads until end of file, or until the given number of bytes has arrived.
inline std::string read_bytes(int fd, std::size_t bytes_max = static_cast<std::size_t>(-1)) {
  std::string all;
  std::array<char, 65536> chunk;
  while (all.size() < bytes_max) {
    ssize_t count = ::read(fd, chunk.data(), std::min(chunk.size(), bytes_max - all.size()));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;  // A terminal reports EIO when its other end is closed.
    all.append(chunk.data(), static_cast<std::size_t>(count));
  }
  return all;
}

}  // namespace snapgen
