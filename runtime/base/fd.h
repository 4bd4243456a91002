#pragma once
// Fd: the sole owner of a file descriptor. It closes the descriptor unless take() moved it out.
#include <array>
#include <utility>

#include <unistd.h>

namespace snapgen {

class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(other.take()) {}
  Fd& operator=(Fd&& other) noexcept {
    if (this != &other) {
      reset();
      fd_ = other.take();
    }
    return *this;
  }
  ~Fd() { reset(); }

  explicit operator bool() const { return fd_ >= 0; }
  int get() const { return fd_; }
  int take() { return std::exchange(fd_, -1); }
  void reset() {
    if (fd_ >= 0) ::close(take());
  }

 private:
  int fd_ = -1;
};

// Reads and drops what a non-blocking descriptor has.
inline void discard_input(int fd) {
  std::array<char, 4096> ignored;
  while (::read(fd, ignored.data(), ignored.size()) > 0) {
  }
}

}  // namespace snapgen
