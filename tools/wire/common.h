#pragma once
// What the handlers of this family have in common: how an error becomes a line, how a path reaches the core,
// and what is measured of the work tree.
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/linefmt/line.h"
#include "runtime/mcp/call.h"
#include "runtime/mcp/content.h"
#include "schemas/lines.h"
#include "tools/app/app.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/operations/work.h"
#include "tools/insight/risk/measure.h"
#include "tools/work/task/task.h"
#include "tools/work/task/work_status.h"

namespace snapgen::tools {

inline linefmt::Mode mode_of(bool compact) {
  return compact ? linefmt::Mode::compact : linefmt::Mode::labeled;
}

// An error with the code that its line shall have, and in the form that the call asked for.
Error as_failure(Error error, std::optional<lines::Failure> code, bool compact);

// Of files that a call named: one that is not there is a wrong argument.
Error named_wrong(Error error, bool compact);

// The line, `---`, the summary.
template <class Line>
mcp::Text answer(const Line& line, bool compact, std::string_view summary) {
  return mcp::Text{linefmt::with_summary(lines::encode(line, mode_of(compact)), summary)};
}

using core::counted;
using core::short_snapshot;
using core::shortened;

// What start and context answer with. Errors: as core::measure().
Result<core::WorkStatus> work_status_of(App& app, const core::Task& task, const std::stop_token& stop);

lines::Risk to_schema(core::RiskLevel level);
// The strongest learnings and patterns in few words; empty if there are none.
std::string to_schema(const core::Recollection& memory);
// "Medium risk: auth.ts: authentication; 20 files are changed." The two strongest reasons.
std::string sentence(const core::Risk& risk);

}  // namespace snapgen::tools
