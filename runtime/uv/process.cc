#include "runtime/uv/process.h"

#include <cstdlib>

#if defined(__GLIBC__)
#include <malloc.h>
#endif
#include <uv.h>

namespace snapgen {

void return_freed_memory() {
#if defined(__GLIBC__)
  // Setting one of them ends the adjusting of both.
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 20);
#endif
}

void end_pool() { uv_library_shutdown(); }

}  // namespace snapgen
