#include "schemas/wire/check.h"

#include "tools/app/check_answer.h"
#include "tools/app/check_work.h"
#include "tools/wire/common.h"

namespace snapgen::tools {

Task<mcp::Text> check(App& app, mcp::Call& call, const CheckInput& in) {
  const CheckRequest request = to_check_request(in);
  Task<CheckedWork> checking = check_work(app, call, request);
  Result<CheckedWork> outcome = co_await std::move(checking);
  if (!outcome) co_return with_failure_details(std::move(outcome).error(), std::nullopt, in.compact);
  // The answer has only the first findings; the log message has all of them.
  call.log(mcp::LogLevel::debug, "check", check_report_json(outcome->report));
  const CheckAnswer made = format_check_answer(*outcome, {.limit = in.limit}, mode_of(in.compact));
  co_return answer(made.line, in.compact, made.summary);
}

}  // namespace snapgen::tools
