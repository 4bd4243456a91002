#pragma once
// All commands of `snap`, each with the file that has it. command_line.cc adds them in the order of the help.
#include <string>

#include "tools/cli/command.h"

namespace snapgen::tools {

// snapshot_command.cc: `snap snapshot create|list|show|gc`.
void add_snapshot_commands(CLI::App& program, Invocation& invocation);
// snapshot_diff.cc, snapshot_export.cc, snapshot_restore.cc: one subcommand each.
void add_snapshot_diff_command(CLI::App& snapshot, Invocation& invocation);
void add_snapshot_export_command(CLI::App& snapshot, Invocation& invocation);
void add_snapshot_restore_command(CLI::App& snapshot, Invocation& invocation);

// edit_command.cc: `snap edit` edits files, and `snap apply` applies a patch.
void add_edit_command(CLI::App& program, Invocation& invocation);
void add_apply_command(CLI::App& program, Invocation& invocation);

// timeline_command.cc: `snap history` lists recorded changes, `snap rewind` returns to a recorded state, and
// `snap undo` undoes one change.
void add_history_command(CLI::App& program, Invocation& invocation);
void add_rewind_command(CLI::App& program, Invocation& invocation);
void add_undo_command(CLI::App& program, Invocation& invocation);
// ui_command.cc: `snap ui` serves a page that shows the recorded changes.
void add_ui_command(CLI::App& program, Invocation& invocation);

// recover_command.cc: `snap recover [DIR]` restores the files of a deleted workspace.
void add_recover_command(CLI::App& program, Invocation& invocation);

// session_command.cc: `snap session start|recommendations|stats|checkpoint|end`, for a task.
void add_session_commands(CLI::App& program, Invocation& invocation);
// check_command.cc: `snap check [MODE]` checks the changes of a task or the named files.
void add_check_command(CLI::App& program, Invocation& invocation);
// context_command.cc: `snap ctx init|build|validate|status|constraint|check|blockers`, for facts of the
// project.
void add_context_command(CLI::App& program, Invocation& invocation);
// learn_command.cc: `snap learn` and `snap violation` record what later tasks should know; `snap forget`
// withdraws it.
void add_learn_command(CLI::App& program, Invocation& invocation);
void add_violation_command(CLI::App& program, Invocation& invocation);
void add_forget_command(CLI::App& program, Invocation& invocation);
// history_command.cc: `snap log` and `snap report` print what the tools did in a workspace, or write it as a
// page.
void add_log_command(CLI::App& program, Invocation& invocation);
void add_report_command(CLI::App& program, Invocation& invocation);

// doctor_command.cc: `snap doctor` checks that everything works for the server and its hosts.
void add_doctor_command(CLI::App& program, Invocation& invocation);
// init_command.cc: `snap init` makes a folder a workspace, and adds the server to a host's file.
void add_init_command(CLI::App& program, Invocation& invocation);
// hook_command.cc: `snap hook HOST [EVENT]` reports an event of a host to the history. Hosts run it.
void add_hook_command(CLI::App& program, Invocation& invocation);
// bridge_command.cc: `snap bridge status|pair` shows the bridge of a running server, and pairs a browser with
// it.
void add_bridge_command(CLI::App& program, Invocation& invocation);

// mcp_command.cc: `snap mcp --stdio`, `--http PLACE` and `--ws PLACE`, which can be combined, serve MCP.
// `snap mcp http --port N` is another form of --http. The default is --stdio, except at a terminal, where the
// help is printed with exit code 2.
void add_mcp_command(CLI::App& program, Invocation& invocation);
// mcp_command.cc: adds the options of `snap mcp` to snapgen-server itself. Without a transport, it prints the
// help with exit code 2.
void add_serve_options(CLI::App& program, Invocation& invocation);

// store_command.cc: `snap store stats|verify|gc` measures, checks and cleans the snapshot store.
void add_store_commands(CLI::App& program, Invocation& invocation);
// store_command.cc: adds the command `gc`, which two groups have; `group` is the name of the group.
CLI::App& add_gc_command(CLI::App& parent, Invocation& invocation, const std::string& group);
// trust_command.cc: `snap trust` decides which commands of .snapback/config.json checks may run.
void add_trust_command(CLI::App& program, Invocation& invocation);
// tools_command.cc: `snap tools` lists the tools, and `snap call` calls one, as a host does.
void add_tools_commands(CLI::App& program, Invocation& invocation);
// wire_command.cc: `snap wire decode` decodes a line of a wire tool.
void add_wire_command(CLI::App& program, Invocation& invocation);
// pages_command.cc: `snap completion` and `snap manual` print shell completions and manual pages.
void add_pages_commands(CLI::App& program, Invocation& invocation);
// help_command.cc: `snap help [COMMAND]` prints the same text as --help. `program` must outlive its run.
void add_help_command(CLI::App& program, Invocation& invocation);

}  // namespace snapgen::tools
