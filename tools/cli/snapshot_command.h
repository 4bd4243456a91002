#pragma once
// `snap snapshot create|list|show|diff|restore|export|gc`.
#include "tools/cli/command.h"

namespace snapgen::tools {

void add_snapshot(CLI::App& program, Chosen& chosen);

// Its larger subcommands.
void add_snapshot_diff(CLI::App& snapshot, Chosen& chosen);
void add_snapshot_export(CLI::App& snapshot, Chosen& chosen);
void add_snapshot_restore(CLI::App& snapshot, Chosen& chosen);

}  // namespace snapgen::tools
