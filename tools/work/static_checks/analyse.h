#pragma once
// Checks by analysis: what a change reaches, import cycles, documents that stayed behind. They run nothing.
#include <stop_token>

#include "runtime/base/result.h"
#include "tools/insight/check/report.h"
#include "tools/work/static_checks/static_checks.h"

namespace snapgen::core {

// `brief`: only the sentences, for an answer that has other things to name.
Result<CheckReport> impact_report(const WorkspaceServices& services, const CheckScope& scope, bool brief,
                                  const std::stop_token& stop);

// A cycle through a file of the scope is an error, any other a warning.
Result<CheckReport> cycle_report(const WorkspaceServices& services, const CheckScope& scope,
                                 const std::stop_token& stop);

// A document that names what is gone is an error, one that names what changed after it a warning. Where
// nothing has changed, history tells.
Result<CheckReport> document_report(const WorkspaceServices& services, const CheckScope& scope,
                                    const std::stop_token& stop);

}  // namespace snapgen::core
