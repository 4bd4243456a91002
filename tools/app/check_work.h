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
#include "tools/insight/check/report.h"
#include "tools/insight/check/run/plan.h"
#include "tools/work/static_checks/static_report.h"

namespace snapgen::tools {

struct CheckRequest {
  std::string_view mode;   // The name of the mode, which `snap log` prints.
  std::string_view title;  // The beginning of the summary, such as "Full check".
  core::SelectedStaticChecks static_parts;
  // The programs to run. Nullopt runs none, whatever the workspace has.
  std::optional<core::CheckRun> programs;
  std::optional<std::string> task_id;  // The id of the task. Nullopt means the current task.
  // Paths as the call has them. Nullopt for the files that check_scope_of() chooses.
  std::optional<std::vector<std::string>> files;
  // A cursor from an earlier answer. Then nothing runs, and more findings of that check are listed.
  std::optional<std::string> cursor;
  // True if the named files must exist now. Otherwise check_named_files_exist() decides.
  bool files_must_exist = false;
};

// Returns the request for a mode of the tool `check`.
CheckRequest to_check_request(const CheckInput& in);

struct CheckedWork {
  core::CheckReport report;  // The report, sorted; findings in named or changed files are first.
  std::string title;         // The title of the request.
  std::string id;            // The id of the report, for cursor_at().
  std::size_t first = 0;     // The index of the first finding to list.

  // Returns how many findings are after a list that ends before index `end`.
  std::int64_t left_out_after(std::size_t end) const {
    return static_cast<std::int64_t>(report.findings.size() - end) + report.unstored_findings;
  }
};

// Checks the work and notes the result in the log. `request` must outlive the task. Errors: not_found with
// the wire family's code NO_TASK (no such task) or VALIDATION_FAILED (a named file does not exist);
// invalid_argument (a path, the settings, or the cursor); cancelled; as static_report().
Task<CheckedWork> check_work(App& app, mcp::Call& call, const CheckRequest& request);

// Sorts the report, findings in `paths` first, and stores it for later cursors. `paths` must be sorted.
CheckedWork store_checked_work(App& app, core::CheckReport report, std::string title,
                               const std::vector<std::string>& paths);

// Does as check_work(), for a request without programs. Blocks.
Result<CheckedWork> check_statically(App& app, const CheckRequest& request, const std::stop_token& stop);

}  // namespace snapgen::tools
