#pragma once
// Code that the handlers of the wire family share: answers as lines, and the status of the work tree.
#include <stop_token>
#include <string>
#include <string_view>

#include "runtime/linefmt/line.h"
#include "runtime/mcp/call.h"
#include "runtime/mcp/content.h"
#include "schemas/lines.h"
#include "tools/app/app.h"
#include "tools/app/run_on_pool.h"
#include "tools/app/wire_failure.h"
#include "tools/engine/base/phrase.h"
#include "tools/insight/risk/measure.h"
#include "tools/work/task/task.h"
#include "tools/work/task/work_status.h"

namespace snapgen::tools {

inline linefmt::Mode mode_of(bool compact) {
  return compact ? linefmt::Mode::compact : linefmt::Mode::labeled;
}

// Returns the text of an answer: the line, `---`, and the summary.
template <class Line>
mcp::Text answer(const Line& line, bool compact, std::string_view summary) {
  return mcp::Text{linefmt::with_summary(lines::encode(line, mode_of(compact)), summary)};
}

using core::count_with_noun;
using core::short_snapshot_id;
using core::shortened;

// Measures the status for the modes start and context. Errors: as core::measure_work_status().
Result<core::WorkStatus> work_status_of(App& app, const core::Task& task, const std::stop_token& stop);

struct RecalledText {
  std::string text;            // The best learnings and patterns; empty if there are none.
  std::int64_t learnings = 0;  // How many learnings are in it.
};
RecalledText to_schema(const core::RecallAnswer& memory);
// For example "Medium risk: auth.ts: authentication; 20 files are changed.", with the two heaviest reasons.
std::string short_risk_sentence(const core::Risk& risk);

}  // namespace snapgen::tools
