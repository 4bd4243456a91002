// snapgen-server, snap and snapback are one executable. command_set_of() selects the commands by its name.
#include <csignal>

#include "runtime/uv/process.h"
#include "tools/cli/command_line.h"

int main(int count, char** values) {
  snapgen::fill_standard_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // UvPort ignores it too, but not every command creates one.
  snapgen::return_freed_memory();
  const int exit_code = snapgen::tools::run_command_line(count, values);
  snapgen::end_pool();
  return exit_code;
}
