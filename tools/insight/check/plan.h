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
  std::int64_t deadline_ms = 600'000;  // For all programs together.
  int parallel = 0;                    // Chains that run in parallel; 0: the number of processors.
  bool detect = true;
  std::vector<CheckCommand> replacing;  // Replace the detected commands of their subsystem.
  std::vector<CheckCommand> added;
};

struct CheckPlan {
  std::string root;
  std::vector<CheckCommand> commands;  // Grouped by chain.
  std::vector<SkippedCheck> skipped;
  std::vector<std::string> environment;
  std::int64_t deadline_ms = 0;
  int parallel = 1;
};

// `files`: the paths that were named for this check; linters check only these.
CheckPlan plan_checks(const std::string& root, CheckRun run, const CheckSettings& settings,
                      const std::vector<std::string>& files);

struct CheckOutcome {
  enum class End : std::uint8_t {
    not_run,   // `reason` says why.
    exited,    // `exit_code`
    signaled,  // `signal`
    late,      // Stopped at the deadline.
  };
  End end = End::not_run;
  int exit_code = 0;
  int signal = 0;
  std::string reason;
  std::string output;
  std::string errors;
  std::string report;    // The content of its report file.
  bool was_cut = false;  // The output exceeded the limit.
};

CheckReport judge(const CheckCommand& command, const CheckOutcome& outcome, const std::string& root);

}  // namespace snapgen::core
