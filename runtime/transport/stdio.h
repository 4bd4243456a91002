#pragma once
// Stdio: the process's standard input and output, taken away for the protocol.
//
// Afterwards descriptor 1 is the standard error and descriptor 0 is /dev/null, so that no library can write
// into the protocol or read from it. Where we can, the descriptors are opened anew, for that non-blocking
// mode would otherwise reach everyone who shares the terminal or the pipe with us; where we cannot, the
// original modes come back at the end.
#include <array>

#include "runtime/base/result.h"

namespace snapgen {

class Stdio {
 public:
  // First thing in main(), before anything opens a descriptor: standard descriptors that are closed become
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
    int flags = 0;  // To give back: those of a descriptor that others share.
    bool shared = false;
  };
  static Result<End> take(int fd);
  Stdio() = default;

  std::array<End, 2> ends_;
};

}  // namespace snapgen
