#pragma once
// Runs a program with interfere.cc preloaded in a child process, and returns its output.
#include <string>
#include <vector>

namespace snapgen::tools {

struct Interference {
  long at = 0;  // The number of the interrupted writing call, from 1; 0: none.
  long until = 0;
  int error = 0;  // 0: SIGKILL.
};

struct Outcome {
  long writes = 0;  // The number of counted calls.
  bool killed = false;
  std::vector<std::string> answers;  // The lines of standard output.
};

// Starts the server on `workspace` and sends `calls` (tool and arguments) one after the other.
struct ToolCall {
  std::string tool;
  std::string arguments;
};
Outcome run_server(const std::string& workspace, const std::vector<ToolCall>& calls,
                   const Interference& interference);

// Runs `restore-once WORKSPACE SNAPSHOT`, which prints the error's message, or "restored".
Outcome run_restore(const std::string& workspace, const std::string& snapshot,
                    const Interference& interference);

}  // namespace snapgen::tools
