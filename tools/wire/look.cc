#include "tools/wire/look.h"

#include <algorithm>

#include "tools/core/diff/changes.h"
#include "tools/core/lease/coherent.h"
#include "tools/core/pattern/detect.h"
#include "tools/core/task/task_store.h"
#include "tools/core/task/work.h"
#include "tools/core/view/observe.h"
#include "tools/wire/common.h"

namespace snapgen::tools {
namespace {

constexpr std::int64_t checked_bytes_max = 2 << 20;  // Larger files are data.
constexpr std::size_t checked_files_max = 2000;

Result<std::vector<std::string>> changed_since(core::Substrate& substrate, const core::Snapshot& before,
                                               const std::stop_token& stop) {
  core::ChangesQuery query;
  query.changes_max = checked_files_max;
  auto read = [&](core::LiveView& view) { return core::changes_since(substrate, before, view, query); };
  Result<core::ChangesAnswer> answer = core::read_without_lease(substrate, stop, read);
  if (!answer) return std::move(answer).error();
  std::vector<std::string> paths;
  for (core::FileChange& change : answer->changes)
    if (change.status != core::ChangeStatus::deleted) paths.push_back(std::move(change.path));
  return paths;
}

}  // namespace

Result<CheckScope> scope_of(core::Substrate& substrate, const std::optional<std::string>& task_id,
                            const std::optional<std::vector<std::string>>& files,
                            const std::stop_token& stop) {
  const core::TaskStore tasks(substrate.root().folder());
  std::optional<core::Task> task;
  if (task_id) {
    Result<core::Task> named = tasks.open_task(task_id);
    if (!named) return std::move(named).error();
    task = *std::move(named);
  } else if (std::vector<core::Task> all = tasks.open_tasks(); !all.empty()) {
    task = std::move(all.front());
  }
  CheckScope scope{.paths = {}, .is_named = files && !files->empty(), .before = nullptr};
  if (task) {
    Result<std::shared_ptr<const core::Snapshot>> snapshot = substrate.snapshots().load(task->snapshot_id);
    if (snapshot) scope.before = *std::move(snapshot);
  }
  Result<std::vector<std::string>> paths = scope.is_named ? task_paths(files)
                                           : scope.before != nullptr
                                               ? changed_since(substrate, *scope.before, stop)
                                               : core::dirty_files(substrate, stop);
  if (!paths) return std::move(paths).error();
  scope.paths = *std::move(paths);
  std::sort(scope.paths.begin(), scope.paths.end());
  return scope;
}

Result<core::CheckReport> look_for_patterns(App& app, const std::vector<std::string>& paths,
                                            Conflicts conflicts, const std::stop_token& stop) {
  Result<core::Substrate*> opened = app.substrate();
  if (!opened) return std::move(opened).error();
  Result<core::Memory*> memory = app.memory();
  if (!memory) return std::move(memory).error();
  Result<std::vector<core::ViolationCount>> patterns = (*memory)->patterns();
  if (!patterns) return std::move(patterns).error();
  std::vector<std::string> types;
  for (const core::ViolationCount& each : *patterns) types.push_back(each.type);
  // What is to be looked for by a program counts as an error.
  auto is_error = [&](const std::string& type) {
    if (type == "merge_conflict") return true;
    return std::any_of(patterns->begin(), patterns->end(), [&](const core::ViolationCount& each) {
      return each.type == type && each.count >= core::automated_from;
    });
  };

  core::CheckReport report;
  std::int64_t looked_at = 0;
  for (const std::string& path : paths) {
    if (stop.stop_requested()) return Error(ErrorCode::cancelled, "The call was cancelled.");
    Result<core::Opened> file = (*opened)->root().open_file(path);
    if (!file || file->stat.size > checked_bytes_max) continue;
    std::string text;
    Result<Unit> read = core::read_steadily(*file, text);
    if (!read) continue;
    ++looked_at;
    if (report.findings.size() >= core::findings_kept_max) continue;
    const std::size_t room = core::findings_kept_max - report.findings.size();
    for (core::PatternFinding& each : core::detect(path, text, types, room)) {
      if (conflicts == Conflicts::left_out && each.type == "merge_conflict") continue;
      const bool error = is_error(each.type);
      ++(error ? report.errors : report.warnings);
      report.findings.push_back({.path = path,
                                 .line = each.line,
                                 .column = 0,
                                 .is_error = error,
                                 .code = std::move(each.type),
                                 .message = {}});
    }
  }
  report.add_mark(core::Subsystem::lint, report.errors > 0 ? core::CheckMark::fail : core::CheckMark::pass);
  report.notes.push_back(counted(looked_at, "file") + " looked at, no program was run.");
  return report;
}

}  // namespace snapgen::tools
