#pragma once
// Runs the programs of a check, each in a separate process group that is killed when the call ends. The
// chains of the plan (programs that must run one after the other) run in parallel.
#include "runtime/async/task.h"
#include "runtime/mcp/call.h"
#include "tools/insight/check/report.h"
#include "tools/insight/check/run/plan.h"
#include "tools/work/static_checks/earlier_findings.h"

namespace snapgen::tools {

// Runs the commands of `plan`, compares what each finds with the earlier findings, and reports progress
// through the call. The arguments must outlive the task. Errors: cancelled, when
// no program runs any more.
Task<core::CheckReport> run_checks(mcp::Call& call, const core::CheckPlan& plan,
                                   const core::EarlierFindings& earlier);

}  // namespace snapgen::tools
