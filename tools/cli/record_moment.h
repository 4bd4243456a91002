#pragma once
// record_moment() records the present state of the workspace, for commands.
#include "runtime/base/result.h"
#include "tools/cli/command.h"
#include "tools/engine/operations/history/take_moment.h"

namespace snapgen::tools {

// Errors: as ToolCaller::open(), App::history() and MomentTaker::take().
Result<core::TakenMoment> record_moment(const Invocation& invocation);

}  // namespace snapgen::tools
