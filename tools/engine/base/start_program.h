#pragma once
// Starts another program with given descriptors, and makes files for its input and output.
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "runtime/base/fd.h"

namespace snapgen::core {

// Returns an unnamed file with this content, at its beginning. Only /proc shows `name`. On failure it returns
// an invalid descriptor and sets errno.
Fd unnamed_file(const char* name, std::string_view content);

// The number that ProgramStart::further has in the program.
inline constexpr int further_descriptor = 3;

// A program that begins in `folder`, in a process group of its own, with no signal blocked or ignored.
struct ProgramStart {
  const std::vector<std::string>& words;  // The path of the program, and its arguments.
  const std::vector<std::string>& variables;
  std::string folder;
  int input = -1;  // The descriptors of the program; -1: an empty input, and nothing further.
  int output = -1;
  int error_output = -1;
  int further = -1;
};

// Returns 0 and sets `child`, or returns the error of posix_spawn(3).
int start_program(const ProgramStart& start, pid_t& child);

}  // namespace snapgen::core
