#include "runtime/uv/process.h"

#include <cstdlib>
#include <initializer_list>

#include <fcntl.h>
#include <openssl/crypto.h>
#if defined(__GLIBC__)
#include <malloc.h>
#include <nss.h>
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

void load_no_modules() {
  OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr);
#if defined(__GLIBC__)
  for (const char* each : {"passwd", "group", "services"}) __nss_configure_lookup(each, "files");
  __nss_configure_lookup("hosts", "files dns");
#endif
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
