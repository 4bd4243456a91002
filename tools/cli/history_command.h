#pragma once
// `snap log` and `snap report`: print the history of a workspace, or write it as a page.
#include "tools/cli/command.h"

namespace snapgen::tools {

void add_log_command(CLI::App& program, Invocation& invocation);
void add_report_command(CLI::App& program, Invocation& invocation);

}  // namespace snapgen::tools
