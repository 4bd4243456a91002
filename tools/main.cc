// snapgen-server, snap, snapback: one executable (command_set_of() says what its name means).
#include <csignal>

#include "runtime/uv/process.h"
#include "tools/cli/command_line.h"

int main(int count, char** values) {
  snapgen::fill_standard_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // As UvPort does, which not every command has.
  snapgen::return_freed_memory();
  const int exit_code = snapgen::tools::run_command_line(count, values);
  snapgen::end_pool();
  return exit_code;
}
