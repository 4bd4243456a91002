#pragma once
// Plans a check of this workspace, restricted to commands that may run here (insight/check/trust.h). The
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
  core::WithheldCommands withheld;
};

// `files` is as in plan_checks(). Errors: invalid_argument (invalid settings); unavailable.
Result<AllowedChecks> plan_allowed_checks(core::Workspace& workspace, core::CheckRun run,
                                          const std::vector<std::string>& files);

// Asks the user through the client whether the withheld commands may run. True means that they are now
// trusted, and that the caller must plan the checks again. False means that the client cannot ask, or that
// the user declined. `checks` must outlive the task.
Task<bool> ask_for_trust(mcp::Call& call, core::Workspace& workspace, const AllowedChecks& checks);

// Records that an answer has named the withheld package scripts, so that the next check runs them.
void remember_named_scripts(core::Workspace& workspace, const AllowedChecks& checks);

}  // namespace snapgen::tools
