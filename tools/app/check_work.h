#pragma once
// check_work: checks the work of a task, with and without running programs. The tools `check`, `snap` and
// `snapback.validate` and the command `snap check` share it.
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/async/task.h"
#include "runtime/base/result.h"
#include "runtime/mcp/call.h"
#include "schemas/wire/check.h"
#include "tools/app/app.h"
#include "tools/insight/check/plan.h"
#include "tools/insight/check/report.h"
#include "tools/work/static_checks/static_report.h"

namespace snapgen::tools {

struct CheckRequest {
  std::string_view mode;   // The name of the mode, for `snap log`.
  std::string_view title;  // The beginning of a summary: "Full check".
  core::StaticParts parts;
  std::optional<core::CheckRun> programs;  // nullopt: run none, whatever the workspace has.
  std::optional<std::string> task_id;      // Default: the latest open task.
  // As clients write paths. Default: as scope_of().
  std::optional<std::vector<std::string>> files;
  // The named files must exist now; otherwise it suffices that check_named() accepts them.
  bool must_exist = false;
};

// The request for a mode of `check`.
CheckRequest check_request(const CheckInput& in);

struct CheckedWork {
  core::CheckReport report;        // Sorted; findings in `paths` first.
  std::vector<std::string> paths;  // The checked files and folders, sorted.
};

// Notes the result in the log of the work. `request` must outlive the task. Errors: not_found with the wire
// family's code NO_TASK (no such task) or VALIDATION_FAILED (a named file does not exist); invalid_argument
// (a path, or the settings); cancelled; as static_report().
Task<CheckedWork> check_work(App& app, mcp::Call& call, const CheckRequest& request);

// As check_work(), for a request without programs. Blocks.
Result<CheckedWork> check_statically(App& app, const CheckRequest& request, const std::stop_token& stop);

}  // namespace snapgen::tools
