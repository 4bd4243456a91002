#pragma once
// `snap snapshot create|list|show|diff|restore|export|gc`: makes, shows, restores and deletes snapshots.
#include "tools/cli/command.h"

namespace snapgen::tools {

void add_snapshot_commands(CLI::App& program, Invocation& invocation);

// Each adds one of the larger subcommands.
void add_snapshot_diff_command(CLI::App& snapshot, Invocation& invocation);
void add_snapshot_export_command(CLI::App& snapshot, Invocation& invocation);
void add_snapshot_restore_command(CLI::App& snapshot, Invocation& invocation);

}  // namespace snapgen::tools
