#include "tools/cli/command_line.h"

#include <algorithm>
#include <sstream>

#include <CLI/Config.hpp>

#include "runtime/cli/sentence.h"
#include "tools/cli/commands.h"
#include "tools/cli/help.h"

namespace snapgen::tools {
namespace {

constexpr const char* server_program = "snapgen-server";

constexpr const char* about_server =
    "Serves a workspace to AI hosts over MCP: snapshots, coherent reads under leases, and safe writes.";
constexpr const char* about_commands =
    "Snapshots of a workspace, and tasks with checks and lessons. The commands do the same as the server's "
    "tools.";

constexpr std::size_t help_columns = 100;  // The maximum width of help.

std::string command_name_of(std::string_view program) {
  const std::size_t slash = program.rfind('/');
  return std::string(slash == std::string_view::npos ? program : program.substr(slash + 1));
}

}  // namespace

CommandSet command_set_of(std::string_view program, std::string_view first_argument) {
  if (program == "snap" || program == "snapback") return CommandSet::snap_commands;
  return first_argument.empty() || first_argument.starts_with('-') ? CommandSet::server
                                                                   : CommandSet::snap_commands;
}

std::unique_ptr<CLI::App> all_commands(const std::string& program, CommandSet set, Invocation& invocation) {
  const bool serves = set == CommandSet::server;
  auto all = std::make_unique<CLI::App>(serves ? about_server : about_commands, program);
  all->formatter(std::make_shared<HelpFormatter>(
      std::min(invocation.out.is_terminal ? invocation.out.width : help_columns, help_columns)));
  all->set_help_flag("-h,--help", "Print this help.");
  all->set_version_flag("--version", "snapgen " SNAPGEN_VERSION, "Print the version.");
  if (serves) {
    add_serve_options(*all, invocation);
    return all;
  }
  all->require_subcommand(1);
  add_snapshot_commands(*all, invocation);
  add_edit_command(*all, invocation);
  add_apply_command(*all, invocation);
  add_history_command(*all, invocation);
  add_rewind_command(*all, invocation);
  add_undo_command(*all, invocation);
  add_recover_command(*all, invocation);
  add_ui_command(*all, invocation);
  add_session_commands(*all, invocation);
  add_check_command(*all, invocation);
  add_context_command(*all, invocation);
  add_learn_command(*all, invocation);
  add_violation_command(*all, invocation);
  add_forget_command(*all, invocation);
  add_log_command(*all, invocation);
  add_report_command(*all, invocation);
  add_doctor_command(*all, invocation);
  add_init_command(*all, invocation);
  add_hook_command(*all, invocation);
  add_bridge_command(*all, invocation);
  add_mcp_command(*all, invocation);
  add_store_commands(*all, invocation);
  add_trust_command(*all, invocation);
  add_tools_commands(*all, invocation);
  add_wire_command(*all, invocation);
  add_pages_commands(*all, invocation);
  add_help_command(*all, invocation);
  return all;
}

int run_command_line(int count, char** values) {
  Invocation invocation;
  const std::string program = count > 0 ? command_name_of(values[0]) : server_program;
  const CommandSet set = command_set_of(program, count > 1 ? values[1] : "");
  const std::unique_ptr<CLI::App> all = all_commands(program, set, invocation);
  try {
    all->parse(count, values);
  } catch (const CLI::ParseError& error) {
    // The general help, which --help prints after an unknown command, would not show that there is none.
    if (error.get_exit_code() == 0 && !cli::has_unknown_command(*all)) {
      std::ostringstream help;
      all->exit(error, help, help);
      const Result<Unit> printed = invocation.out.print(help.str());
      if (printed) return exit_done;
      print_error(invocation, printed.error());
      return exit_failed_or_found;
    }
    static_cast<void>(
        invocation.error_output.print(cli::usage_error_sentence(*all, error, printable) + "\n"));
    return exit_wrong_usage;
  }
  return run_invocation(invocation);
}

}  // namespace snapgen::tools
