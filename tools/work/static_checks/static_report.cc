#include "tools/work/static_checks/static_report.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "tools/engine/operations/nested_repositories.h"
#include "tools/engine/operations/status_files.h"
#include "tools/engine/workspace/workspace_parts.h"
#include "tools/insight/analysis/import_graph_cache.h"
#include "tools/work/static_checks/analyse.h"
#include "tools/work/static_checks/broken_imports.h"

namespace snapgen::core {
namespace {

// Returns the sentence about the unmerged files in which no conflict marker was found; empty if there are
// none.
std::string sentence_of_unmarked(std::vector<std::string> unmerged, const CheckReport& report) {
  std::erase_if(unmerged, [&](const std::string& path) {
    return std::ranges::any_of(report.findings, [&](const CheckFinding& each) {
      return each.path == path && each.code == "merge_conflict";
    });
  });
  return unmerged_sentence(unmerged);
}

}  // namespace

Result<CheckReport> static_report(const WorkspaceServices& services, const SelectedStaticChecks& parts,
                                  const CheckScope& scope, const std::stop_token& stop) {
  CheckReport report;
  if (parts.files.conflicts || parts.files.patterns || parts.files.syntax) {
    std::vector<std::string> paths = scope.paths;
    // A deleted file has no content to check.
    if (!scope.is_named)
      std::erase_if(paths, [&](const std::string& path) { return !root_of(services.workspace).lstat(path); });
    CheckReport files = TRY(check_files(services, paths, parts.files, stop));
    report.add(std::move(files));
    if (std::string unmerged = sentence_of_unmarked(scope.unmerged, report); !unmerged.empty())
      report.notes.push_back(std::move(unmerged));
    if (parts.files.syntax) {
      CheckReport imports = TRY(
          deleted_imports_report(services, scope, services.import_graph.missing_sources(scope.paths), stop));
      report.add(std::move(imports));
    }
    if (paths.empty() && !scope.paths.empty())
      report.notes.emplace_back("Files were only deleted, so there is nothing to read in them.");
    if (scope.paths.empty() && !scope.is_named)
      report.notes.emplace_back(
          scope.start_snapshot == nullptr
              ? "No file is changed. To check others, name them."
              : "No file has changed since the task started. To check others, name them.");
    if (!scope.is_named) {
      std::string nested =
          nested_repositories_sentence(TRY(nested_repositories_in_status(services.workspace, stop)));
      if (!nested.empty()) report.notes.push_back(std::move(nested));
    }
  }
  if (scope.is_named && scope.paths.empty())
    report.notes.emplace_back("No file is listed in the named folders.");
  if (!scope.nested_repositories.empty())
    report.notes.push_back(nested_repositories_sentence(scope.nested_repositories));
  if (parts.cycles) {
    CheckReport cycles = TRY(cycle_report(services, scope, stop));
    report.add(std::move(cycles));
    services.import_graph.with_graph([&](const ImportGraph& graph) {
      for (const std::string& path : report.uncovered)
        if (const std::optional<FileIndex> file = graph.files().find(path);
            file && !graph.is_in_project(*file))
          report.outside_projects.insert(path);
    });
  }
  if (parts.documents) {
    CheckReport documents = TRY(document_report(services, scope, stop));
    report.add(std::move(documents));
  }
  if (parts.impact != SelectedStaticChecks::Impact::none) {
    const bool brief = parts.impact == SelectedStaticChecks::Impact::brief;
    CheckReport impact = TRY(impact_report(services, scope, brief, stop));
    report.add(std::move(impact));
  }
  return report;
}

}  // namespace snapgen::core
