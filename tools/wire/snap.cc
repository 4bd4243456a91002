#include "schemas/wire/snap.h"

#include <algorithm>

#include "tools/core/diff/changes.h"
#include "tools/core/lease/coherent.h"
#include "tools/core/path/path.h"
#include "tools/core/pattern/detect.h"
#include "tools/core/task/capture.h"
#include "tools/core/task/task_store.h"
#include "tools/core/view/observe.h"
#include "tools/wire/common.h"

namespace snapgen::tools {
namespace {

constexpr std::int64_t checked_bytes_max = 2 << 20;  // Larger files are data.
constexpr std::size_t checked_files_max = 2000;
constexpr std::size_t findings_max = 500;
constexpr std::size_t issues_bytes_max = 120;
constexpr std::size_t shown_findings = 3;

Result<mcp::Text> start(App& app, const SnapInput& in, const std::stop_token& stop) {
  core::Task task{.title = in.task.value_or("")};
  if (in.keywords) task.keywords = *in.keywords;
  Result<std::vector<std::string>> files = task_paths(in.files);
  if (!files) return std::move(files).error();
  task.files = *std::move(files);
  Result<core::Substrate*> opened = app.substrate();
  if (!opened) return std::move(opened).error();
  core::Substrate& substrate = **opened;
  Result<core::WholeCapture> captured =
      core::capture_whole(substrate, "task: " + shortened(task.title, 200), stop);
  if (!captured) return std::move(captured).error();
  task.snapshot_id = captured->snapshot_id;
  task.started_ms = substrate.now() / 1'000'000;
  Result<Measured> measured = measure(app, task, stop);
  if (!measured) return std::move(measured).error();
  Result<core::Task> begun = core::TaskStore(substrate.root().folder()).begin(task);
  if (!begun) return std::move(begun).error();
  app.sweep_if_due(substrate);

  const lines::StartLine line{.id = begun->id,
                              .snap = short_snapshot(task.snapshot_id),
                              .risk = shown(measured->risk.level),
                              .prot = measured->protection.percent(),
                              .dirty = measured->dirty,
                              .status = captured->reused ? lines::Capture::reused : lines::Capture::created,
                              .learn = shown(measured->memory)};
  std::string summary = "Task started. ";
  const std::size_t learned = measured->memory.learnings.size();
  const std::size_t patterns = measured->memory.patterns.size();
  if (learned > 0) summary += counted(static_cast<std::int64_t>(learned), "relevant learning") + " found. ";
  if (patterns > 0)
    summary += counted(static_cast<std::int64_t>(patterns), "promoted pattern") + " to mind. ";
  summary += sentence(measured->risk) + " ";
  summary +=
      measured->dirty == 0 ? "Nothing is uncommitted." : counted(measured->dirty, "file") + " uncommitted.";
  if (line.prot < 100)
    summary +=
        " Not protected: " + shortened(core::path_in_sentence(measured->protection.uncovered[0]), 60) + ".";
  return answer(line, in.compact, summary);
}

Result<mcp::Text> context(App& app, const SnapInput& in, const std::stop_token& stop) {
  Result<core::Substrate*> opened = app.substrate();
  if (!opened) return std::move(opened).error();
  Result<std::vector<std::string>> files = task_paths(in.files);
  if (!files) return std::move(files).error();
  const std::vector<core::Task> all = core::TaskStore((*opened)->root().folder()).open_tasks();
  core::Task task = all.empty() ? core::Task() : all.front();
  if (in.task) task.title += " " + *in.task;
  task.files.insert(task.files.end(), files->begin(), files->end());
  if (in.keywords) task.keywords.insert(task.keywords.end(), in.keywords->begin(), in.keywords->end());
  Result<Measured> measured = measure(app, task, stop);
  if (!measured) return std::move(measured).error();

  const lines::ContextLine line{.risk = shown(measured->risk.level),
                                .prot = measured->protection.percent(),
                                .dirty = measured->dirty,
                                .learn = shown(measured->memory)};
  std::string summary = "Current context: ";
  if (all.empty())
    summary += "no open task. ";
  else
    summary += "task " + all.front().id + " (" + shortened(all.front().title, 60) + ")" +
               (all.size() > 1 ? ", and " + std::to_string(all.size() - 1) + " more open. " : ". ");
  summary += sentence(measured->risk) + " " + counted(measured->dirty, "file") + " uncommitted, " +
             std::to_string(line.prot) + "% protected.";
  return answer(line, in.compact, summary);
}

// What a check looks at: the files that were named; else what changed since the newest open task began; else
// what is uncommitted.
Result<std::vector<std::string>> checked_files(core::Substrate& substrate, const SnapInput& in,
                                               const std::stop_token& stop) {
  if (in.files && !in.files->empty()) return task_paths(in.files);
  const std::vector<core::Task> all = core::TaskStore(substrate.root().folder()).open_tasks();
  if (all.empty()) return core::dirty_files(substrate, stop);
  Result<std::shared_ptr<const core::Snapshot>> snapshot =
      substrate.snapshots().load(all.front().snapshot_id);
  // Swept away meanwhile.
  if (!snapshot) return core::dirty_files(substrate, stop);
  core::ChangesQuery query;
  query.changes_max = checked_files_max;
  auto read = [&](core::LiveView& view) { return core::changes_since(substrate, **snapshot, view, query); };
  auto answer = core::read_worktree(substrate, std::nullopt, stop, read);
  if (!answer) return std::move(answer).error();
  std::vector<std::string> paths;
  for (core::FileChange& change : answer->value.changes)
    if (change.status != core::ChangeStatus::deleted) paths.push_back(std::move(change.path));
  return paths;
}

struct Found {
  std::string path;
  core::PatternFinding finding;
};

Result<mcp::Text> check(App& app, const SnapInput& in, const std::stop_token& stop) {
  Result<core::Substrate*> opened = app.substrate();
  if (!opened) return std::move(opened).error();
  core::Substrate& substrate = **opened;
  Result<core::Memory*> memory = app.memory();
  if (!memory) return std::move(memory).error();
  Result<std::vector<core::ViolationCount>> patterns = (*memory)->patterns();
  if (!patterns) return std::move(patterns).error();
  std::vector<std::string> types;
  for (const core::ViolationCount& each : *patterns) types.push_back(each.type);
  Result<std::vector<std::string>> paths = checked_files(substrate, in, stop);
  if (!paths) return std::move(paths).error();

  std::vector<Found> all;
  std::int64_t looked_at = 0;
  for (const std::string& path : *paths) {
    if (stop.stop_requested()) return Error(ErrorCode::cancelled, "The call was cancelled.");
    Result<core::Opened> file = substrate.root().open_file(path);
    if (!file || file->stat.size > checked_bytes_max) continue;
    std::string text;
    Result<Unit> read = core::read_steadily(*file, text);
    if (!read) continue;
    ++looked_at;
    if (all.size() >= findings_max) continue;
    for (core::PatternFinding& each : core::detect(path, text, types, findings_max - all.size()))
      all.push_back({.path = path, .finding = std::move(each)});
  }
  // What is to be looked for by a program counts as an error.
  auto is_error = [&](const Found& one) {
    if (one.finding.type == "merge_conflict") return true;
    return std::any_of(patterns->begin(), patterns->end(), [&](const core::ViolationCount& each) {
      return each.type == one.finding.type && each.count >= core::automated_from;
    });
  };
  std::stable_partition(all.begin(), all.end(), is_error);
  lines::CheckLine line;
  line.err = std::count_if(all.begin(), all.end(), is_error);
  line.warn = static_cast<std::int64_t>(all.size()) - line.err;
  line.status = line.err > 0 ? lines::Mark::fail : lines::Mark::pass;
  line.lint = line.err > 0 ? lines::Mark::fail : lines::Mark::pass;
  line.ts = line.tests = lines::Mark::skipped;
  std::string issues;
  for (std::size_t i = 0; i < std::min(all.size(), shown_findings); ++i)
    issues += (i == 0 ? "" : "; ") + core::path_in_sentence(all[i].path) + ":" +
              std::to_string(all[i].finding.line) + " " + all[i].finding.type;
  line.issues = shortened(issues, issues_bytes_max);
  std::string summary = line.err > 0 ? "Check failed. " : "Check passed. ";
  summary += counted(looked_at, "file") + " looked at, no program was run. ";
  if (!all.empty())
    summary +=
        counted(line.err, "error") + " and " + counted(line.warn, "warning") + ": " + line.issues + ".";
  return answer(line, in.compact, summary);
}

Result<mcp::Text> run(App& app, const SnapInput& in, const std::stop_token& stop) {
  Result<mcp::Text> outcome = in.mode == SnapInputMode::start   ? start(app, in, stop)
                              : in.mode == SnapInputMode::check ? check(app, in, stop)
                                                                : context(app, in, stop);
  if (outcome) return outcome;
  return as_failure(std::move(outcome).error(), std::nullopt, in.compact);
}

}  // namespace

Task<mcp::Text> snap(App& app, mcp::Call& call, const SnapInput& in) {
  auto job = [&] { return run(app, in, call.stop()); };
  Result<mcp::Text> outcome = co_await call.offload(job);
  co_return outcome;
}

}  // namespace snapgen::tools
