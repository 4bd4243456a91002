#pragma once
// Which programs a check of this workspace runs, of those that may run here (insight/check/trust.h). The
// tools `check` and `snapback.validate` share it.
#include <string>
#include <vector>

#include "runtime/async/task.h"
#include "runtime/mcp/call.h"
#include "tools/app/app.h"
#include "tools/insight/check/trust.h"

namespace snapgen::tools {

struct AllowedChecks {
  core::CheckPlan plan;
  core::Withheld withheld;
};

// `files`: as plan_checks() has them. Errors: invalid_argument (the settings have faults); unavailable.
Result<AllowedChecks> plan_allowed_checks(core::Workspace& workspace, core::CheckRun run,
                                          const std::vector<std::string>& files);

// Asks the user through the client whether the withheld commands may run. True: they are trusted now, and the
// checks must be planned again. False: the client cannot ask, or the user said no. `checks` outlives the
// task.
Task<bool> ask_for_trust(mcp::Call& call, core::Workspace& workspace, const AllowedChecks& checks);

// Remembers that an answer names the package scripts that were withheld: the next check runs them.
void remember_named(core::Workspace& workspace, const AllowedChecks& checks);

}  // namespace snapgen::tools
