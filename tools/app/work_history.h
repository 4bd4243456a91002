#pragma once
// What happened in a workspace (work/history/history.h), for `snap log` and the page of `snap ui`.
#include <string>

#include "runtime/base/result.h"
#include "schemas/ui/work.h"
#include "tools/work/history/history.h"

namespace snapgen::tools {

// Reads the history of the workspace at this path, without opening the work tree. Blocks. Errors: those of
// core::Repository::open().
Result<core::History> read_work_history(const std::string& workspace);

WorkEvent work_event_of(const core::HistoryEvent& event);

// Returns the history for the page, within the limits of the schema.
Work work_of(core::History history);

}  // namespace snapgen::tools
