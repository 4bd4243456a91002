#pragma once
// Helpers to start another program: pipes to it, and the argument lists that exec() takes.
#include <string>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "runtime/base/fd.h"

namespace snapgen {

struct Pipe {
  Fd read_end;
  Fd write_end;
  explicit operator bool() const { return static_cast<bool>(read_end); }
};

// Creates a pipe whose ends other programs do not inherit. On failure it returns an invalid pipe and sets
// errno.
inline Pipe make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return {};
  return {.read_end = Fd(ends[0]), .write_end = Fd(ends[1])};
}

// Returns pointers to the texts, followed by a null pointer, as exec() takes them. The texts must outlive the
// pointers; exec() does not change them.
inline std::vector<char*> null_terminated_pointers(const std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (const std::string& text : texts) out.push_back(const_cast<char*>(text.c_str()));
  out.push_back(nullptr);
  return out;
}

}  // namespace snapgen
