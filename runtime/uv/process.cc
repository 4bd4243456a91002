#include "runtime/uv/process.h"

#include <cstdlib>

#include <fcntl.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif
#include <uv.h>

namespace snapgen {

void open_missing_standard_streams() {
  for (int fd = 0; fd <= 2; ++fd) {
    if (fcntl(fd, F_GETFD) >= 0) continue;
    // open() returns the lowest free descriptor, which is `fd`.
    if (open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd) return;
  }
}

void limit_allocator_retention() {
#if defined(__GLIBC__)
  // Setting one of these thresholds disables glibc's dynamic adjustment of both.
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 20);
#endif
}

void end_thread_pool() { uv_library_shutdown(); }

}  // namespace snapgen
