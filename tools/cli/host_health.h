#pragma once
// Checks the entries for this server in hosts' files, and whether those servers start.
#include <optional>
#include <string>

#include "tools/cli/doctor_results.h"

namespace snapgen::tools {

// With nullopt as `workspace`, checks only files in the home folder. `starts_all` also starts programs other
// than this one; anyone who can write a host's file chooses these programs.
void check_hosts(DoctorResults& findings, const std::optional<std::string>& workspace, bool starts_all);

}  // namespace snapgen::tools
