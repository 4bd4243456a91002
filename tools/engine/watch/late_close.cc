#include "tools/engine/watch/late_close.h"

#include <cstddef>
#include <cstdint>

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// Disables sanitizers and the stack protector, because they use thread-local storage.
#if defined(__clang__)
#define SNAPGEN_PLAIN __attribute__((no_stack_protector, no_sanitize("address", "thread", "undefined")))
#else
#define SNAPGEN_PLAIN \
  __attribute__((no_stack_protector, no_sanitize_address, no_sanitize_thread, no_sanitize_undefined))
#endif

namespace snapgen::core {
namespace {

struct Kept {
  int fd;    // The descriptor to close last.
  int gate;  // The read end of a pipe, which ends when this process has closed the other.
  bool has_close_range;
};

// One entry of a folder, as getdents64(2) returns it.
struct FolderEntry {
  std::uint64_t inode;
  std::int64_t offset;
  std::uint16_t size;
  std::uint8_t kind;
  char name[1];
};

// Closes every descriptor but two, one by one. For kernels before 5.9, which lack close_range(2).
SNAPGEN_PLAIN void close_each_but(const Kept& descriptors) {
  constexpr std::size_t buffer_bytes = 4096;
  const long folder = ::syscall(SYS_openat, AT_FDCWD, "/proc/self/fd", O_RDONLY | O_DIRECTORY, 0);
  if (folder < 0) return;
  alignas(FolderEntry) char buffer[buffer_bytes];
  for (;;) {
    const long got = ::syscall(SYS_getdents64, folder, buffer, buffer_bytes);
    if (got <= 0) break;
    for (long at = 0; at < got;) {
      const auto* const entry = reinterpret_cast<const FolderEntry*>(buffer + at);
      at += entry->size;
      const char* name = buffer + (at - entry->size) + offsetof(FolderEntry, name);
      int fd = 0;
      bool is_number = *name != '\0';
      for (; *name != '\0'; ++name) {
        is_number = is_number && *name >= '0' && *name <= '9';
        fd = fd * 10 + (*name - '0');
      }
      if (is_number && fd != descriptors.fd && fd != descriptors.gate && fd != folder)
        ::syscall(SYS_close, fd);
    }
  }
  ::syscall(SYS_close, folder);
}

SNAPGEN_PLAIN void close_ranges_but(const Kept& descriptors) {
  const unsigned low =
      static_cast<unsigned>(descriptors.fd < descriptors.gate ? descriptors.fd : descriptors.gate);
  const unsigned high =
      static_cast<unsigned>(descriptors.fd < descriptors.gate ? descriptors.gate : descriptors.fd);
  if (low > 0) ::syscall(SYS_close_range, 0u, low - 1, 0u);
  if (high > low + 1) ::syscall(SYS_close_range, low + 1, high - 1, 0u);
  ::syscall(SYS_close_range, high + 1, ~0u, 0u);
}

// Uses only bare system calls, because it shares our memory without being one of our threads. The storage of
// the thread that started it, with errno, may be freed, so no call is made that is expected to fail.
SNAPGEN_PLAIN int hold(void* argument) {
  const Kept descriptors = *static_cast<const Kept*>(argument);
  if (descriptors.has_close_range)
    close_ranges_but(descriptors);
  else
    close_each_but(descriptors);
  char byte;
  ::syscall(SYS_read, descriptors.gate, &byte, 1);
  ::syscall(SYS_exit_group, 0);
  return 0;
}

}  // namespace

void close_in_child_process(Fd fd) {
  constexpr std::size_t stack_bytes = 64u << 10;
  int ends[2];
  if (!fd || ::pipe2(ends, O_CLOEXEC) != 0) return;
  const Fd gate(ends[0]);
  const Fd open_until_closed(ends[1]);
  // The child's stack, which is freed with the process.
  void* const stack =
      ::mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED) return;
  auto* const descriptors = static_cast<Kept*>(stack);
  const bool has_close_range = ::syscall(SYS_close_range, ~0u, ~0u, 0u) == 0;
  *descriptors = {.fd = fd.get(), .gate = gate.get(), .has_close_range = has_close_range};
  // If clone() fails, this process waits for the close.
  ::clone(hold, static_cast<char*>(stack) + stack_bytes, CLONE_VM, descriptors);
  fd.reset();
}

}  // namespace snapgen::core
