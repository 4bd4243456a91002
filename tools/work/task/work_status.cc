#include "tools/work/task/work_status.h"

#include <algorithm>

#include "tools/insight/analysis/kept_imports.h"
#include "tools/work/memory/memory.h"

namespace snapgen::core {
namespace {

constexpr std::size_t measured_files_max = 2000;

// Measures `paths`, which may include clean files.
Result<Unit> measure_paths(WorkStatus& found, std::vector<std::string> paths, std::int64_t changed_files,
                           const WorkspaceServices& services, const Task& task, const std::stop_token& stop) {
  if (paths.size() > measured_files_max) paths.resize(measured_files_max);
  found.protection = TRY(protection_of(services.workspace, paths, stop));
  std::vector<FileHistory> histories = TRY(services.memory.histories(paths));
  TRY(services.imports.update(stop));
  found.risk = measure_risk({.paths = paths,
                             .histories = std::move(histories),
                             .changed_files = changed_files,
                             .graph = &services.imports});
  found.memory =
      TRY(services.memory.recall({.text = task.title, .keywords = task.keywords, .files = task.files}));
  return Unit{};
}

}  // namespace

Result<WorkStatus> measure(const WorkspaceServices& services, const Task& task, const std::stop_token& stop) {
  std::vector<std::string> dirty = TRY(dirty_files(services.workspace, stop));
  WorkStatus found;
  found.dirty = std::move(dirty);
  // The list is limited, so the task's files are first.
  std::vector<std::string> paths = task.files;
  for (const std::string& each : found.dirty)
    if (std::find(task.files.begin(), task.files.end(), each) == task.files.end()) paths.push_back(each);
  TRY(measure_paths(found, std::move(paths), found.dirty_count(), services, task, stop));
  return found;
}

Result<WorkStatus> measure_files(const WorkspaceServices& services, const Task& task,
                                 const std::stop_token& stop) {
  WorkStatus found;
  TRY(measure_paths(found, task.files, static_cast<std::int64_t>(task.files.size()), services, task, stop));
  return found;
}

}  // namespace snapgen::core
