#pragma once
// Checks by analysis, without running programs: the impact of a change, import cycles, outdated documents.
#include <stop_token>

#include "runtime/base/result.h"
#include "tools/insight/check/report.h"
#include "tools/work/static_checks/static_checks.h"

namespace snapgen::core {

// Reports what a change of the scope's files affects, and of the files that the task named, which may not
// have changed yet. Lists the affected files, the nearest first, with the prevention that is recorded for
// each. If `brief`, has only the notes about what has changed, for an answer that has other findings.
Result<CheckReport> impact_report(const WorkspaceServices& services, const CheckScope& scope, bool brief,
                                  const std::stop_token& stop);

// Reports import cycles. A cycle through a file of the scope is an error, any other cycle a warning.
Result<CheckReport> cycle_report(const WorkspaceServices& services, const CheckScope& scope,
                                 const std::stop_token& stop);

// Reports outdated documents. One that mentions a deleted file or name is an error, one that mentions a later
// change a warning. The git history is searched for deleted files, and if nothing changed, also for later
// commits.
Result<CheckReport> document_report(const WorkspaceServices& services, const CheckScope& scope,
                                    const std::stop_token& stop);

// Sets the age of the errors of programs in files that the task neither changed nor affects by imports to
// `elsewhere`, unless it is known. Sets none if the scope is that of no task, or if it has a file whose
// effect on others is not known.
Result<Unit> mark_errors_elsewhere(const WorkspaceServices& services, const CheckScope& scope,
                                   CheckReport& report, const std::stop_token& stop);

}  // namespace snapgen::core
