#pragma once
// Plans which commands a check runs, and turns their outcomes into reports.
#include <cstdint>
#include <string>
#include <vector>

#include "tools/insight/check/command.h"
#include "tools/insight/check/report.h"

namespace snapgen::core {

enum class CheckRun : std::uint8_t { full, build, test };

// The "check" section of `.snapback/config.json` (schemas/common/check_settings.json).
struct CheckSettings {
  std::int64_t deadline_ms = 600'000;  // The time for all programs of a check together.
  int parallel_chains = 0;             // Number of chains that run at the same time; 0: one per processor.
  bool detects_commands = true;
  std::vector<CheckCommand> replacement_commands;  // These replace the detected commands of their subsystem.
  std::vector<CheckCommand> added_commands;
};

struct CheckPlan {
  std::string root;
  std::vector<CheckCommand> commands;  // The commands, those of a chain one after the other.
  std::vector<SkippedCheck> skipped;
  std::vector<std::string> environment;
  std::int64_t deadline_ms = 0;
  int parallel_chains = 1;
};

// Plans the commands of a check. `files` has the paths that the check names; linters check only these.
CheckPlan plan_checks(const std::string& root, CheckRun run, const CheckSettings& settings,
                      const std::vector<std::string>& files);

struct ProgramResult {
  enum class End : std::uint8_t {
    not_run,   // The program did not run; `reason` has the reason.
    exited,    // The program ended with `exit_code`.
    signaled,  // The signal `signal` ended the program.
    late,      // The program was stopped at the deadline.
  };
  End end = End::not_run;
  int exit_code = 0;
  int signal = 0;
  std::string reason;
  std::string output;
  std::string errors;
  std::string report;    // The content of the file that the program wrote.
  bool was_cut = false;  // The output exceeded the limit, and a part in its middle is missing.
};

CheckReport report_of_outcome(const CheckCommand& command, const ProgramResult& outcome,
                              const std::string& root);

}  // namespace snapgen::core
