#include "schemas/wire/snap_violation.h"

#include "tools/app/violation_work.h"
#include "tools/wire/common.h"

namespace snapgen::tools {
namespace {

Result<mcp::Text> run_violation(App& app, const SnapViolationInput& in, const std::stop_token&) {
  ViolationAnswer recorded = TRY(record_violation(app, in));
  return answer(recorded.line, in.compact, recorded.summary);
}

}  // namespace

Task<mcp::Text> snap_violation(App& app, mcp::Call& call, const SnapViolationInput& in) {
  return run_on_pool(app, call, in, run_violation);
}

}  // namespace snapgen::tools
