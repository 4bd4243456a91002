#pragma once
// check_work: checks the work of a task, with and without running programs. The tools `check`, `snap` and
// `snapback.validate` and the command `snap check` share it.
#include <cstdint>
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
  // Paths as in a call. nullopt: the files that scope_of() chooses.
  std::optional<std::vector<std::string>> files;
  // From an earlier answer: nothing runs, and more of its findings are listed.
  std::optional<std::string> cursor;
  // The named files must exist now; otherwise it suffices that check_named() accepts them.
  bool must_exist = false;
};

// The request for a mode of `check`.
CheckRequest check_request(const CheckInput& in);

struct CheckedWork {
  core::CheckReport report;  // Sorted; findings in named or changed files first.
  std::string title;         // As in the request.
  std::string id;            // For cursor_at().
  std::size_t first = 0;     // The first finding to list.

  // How many findings are not listed before or by a list that ends before `end`.
  std::int64_t left_out_from(std::size_t end) const {
    return static_cast<std::int64_t>(report.findings.size() - end) + report.left_out;
  }
};

// Notes the result in the log of the work. `request` must outlive the task. Errors: not_found with the wire
// family's code NO_TASK (no such task) or VALIDATION_FAILED (a named file does not exist); invalid_argument
// (a path, the settings, or the cursor); cancelled; as static_report().
Task<CheckedWork> check_work(App& app, mcp::Call& call, const CheckRequest& request);

// Sorts the report, findings in `paths` first, and stores it for later cursors. `paths`: sorted.
CheckedWork kept_work(App& app, core::CheckReport report, std::string title,
                      const std::vector<std::string>& paths);

// As check_work(), for a request without programs. Blocks.
Result<CheckedWork> check_statically(App& app, const CheckRequest& request, const std::stop_token& stop);

}  // namespace snapgen::tools
