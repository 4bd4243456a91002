#include "tools/work/static_checks/static_checks.h"

#include <algorithm>

#include "tools/engine/base/phrase.h"
#include "tools/engine/files/path.h"
#include "tools/engine/git/tree.h"
#include "tools/engine/operations/diff/changes.h"
#include "tools/engine/operations/work.h"
#include "tools/engine/read/nearest_path.h"
#include "tools/engine/read/observe.h"
#include "tools/engine/workspace/coherent.h"
#include "tools/engine/workspace/workspace.h"
#include "tools/insight/pattern/detect.h"
#include "tools/work/memory/memory.h"
#include "tools/work/static_checks/preventions.h"
#include "tools/work/task/task_store.h"

namespace snapgen::core {
namespace {

constexpr std::int64_t checked_bytes_max = 2 << 20;  // Larger files are data.
constexpr std::size_t checked_files_max = 2000;
constexpr std::size_t reminders_named_max = 2;
constexpr std::size_t reminder_bytes_max = 60;  // Of one.

Result<std::vector<std::string>> changed_since(Workspace& workspace, const Snapshot& before,
                                               const std::stop_token& stop) {
  ChangesQuery query;
  query.changes_max = checked_files_max;
  auto read = [&](LiveView& view) { return changes_since(workspace, before, view, query); };
  ChangesAnswer answer = TRY(read_without_lease(workspace, stop, read));
  std::vector<std::string> paths;
  for (FileChange& change : answer.changes)
    if (change.status != ChangeStatus::deleted) paths.push_back(std::move(change.path));
  return paths;
}

// Whether `files`, sorted by path, has this path or one below it.
template <class File>
bool has_file_at_or_below(const std::vector<File>& files, const std::string& path) {
  auto from = [&](const std::string& bound) {
    return std::lower_bound(files.begin(), files.end(), bound,
                            [](const File& file, const std::string& each) { return file.path < each; });
  };
  const auto same = from(path);
  if (same != files.end() && same->path == path) return true;
  const auto below = from(path + "/");
  return below != files.end() && is_below(below->path, path);
}

// Returns nullopt if the commit cannot be read.
Result<std::optional<std::vector<NamedGitFile>>> committed_files(Workspace& workspace,
                                                                 const std::stop_token& stop) {
  if (!workspace.repository().is_git()) return std::optional(std::vector<NamedGitFile>());
  Status status = TRY(workspace.status(stop));
  const std::string& head = status.fingerprint.head_oid;
  if (head.empty()) return std::optional(std::vector<NamedGitFile>());
  const std::optional<git::Oid> oid = git::Oid::from_hex(head);
  if (!oid || oid->size != 20) return std::optional<std::vector<NamedGitFile>>();
  return files_of_commit(workspace.repository(), *oid, stop);
}

}  // namespace

Result<CheckScope> scope_of(Workspace& workspace, const std::optional<std::string>& task_id,
                            const std::optional<std::vector<std::string>>& files,
                            const std::stop_token& stop) {
  const TaskStore tasks(workspace.root().folder());
  std::optional<Task> task;
  if (task_id) {
    task = TRY(tasks.find_open_task(task_id));
  } else if (std::vector<Task> all = tasks.open_tasks(); !all.empty()) {
    task = std::move(all.front());
  }
  CheckScope scope{.paths = {}, .is_named = files && !files->empty(), .before = nullptr, .planned = {}};
  if (task) {
    Result<std::shared_ptr<const Snapshot>> snapshot = workspace.snapshots().load(task->snapshot_id);
    if (snapshot) scope.before = *std::move(snapshot);
    if (!scope.is_named) scope.planned = std::move(task->files);
  }
  scope.paths = TRY(scope.is_named            ? paths_of_texts(files)
                    : scope.before != nullptr ? changed_since(workspace, *scope.before, stop)
                                              : dirty_files(workspace, stop));
  std::sort(scope.paths.begin(), scope.paths.end());
  return scope;
}

Result<Unit> check_named(Workspace& workspace, const CheckScope& scope, const std::stop_token& stop) {
  if (!scope.is_named) return Unit{};
  std::optional<std::optional<std::vector<NamedGitFile>>> committed;
  for (const std::string& path : scope.paths) {
    Result<FileStat> stat = workspace.root().look(path);
    if (stat) continue;
    if (stat.error().code != ErrorCode::not_found) return std::move(stat).error();
    if (scope.before != nullptr && has_file_at_or_below(scope.before->entries, path)) continue;
    if (!committed) {
      committed = TRY(committed_files(workspace, stop));
    }
    if (!*committed || has_file_at_or_below(**committed, workspace.in_repository(path))) continue;
    return read_without_lease(workspace, stop, [&](LiveView& view) -> Result<Unit> {
      return proposing_nearest_path(view, path, stat.error());
    });
  }
  return Unit{};
}

std::string reminder_of(const std::vector<ViolationCount>& patterns) {
  std::int64_t count = 0;
  std::string named;
  for (const ViolationCount& each : patterns) {
    if (has_detector(each.type)) continue;
    if (++count > static_cast<std::int64_t>(reminders_named_max)) continue;
    const std::string words = each.prevention.empty() ? each.type : each.type + ": " + each.prevention;
    named += (named.empty() ? "" : "; ") + shortened(words, reminder_bytes_max);
  }
  if (count == 0) return {};
  const std::int64_t more = count - static_cast<std::int64_t>(reminders_named_max);
  if (more > 0) named += "; and " + std::to_string(more) + " more";
  return counted(count, "reminder") + ", not checked: " + named + (named.ends_with('.') ? "" : ".");
}

CheckMark mark_of(const CheckReport& report, bool looked_at_something) {
  if (report.errors > 0) return CheckMark::fail;
  return looked_at_something ? CheckMark::pass : CheckMark::skipped;
}

namespace {

// Adds the findings in one text.
void look_in(CheckReport& report, const std::vector<ViolationCount>& patterns, const std::string& path,
             std::string_view text, Conflicts conflicts) {
  if (report.findings.size() >= findings_kept_max) return;
  std::vector<std::string> types;
  for (const ViolationCount& each : patterns) types.push_back(each.type);
  // Violations from automated_from on are errors.
  auto is_error = [&](const std::string& type) {
    if (type == "merge_conflict") return true;
    return std::any_of(patterns.begin(), patterns.end(), [&](const ViolationCount& each) {
      return each.type == type && each.count >= automated_from;
    });
  };
  for (PatternFinding& each : detect(path, text, types, findings_kept_max - report.findings.size())) {
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

// Replaces folders by the listed files in them.
Result<std::vector<std::string>> files_at(Workspace& workspace, const std::vector<std::string>& paths,
                                          const std::stop_token& stop) {
  std::vector<std::string> files;
  std::shared_ptr<const FileList> listing;
  for (const std::string& path : paths) {
    const Result<FileStat> stat = workspace.root().look(path);
    if (!path.empty() && (!stat || kind_of(*stat) != FileKind::folder)) {
      files.push_back(path);
      continue;
    }
    if (!listing) {
      LiveFiles live = TRY(workspace.files(stop));
      listing = std::move(live.files);
    }
    const FileRun run = listing->at_or_below(path);
    for (std::size_t i = run.first; i < run.last; ++i) files.emplace_back(listing->path(i));
  }
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

}  // namespace

Result<CheckReport> pattern_report(const WorkspaceServices& services, const std::vector<std::string>& paths,
                                   Conflicts conflicts, const std::stop_token& stop) {
  std::vector<ViolationCount> patterns = TRY(services.memory.patterns(paths));
  CheckReport report;
  report.reminder = reminder_of(patterns);
  const bool has_detectors = std::any_of(patterns.begin(), patterns.end(), [](const ViolationCount& each) {
    return has_detector(each.type);
  });
  if (conflicts == Conflicts::left_out && !has_detectors) {
    report.notes.emplace_back("There is no promoted pattern that a check can detect.");
    return report;
  }
  std::vector<std::string> files = TRY(files_at(services.workspace, paths, stop));
  std::int64_t looked_at = 0;
  for (const std::string& path : files) {
    if (stop.stop_requested()) return Error(ErrorCode::cancelled, "The call was cancelled.");
    Result<Opened> file = services.workspace.root().open_file(path);
    if (!file || file->stat.size > checked_bytes_max) continue;
    std::string text;
    Result<Unit> read = read_steadily(*file, text);
    if (!read) continue;
    ++looked_at;
    look_in(report, patterns, path, text, conflicts);
  }
  add_preventions(services.memory, report, RecordedBy::code);
  report.add_mark(Subsystem::lint, mark_of(report, looked_at > 0));
  report.notes.push_back(counted(looked_at, "file") + " checked, no program was run.");
  return report;
}

Result<CheckReport> pattern_report_in(const WorkspaceServices& services, const std::string& path,
                                      std::string_view text) {
  std::vector<ViolationCount> patterns = TRY(services.memory.patterns({path}));
  CheckReport report;
  report.reminder = reminder_of(patterns);
  look_in(report, patterns, path, text, Conflicts::too);
  add_preventions(services.memory, report, RecordedBy::code);
  report.add_mark(Subsystem::lint, mark_of(report, true));
  return report;
}

}  // namespace snapgen::core
