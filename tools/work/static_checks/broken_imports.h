#pragma once
// Reports imports of files of the work tree that do not exist.
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/insight/check/report.h"
#include "tools/insight/imports/relative_imports.h"
#include "tools/work/static_checks/static_checks.h"

namespace snapgen::core {

// Returns access to the work tree. The workspace must outlive it.
TreeProbe tree_probe_of(Workspace& workspace);

// The finding for an import of the file at `path`.
CheckFinding broken_import_finding(const std::string& path, const BrokenImport& import);

// Reports the imports of deleted files. `deleted` has the deleted source files of the scope, sorted. It omits
// imports in files of the scope that check_files() has checked, and imports that now resolve to another file.
// Errors: as ImportGraphCache::update().
Result<CheckReport> deleted_imports_report(const WorkspaceServices& services, const CheckScope& scope,
                                           const std::vector<std::string>& deleted,
                                           const std::stop_token& stop);

}  // namespace snapgen::core
