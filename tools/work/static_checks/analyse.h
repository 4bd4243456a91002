#pragma once
// Checks by analysis, without running programs: the impact of a change, import cycles, outdated documents.
#include <stop_token>

#include "runtime/base/result.h"
#include "tools/insight/check/report.h"
#include "tools/work/static_checks/static_checks.h"

namespace snapgen::core {

// Covers the files of the scope, and those that the task named, which may not have changed yet. Lists the
// affected files, the nearest first, with the prevention that is recorded for the file. `brief`: only the
// notes, for an answer that has other findings to report.
Result<CheckReport> impact_report(const WorkspaceServices& services, const CheckScope& scope, bool brief,
                                  const std::stop_token& stop);

// A cycle through a file of the scope is an error, any other cycle a warning.
Result<CheckReport> cycle_report(const WorkspaceServices& services, const CheckScope& scope,
                                 const std::stop_token& stop);

// A document that mentions a deleted file or name is an error, one that mentions a later change a warning.
// The git history is searched for deleted files, and without changes for later commits, too.
Result<CheckReport> document_report(const WorkspaceServices& services, const CheckScope& scope,
                                    const std::stop_token& stop);

}  // namespace snapgen::core
