#pragma once
// Runs the programs of a check, each in a separate process group that is killed when the call ends. The
// chains of the plan (programs that must run one after the other) run in parallel.
#include "runtime/async/task.h"
#include "runtime/mcp/call.h"
#include "tools/insight/check/report.h"
#include "tools/insight/check/run/plan.h"

namespace snapgen::tools {

// Runs the commands of `plan`, which must outlive the task, and reports progress through the call. Errors:
// cancelled, when no program runs any more.
Task<core::CheckReport> run_checks(mcp::Call& call, const core::CheckPlan& plan);

}  // namespace snapgen::tools
