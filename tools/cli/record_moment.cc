#include "tools/cli/record_moment.h"

#include <memory>

#include "tools/cli/caller.h"

namespace snapgen::tools {

Result<core::TakenMoment> record_moment(const Invocation& invocation) {
  const std::unique_ptr<ToolCaller> caller = TRY(ToolCaller::open(invocation));
  core::MomentTaker* const taker = TRY(caller->app().history());
  return taker->take(core::MomentCause::request, core::MomentPace::background, caller->stop());
}

}  // namespace snapgen::tools
