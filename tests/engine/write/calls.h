#pragma once
// Counts the system calls with which this program writes. One of them can be made to fail or to kill the
// process. A program that links this file uses its functions instead of the C library's.
#include <functional>

namespace snapgen::core {

struct Interference {
  int at = 0;     // The number of the call, from 1; 0: none.
  int error = 0;  // 0: SIGKILL before the call; else the call fails with this errno.
  // every rename with flags fails with EINVAL, as on file systems that do not support them
  bool plain_renames = false;
};

struct ChildRun {
  int writes = 0;  // The number of counted calls.
  bool killed = false;
  int exit_code = -1;
};

// Runs `child` in a child process, whose exit code is its result.
ChildRun run_in_child(const std::function<int()>& child, const Interference& interference);

}  // namespace snapgen::core
