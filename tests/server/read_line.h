#pragma once
// Reads the output of a server line by line.
#include <string>

#include <unistd.h>

namespace snapgen {

// Returns the next line of `fd` without its newline; empty at the end. `pending` has bytes that were read
// before, and receives those after the line.
inline std::string read_line(int fd, std::string& pending) {
  std::size_t end;
  while ((end = pending.find('\n')) == std::string::npos) {
    char buffer[65536];
    const ssize_t n = ::read(fd, buffer, sizeof buffer);
    if (n <= 0) return {};
    pending.append(buffer, static_cast<std::size_t>(n));
  }
  std::string line = pending.substr(0, end);
  pending.erase(0, end + 1);
  return line;
}

}  // namespace snapgen
