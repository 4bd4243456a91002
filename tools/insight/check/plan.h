#pragma once
// Which commands a check runs, and what becomes of what they said.
#include <cstdint>
#include <string>
#include <vector>

#include "tools/insight/check/command.h"
#include "tools/insight/check/report.h"

namespace snapgen::core {

enum class CheckRun : std::uint8_t { full, build, test };

// What `.snapback/config.json` says under "check" (schemas/common/check_settings.json).
struct CheckSettings {
  std::int64_t deadline_ms = 600'000;  // For all programs together.
  int parallel = 0;                    // Chains at once; 0: by the number of processors.
  bool detect = true;
  std::vector<CheckCommand> replacing;  // In place of what is found for their subsystem.
  std::vector<CheckCommand> added;
};

struct CheckPlan {
  std::string root;
  std::vector<CheckCommand> commands;  // Those of one chain one behind the other.
  std::vector<SkippedCheck> skipped;
  std::vector<std::string> environment;
  std::int64_t deadline_ms = 0;
  int parallel = 1;
};

// `files`: paths, those that were named for this check; linters get them in place of everything.
CheckPlan plan_checks(const std::string& root, CheckRun run, const CheckSettings& settings,
                      const std::vector<std::string>& files);

// How a command ended.
struct CheckOutcome {
  enum class End : std::uint8_t {
    not_run,   // `reason` says why.
    exited,    // `exit_code`
    signaled,  // `signal`
    late,      // It was ended when time was up.
  };
  End end = End::not_run;
  int exit_code = 0;
  int signal = 0;
  std::string reason;
  std::string output;
  std::string errors;
  std::string report;    // What it wrote to its report file.
  bool was_cut = false;  // It wrote more than was kept.
};

CheckReport judge(const CheckCommand& command, const CheckOutcome& outcome, const std::string& root);

}  // namespace snapgen::core
