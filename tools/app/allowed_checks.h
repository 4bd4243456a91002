#pragma once
// Plans a check of this workspace, restricted to commands that may run here (insight/check/trust.h). The
// tools `check` and `snapback.validate` share it.
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/async/task.h"
#include "runtime/mcp/call.h"
#include "tools/app/app.h"
#include "tools/insight/check/run/trust.h"

namespace snapgen::tools {

struct AllowedChecks {
  core::CheckPlan plan;
  core::WithheldCommands withheld;
};

// `files` is as in plan_checks(). `has_consent` is as in withhold_untrusted(). Errors: invalid_argument
// (invalid settings); unavailable.
Result<AllowedChecks> plan_allowed_checks(core::Workspace& workspace, core::CheckRun run,
                                          const std::vector<std::string>& files, bool has_consent);

// Returns whether checks may run code of the repository: a consent is stored, or the caller is the user.
bool has_consent(const App& app, const core::Workspace& workspace);

enum class ConsentAnswer : std::uint8_t { agreed, declined, cannot_ask };

// Asks the user through the client whether the withheld commands may run. If the user agreed, they are
// trusted from now on, and the caller must plan the checks again. `checks` must outlive the task.
Task<ConsentAnswer> ask_for_consent(mcp::Call& call, core::Workspace& workspace, const AllowedChecks& checks);

// Records that an answer of this process said what a repeated call runs.
void remember_notice(App& app, const core::Workspace& workspace);
// Returns whether an answer of this process said so before `time_ms` (core::steady_ms()), when the call came.
// If the client cannot ask the user, calling again is the consent.
bool was_noticed(const App& app, const core::Workspace& workspace, double time_ms);
void remember_consent(const core::Workspace& workspace);

}  // namespace snapgen::tools
