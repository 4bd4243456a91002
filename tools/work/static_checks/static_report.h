#pragma once
// Does all static checks and returns one report.
#include <cstdint>
#include <stop_token>

#include "runtime/base/result.h"
#include "tools/insight/check/report.h"
#include "tools/work/static_checks/static_checks.h"

namespace snapgen::core {

// Selects the static checks.
struct SelectedStaticChecks {
  // How much the report has about a change's impact: nothing, only notes, or also the affected files.
  enum class Impact : std::uint8_t { none, brief, whole };

  SelectedFileChecks files;
  bool cycles = false;
  bool documents = false;
  Impact impact = Impact::none;
};

// Does the checks that `parts` selects. Errors: as the reports of static_checks.h and analyse.h.
Result<CheckReport> static_report(const WorkspaceServices& services, const SelectedStaticChecks& parts,
                                  const CheckScope& scope, const std::stop_token& stop);

}  // namespace snapgen::core
