#pragma once
// Stdio: the process's standard input and output, reserved for the protocol.
//
// After take(), descriptor 1 is standard error and descriptor 0 is /dev/null, so that no library can write
// into the protocol or read from it. The descriptors are reopened where possible, because non-blocking mode
// would otherwise affect every process that shares the terminal or pipe. Otherwise the destructor restores
// the original modes.
#include <array>

#include "runtime/base/result.h"

namespace snapgen {

class Stdio {
 public:
  // Call this first in main(), before anything opens a descriptor. Closed standard descriptors are opened on
  // /dev/null.
  static Result<Stdio> take();
  Stdio(Stdio&& other) noexcept;
  Stdio& operator=(Stdio&&) = delete;
  ~Stdio();

  int in() const { return ends_[0].fd; }
  int out() const { return ends_[1].fd; }

 private:
  struct End {
    int fd = -1;
    int flags = 0;  // The flags that a shared descriptor had before.
    bool shared = false;
  };
  static Result<End> take(int fd);
  Stdio() = default;

  std::array<End, 2> ends_;
};

}  // namespace snapgen
