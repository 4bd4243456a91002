#pragma once
// Child: a program under test with standard descriptors that a test chooses, and functions to communicate
// with it.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

namespace snapgen {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#elif defined(__has_feature)
inline constexpr bool sanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
inline constexpr bool sanitized = false;
#endif

// A descriptor that closes itself. Children do not inherit it.
class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Fd() { close(); }
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }
  int get() const { return fd_; }

 private:
  int fd_ = -1;
};

struct Ends {
  Fd read;
  Fd write;
};

inline Ends make_pipe() {
  int fds[2];
  if (::pipe2(fds, O_CLOEXEC) != 0) std::abort();
  return {Fd(fds[0]), Fd(fds[1])};
}

class Child {
 public:
  // -1: closed in the child.
  Child(const std::string& program, std::array<int, 3> standard, std::vector<std::string> arguments = {}) {
    std::vector<char*> values = {const_cast<char*>(program.c_str())};
    for (std::string& argument : arguments) values.push_back(argument.data());
    values.push_back(nullptr);
    pid_ = ::fork();
    if (pid_ != 0) return;
    // Moves the descriptors first, so that no dup2 overwrites one that is still needed.
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
  // Waits for the end. Returns the exit code, or minus the number of the signal that ended the program.
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
