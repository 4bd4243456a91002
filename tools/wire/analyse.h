#pragma once
// Checks by analysis: what a change reaches, import cycles, documents that stayed behind. They run nothing.
#include <stop_token>

#include "runtime/base/result.h"
#include "tools/app.h"
#include "tools/core/check/report.h"
#include "tools/wire/look.h"

namespace snapgen::tools {

// `brief`: only the sentences, for an answer that has other things to name.
Result<core::CheckReport> look_at_impact(App& app, const CheckScope& scope, bool brief,
                                         const std::stop_token& stop);

// A cycle through a file of the scope is an error, any other a warning.
Result<core::CheckReport> look_for_cycles(App& app, const CheckScope& scope, const std::stop_token& stop);

// A document that names what is gone is an error, one that names what changed after it a warning. Where
// nothing has changed, history tells.
Result<core::CheckReport> look_at_documents(App& app, const CheckScope& scope, const std::stop_token& stop);

}  // namespace snapgen::tools
