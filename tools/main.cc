// This executable is installed as snapgen-server, snap and snapback. command_set_of() selects the commands by
// its name.
#include <csignal>

#include "runtime/uv/process.h"
#include "tools/cli/command_line.h"

int main(int count, char** values) {
  snapgen::load_no_modules();
  snapgen::open_missing_standard_streams();
  // A write beyond the limit of file sizes must fail, not end the process. UvPort does this too, but not
  // every command creates one.
  std::signal(SIGXFSZ, SIG_IGN);
  snapgen::limit_allocator_retention();
  const int exit_code = snapgen::tools::run_command_line(count, values);
  snapgen::end_thread_pool();
  return exit_code;
}
