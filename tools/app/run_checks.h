#pragma once
// Runs the programs of a check: chains in parallel, each program in a process group of its own that ends with
// the call.
#include "runtime/async/task.h"
#include "runtime/mcp/call.h"
#include "tools/insight/check/plan.h"
#include "tools/insight/check/report.h"

namespace snapgen::tools {

// Says how far it is through the call. `plan` outlives the task. Errors: cancelled, once nothing runs any
// more.
Task<core::CheckReport> run_checks(mcp::Call& call, const core::CheckPlan& plan);

}  // namespace snapgen::tools
