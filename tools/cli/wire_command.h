#pragma once
// `snap wire decode`: what a line of a wire tool says, for people and for scripts.
#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace snapgen::tools {

struct WireCommand {
  std::string line;      // Empty: the standard input is read.
  bool compact = false;  // Fields by their places. Without it, both are tried.
  bool json = false;
};

// A line of text for each field, or one line of JSON: [["id","task_…"],…]. Errors: invalid_argument.
Result<std::string> decode_line(std::string_view text, const WireCommand& command);

// The whole of the command: reads, prints, says what is wrong on the standard error. The exit code: 0, or 1
// if it is no line.
int run_wire_command(const WireCommand& command);

}  // namespace snapgen::tools
