// The helper process that closes descriptors later must not hold any other descriptor open.
#include "tools/engine/watch/late_close.h"

#include <array>
#include <cerrno>
#include <cstddef>
#include <utility>

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace snapgen::core {
namespace {

constexpr int patience_ms = 10'000;

// From now on, close_range(2) fails in this process as on a kernel without it.
bool forget_close_range() {
  std::array<sock_filter, 4> rules = {{
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_close_range, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  }};
  const sock_fprog program = {.len = rules.size(), .filter = rules.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

// Runs in a child process. Returns 0 if the helper process closes everything else.
int closes_all_else(bool has_close_range) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return 2;
  if (!has_close_range && !forget_close_range()) return 3;
  close_in_child_process(Fd(::inotify_init1(IN_CLOEXEC)));
  ::close(ends[1]);
  // No process has the writing end open, so the reading end reports a hangup.
  pollfd wait = {.fd = ends[0], .events = POLLIN, .revents = 0};
  return ::poll(&wait, 1, patience_ms) == 1 && (wait.revents & POLLHUP) != 0 ? 0 : 1;
}

TEST(LateClose, ClosesEverythingElseOnEveryKernel) {
  for (const bool has_close_range : {true, false}) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) ::_exit(closes_all_else(has_close_range));
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0) << (has_close_range ? "with" : "without") << " close_range";
  }
}

}  // namespace
}  // namespace snapgen::core
