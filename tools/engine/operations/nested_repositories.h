#pragma once
// The submodules and other repositories in the workspace, whose files snapshots and checks omit.
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/git/status/fingerprint.h"

namespace snapgen::core {

class Workspace;

// The submodules and other repositories in the workspace that `git status` names, sorted. Snapshots and
// checks omit their files, unless these are named. Errors: as Workspace::files().
Result<std::vector<std::string>> nested_repositories_in_status(Workspace& workspace, const GitStatus& status,
                                                               const std::stop_token& stop);
// Like nested_repositories_in_status() above, for the current status. Errors: also as Workspace::status().
Result<std::vector<std::string>> nested_repositories_in_status(Workspace& workspace,
                                                               const std::stop_token& stop);
// The nested repositories that are at, below or above one of these folders, sorted. Errors: as
// Workspace::files().
Result<std::vector<std::string>> nested_repositories_related_to(Workspace& workspace,
                                                                const std::vector<std::string>& paths,
                                                                const std::stop_token& stop);
// Returns "The nested repository vendor/sub is omitted from checks and snapshots, except files that you
// name."; empty without any.
std::string nested_repositories_sentence(const std::vector<std::string>& nested);

}  // namespace snapgen::core
