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
  std::string shown;     // How many learnings and patterns are in `lines`, such as 2L; empty for none.
  std::string sentence;  // How many learnings may help; empty if there are none.
  // The best learnings and patterns, each after a line break and "- ", in the words in which they were
  // recorded. One that is cut ends with an ellipsis.
  std::string lines;
};
RecalledText to_schema(const App& app, const core::RecallAnswer& memory);
// For example "Medium risk: auth.ts: authentication; 20 files are changed.", with the two heaviest reasons.
std::string short_risk_sentence(const core::Risk& risk);

}  // namespace snapgen::tools
