#include "tools/work/task/work_status.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>

#include "tools/engine/base/phrase.h"
#include "tools/engine/files/path.h"
#include "tools/engine/operations/nested_repositories.h"
#include "tools/engine/operations/status_files.h"
#include "tools/engine/read/view.h"
#include "tools/engine/workspace/workspace_parts.h"
#include "tools/insight/analysis/impact.h"
#include "tools/insight/analysis/import_graph_cache.h"
#include "tools/work/memory/memory.h"

namespace snapgen::core {
namespace {

constexpr std::size_t missing_named_max = 2;

bool is_absent(const Workspace& workspace, const std::string& path) {
  const Result<FileStat> stat = root_of(workspace).lstat(path);
  return !stat && stat.error().code == ErrorCode::not_found;
}

// Returns for example "a.txt and 2 more."
std::string first_of(const std::vector<std::string>& paths, std::int64_t count) {
  return shortened(path_in_sentence(paths.front()), 60) +
         (count > 1 ? " and " + std::to_string(count - 1) + " more." : ".");
}

// Returns whether there is no file at the path, although no uncommitted change deleted one.
bool is_missing(const Workspace& workspace, const GitStatus& status, const std::string& path) {
  return is_absent(workspace, path) && !is_in_status(workspace, status, path);
}

// Measures the risk of the task's files and the dirty files. The task's files are first, because only the
// dependents of the first files are counted. `changed_files` replaces the number of the task's files, if it
// is set.
Result<Unit> measure_paths(WorkStatus& found, const GitStatus& status,
                           std::optional<std::int64_t> changed_files, const WorkspaceServices& services,
                           const Task& task, const std::stop_token& stop) {
  const std::vector<std::string> files =
      TRY(with_folders_expanded(services.workspace, status, task.files, stop));
  std::vector<std::string> paths;
  for (const std::string& each : files)
    (is_missing(services.workspace, status, each) ? found.missing : paths).push_back(each);
  for (const std::string& each : found.missing)
    if (is_not_checked_out(services.workspace, each)) found.not_checked_out.push_back(each);
  const auto named = static_cast<std::int64_t>(paths.size());
  std::set_difference(found.dirty.begin(), found.dirty.end(), files.begin(), files.end(),
                      std::back_inserter(paths));
  found.protection = TRY(protection_of(services.workspace, status, paths, stop));
  std::vector<FileHistory> histories = TRY(services.learning_store.file_histories(paths));
  TRY(services.import_graph.update(stop));
  const std::vector<std::string> deleted = services.import_graph.missing_sources(paths);
  found.risk = measure_risk({.paths = paths,
                             .histories = std::move(histories),
                             .deleted = services.import_graph.dependents_of_deleted(deleted),
                             .changed_file_count = changed_files.value_or(named),
                             .are_planned = !changed_files,
                             .graph = &services.import_graph,
                             .is_test = is_test_file});
  found.recalled = TRY(services.learning_store.recall(
      {.text = task.title, .keywords = task.keywords, .files = task.files, .changed_files = found.dirty}));
  found.measured = std::move(paths);
  return Unit{};
}

}  // namespace

Result<WorkStatus> measure_work_status(const WorkspaceServices& services, const Task& task,
                                       const std::stop_token& stop) {
  GitStatus status = TRY(status_of(services.workspace, stop));
  WorkStatus found;
  found.unmerged = unmerged_files(services.workspace, status);
  found.dirty = TRY(dirty_files(services.workspace, status, stop));
  TRY(measure_paths(found, status, found.dirty_count(), services, task, stop));
  return found;
}

Result<WorkStatus> measure_task_files(const WorkspaceServices& services, const Task& task,
                                      const std::stop_token& stop) {
  GitStatus status = TRY(status_of(services.workspace, stop));
  WorkStatus found;
  TRY(measure_paths(found, status, std::nullopt, services, task, stop));
  return found;
}

std::string unprotected_sentence(const Protection& protection) {
  const std::string omitted = omitted_sentence(protection);
  if (protection.uncovered.empty()) return omitted;
  return "Not committed, and in no snapshot: " +
         first_of(protection.uncovered, protection.uncovered_count()) + with_leading_space(omitted);
}

std::string omitted_sentence(const Protection& protection) {
  const std::string nested = nested_repositories_sentence(protection.nested_repositories);
  if (protection.unreadable.empty()) return nested;
  return "Not readable, so omitted from snapshots: " +
         first_of(protection.unreadable, static_cast<std::int64_t>(protection.unreadable.size())) +
         with_leading_space(nested);
}

std::string missing_sentence(const WorkStatus& status) {
  const std::vector<std::string>& missing = status.missing;
  if (missing.empty()) return {};
  const auto not_checked_out = static_cast<std::int64_t>(status.not_checked_out.size());
  if (not_checked_out > 0 && status.not_checked_out.size() == missing.size())
    return not_checked_out == 1
               ? not_checked_out_sentence(missing.front())
               : std::to_string(not_checked_out) +
                     " of the named files are in HEAD, but not checked out (sparse checkout), such as " +
                     path_in_sentence(missing.front()) + ".";
  if (missing.size() == 1) return path_in_sentence(missing.front()) + " does not exist, and has no risk.";
  std::string text = std::to_string(missing.size()) + " of the named files do not exist, and have no risk: ";
  for (std::size_t i = 0; i < std::min(missing.size(), missing_named_max); ++i)
    text += (i == 0 ? "" : ", ") + path_in_sentence(missing[i]);
  text += missing.size() > missing_named_max ? " and others." : ".";
  if (not_checked_out == 0) return text;
  return text + " HEAD has " + path_in_sentence(status.not_checked_out.front()) +
         (not_checked_out > 1 ? " and others" : "") + ", not checked out (sparse checkout).";
}

}  // namespace snapgen::core
