#pragma once
// All static checks in one report.
#include <cstdint>
#include <stop_token>

#include "runtime/base/result.h"
#include "tools/insight/check/report.h"
#include "tools/work/static_checks/static_checks.h"

namespace snapgen::core {

// The static checks of a mode.
struct StaticParts {
  // The report on a change's impact: absent, only its notes, or also the affected files.
  enum class Impact : std::uint8_t { none, brief, whole };

  FileParts files;
  bool cycles = false;
  bool documents = false;
  Impact impact = Impact::none;
};

// Errors: as the reports of static_checks.h and analyse.h.
Result<CheckReport> static_report(const WorkspaceServices& services, const StaticParts& parts,
                                  const CheckScope& scope, const std::stop_token& stop);

}  // namespace snapgen::core
