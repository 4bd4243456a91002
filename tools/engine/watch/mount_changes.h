#pragma once
// MountChanges detects that something was mounted or unmounted, which inotify(7) does not report.
#include <utility>

#include "runtime/base/fd.h"
#include "runtime/base/result.h"

namespace snapgen::core {

// Not thread-safe.
class MountChanges {
 public:
  static constexpr const char* sentence = "something was mounted or unmounted";

  // Detects changes from now on. Errors: unavailable.
  static Result<MountChanges> open();

  // Returns whether the mounts of this process changed since the last call, or since open().
  bool have_happened();

 private:
  explicit MountChanges(Fd mountinfo) : mountinfo_(std::move(mountinfo)) {}

  Fd mountinfo_;  // /proc/self/mountinfo
};

}  // namespace snapgen::core
