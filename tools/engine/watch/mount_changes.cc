#include "tools/engine/watch/mount_changes.h"

#include <fcntl.h>
#include <poll.h>

namespace snapgen::core {

Result<MountChanges> MountChanges::open() {
  Fd mountinfo(::open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC));
  if (!mountinfo)
    return Error(ErrorCode::unavailable,
                 "The system does not report mounts: /proc/self/mountinfo cannot be opened. Mount /proc.");
  return MountChanges(std::move(mountinfo));
}

bool MountChanges::have_happened() {
  pollfd mounts{.fd = mountinfo_.get(), .events = POLLPRI, .revents = 0};
  return ::poll(&mounts, 1, 0) != 0;
}

}  // namespace snapgen::core
