#include "tools/work/task/standing.h"

#include <algorithm>

#include "tools/insight/analysis/kept_imports.h"
#include "tools/work/memory/memory.h"

namespace snapgen::core {
namespace {

constexpr std::size_t measured_files_max = 2000;

// Of `paths`, of which some may be dirty.
Result<Unit> measure_paths(Standing& found, std::vector<std::string> paths, std::int64_t changed_files,
                           const Workplace& place, const Task& task, const std::stop_token& stop) {
  if (paths.size() > measured_files_max) paths.resize(measured_files_max);
  Result<Protection> protection = protection_of(place.substrate, paths, stop);
  if (!protection) return std::move(protection).error();
  found.protection = *std::move(protection);
  Result<std::vector<FileHistory>> histories = place.memory.histories(paths);
  if (!histories) return std::move(histories).error();
  Result<Unit> updated = place.imports.update(stop);
  if (!updated) return std::move(updated).error();
  found.risk = measure_risk({.paths = paths,
                             .histories = *std::move(histories),
                             .changed_files = changed_files,
                             .graph = &place.imports});
  Result<Recollection> recalled =
      place.memory.recall({.text = task.title, .keywords = task.keywords, .files = task.files});
  if (!recalled) return std::move(recalled).error();
  found.memory = *std::move(recalled);
  return Unit{};
}

}  // namespace

Result<Standing> measure(const Workplace& place, const Task& task, const std::stop_token& stop) {
  Result<std::vector<std::string>> dirty = dirty_files(place.substrate, stop);
  if (!dirty) return std::move(dirty).error();
  Standing found;
  found.dirty = *std::move(dirty);
  // The task's own come first, where there are more than are looked at.
  std::vector<std::string> paths = task.files;
  for (const std::string& each : found.dirty)
    if (std::find(task.files.begin(), task.files.end(), each) == task.files.end()) paths.push_back(each);
  Result<Unit> measured = measure_paths(found, std::move(paths), found.dirty_count(), place, task, stop);
  if (!measured) return std::move(measured).error();
  return found;
}

Result<Standing> measure_files(const Workplace& place, const Task& task, const std::stop_token& stop) {
  Standing found;
  Result<Unit> measured =
      measure_paths(found, task.files, static_cast<std::int64_t>(task.files.size()), place, task, stop);
  if (!measured) return std::move(measured).error();
  return found;
}

}  // namespace snapgen::core
