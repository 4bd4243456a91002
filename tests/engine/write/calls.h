#pragma once
// Counts the system calls with which this program writes. One of them can be made to fail or to kill the
// process. A program that links this replaces the C library's functions for them.
#include <functional>

namespace snapgen::core {

struct Interference {
  int at = 0;     // The call it happens at, from 1; 0: none.
  int error = 0;  // 0: SIGKILL before the call is made; else the call fails with this errno.
  bool plain_renames =
      false;  // Every rename with flags fails with EINVAL, as on file systems that know none.
};

struct ChildRun {
  int writes = 0;  // Calls that were counted.
  bool killed = false;
  int exit_code = -1;
};

// Runs `child` in a child process, which exits with its result.
ChildRun run_in_child(const std::function<int()>& child, const Interference& interference);

}  // namespace snapgen::core
