#pragma once
// `snap store stats|verify|gc`: looking after what is kept of a workspace.
#include <cstdint>
#include <optional>
#include <string>

#include "tools/core/collect/retention.h"
#include "tools/core/substrate.h"

namespace snapgen::tools {

struct StoreCommand {
  enum class Action : std::uint8_t { stats, verify, gc };
  Action action = Action::stats;
  bool json = false;
  bool dry_run = false;
  bool drop_damaged = false;
  std::optional<std::int64_t> keep_days;  // Instead of what the workspace's settings say.
  std::optional<std::int64_t> keep_count;
};

struct Report {
  std::string text;   // For the standard output; ends with a line break.
  int exit_code = 0;  // 1: the store is damaged.
};

// `retention` as the workspace's settings have it. Errors: as the functions of tools/core/collect.
Result<Report> run_store_command(core::Substrate& substrate, const StoreCommand& command,
                                 core::Retention retention);

}  // namespace snapgen::tools
