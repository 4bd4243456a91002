#pragma once
// Runs a function in a process that cannot create threads, as in a container at its limit.
#include <cerrno>
#include <cstddef>
#include <functional>
#include <optional>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace snapgen::core {

// Makes thread creation fail with EAGAIN in this process. This cannot be undone, so call it in a child
// process. Returns false if the system does not allow it.
inline bool forbid_threads() {
  // A seccomp filter cannot read the flags of clone3; without clone3 the C library calls clone.
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 4, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 2),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args)),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 2, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EAGAIN),
  };
  const sock_fprog filter{.len = sizeof program / sizeof *program, .filter = program};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

// Runs `child` in a process without threads and returns its result; nullopt if the system does not allow
// it.
inline std::optional<bool> without_threads(const std::function<bool()>& child) {
  constexpr int has_threads = 77;
  constexpr unsigned seconds_max = 30;
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::alarm(seconds_max);
    if (!forbid_threads()) ::_exit(has_threads);
    ::_exit(child() ? 0 : 1);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == has_threads) return std::nullopt;
  return status == 0;
}

}  // namespace snapgen::core
