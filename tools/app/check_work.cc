#include "tools/app/check_work.h"

#include <utility>

#include "schemas/lines.h"
#include "tools/app/allowed_checks.h"
#include "tools/app/report_cache.h"
#include "tools/app/run_checks.h"
#include "tools/app/work_notes.h"
#include "tools/app/written_files.h"
#include "tools/engine/base/utc.h"
#include "tools/engine/workspace/workspace_parts.h"
#include "tools/work/static_checks/analyse.h"
#include "tools/work/static_checks/static_checks.h"
#include "tools/work/task/workspace_services.h"

namespace snapgen::tools {
namespace {

using CheckMode = CheckInputMode;

// Returns which programs a mode runs; nullopt if it runs none.
std::optional<core::CheckRun> programs_of(CheckMode mode) {
  switch (mode) {
    case CheckMode::full:
    case CheckMode::all: return core::CheckRun::full;
    case CheckMode::build: return core::CheckRun::build;
    case CheckMode::test: return core::CheckRun::test;
    case CheckMode::quick:
    case CheckMode::patterns:
    case CheckMode::impact:
    case CheckMode::circular:
    case CheckMode::docs: break;
  }
  return std::nullopt;
}

core::SelectedStaticChecks parts_of(CheckMode mode) {
  using Impact = core::SelectedStaticChecks::Impact;
  const bool all = mode == CheckMode::all;
  core::SelectedStaticChecks parts;
  parts.files.conflicts = parts.files.syntax = all || mode == CheckMode::quick;
  parts.files.patterns = parts.files.conflicts || mode == CheckMode::patterns;
  parts.cycles = all || mode == CheckMode::circular;
  parts.documents = all || mode == CheckMode::docs;
  if (all) parts.impact = Impact::brief;
  if (mode == CheckMode::impact) parts.impact = Impact::whole;
  return parts;
}

std::string_view title_of(CheckMode mode) {
  switch (mode) {
    case CheckMode::quick: return "Check";
    case CheckMode::patterns: return "Pattern check";
    case CheckMode::full: return "Full check";
    case CheckMode::build: return "Build check";
    case CheckMode::test: return "Test check";
    case CheckMode::impact: return "Impact check";
    case CheckMode::circular: return "Import cycle check";
    case CheckMode::docs: return "Document check";
    case CheckMode::all: break;
  }
  return "Check of everything";
}

Error with_code(Error error, lines::Failure code) {
  if (error.code == ErrorCode::not_found) error.family_code = lines::text(code);
  return error;
}

struct PreparedCheck {
  bool has_consent = false;  // Programs that the settings do not name may run.
  bool was_noticed = false;  // An earlier answer said what this call runs.
  core::CheckScope scope;
  core::CheckReport report;              // The results of the static checks.
  core::Workspace* workspace = nullptr;  // The App owns the workspace.
  AllowedChecks programs;
  bool gives_notice = false;  // The answer says what the next call runs.
  WrittenFiles written;
};

// Plans the programs that the request selects and that may run.
Result<Unit> plan_programs(PreparedCheck& prepared, const CheckRequest& request,
                           const std::stop_token& stop) {
  if (!request.programs) return Unit{};
  prepared.programs = TRY(plan_allowed_checks(
      *prepared.workspace, *request.programs,
      prepared.scope.is_named ? prepared.scope.paths : std::vector<std::string>(), prepared.has_consent));
  if (!prepared.programs.plan.commands.empty())
    prepared.written = TRY(WrittenFiles::begin(*prepared.workspace, stop));
  return Unit{};
}

Result<Unit> check_names(const core::WorkspaceServices& services, const core::CheckScope& scope,
                         const CheckRequest& request, const std::stop_token& stop) {
  Result<Unit> named = core::check_named_files_exist(services.workspace, scope, stop);
  if (!named) return with_code(std::move(named).error(), lines::Failure::validation_failed);
  if (!request.files_must_exist || !scope.is_named) return Unit{};
  for (const std::string& path : scope.paths) TRY(root_of(services.workspace).lstat(path));
  return Unit{};
}

// `came_ms` is when the call came, by core::steady_ms().
Result<PreparedCheck> prepare_check(App& app, const CheckRequest& request, double came_ms,
                                    const std::stop_token& stop) {
  core::WorkspaceServices services = TRY(app.services());
  PreparedCheck prepared;
  prepared.workspace = &services.workspace;
  prepared.has_consent = has_consent(app, services.workspace);
  // The answer of another call that was in progress is no question that this one replies to.
  prepared.was_noticed = was_noticed(app, services.workspace, came_ms);
  Result<core::CheckScope> scope =
      core::check_scope_of(services.workspace, request.task_id, request.files, stop);
  if (!scope && request.task_id) return with_code(std::move(scope).error(), lines::Failure::no_task);
  if (!scope) return std::move(scope).error();
  prepared.scope = *std::move(scope);
  TRY(check_names(services, prepared.scope, request, stop));
  prepared.report = TRY(core::static_report(services, request.static_parts, prepared.scope, stop));
  TRY(plan_programs(prepared, request, stop));
  return prepared;
}

// Adds a note about files that changed while the programs ran.
Result<Unit> note_written_files(PreparedCheck& prepared, const std::stop_token& stop) {
  if (prepared.programs.plan.commands.empty()) return Unit{};
  std::string sentence = TRY(prepared.written.sentence(*prepared.workspace, stop));
  // It is the first note, because a short answer leaves out the last ones.
  if (!sentence.empty()) prepared.report.notes.insert(prepared.report.notes.begin(), std::move(sentence));
  return Unit{};
}

// Adds what earlier tasks recorded, notes the result in the log, and sorts the report. Blocks.
CheckedWork finish_check(App& app, const CheckRequest& request, PreparedCheck prepared) {
  if (Result<core::LearningStore*> memory = app.learning_store())
    core::add_preventions(**memory, prepared.report, core::RecordedBy::code);
  note_check(app, prepared.report, request.mode, request.task_id);
  if (prepared.gives_notice) remember_notice(app, *prepared.workspace);
  return store_checked_work(app, std::move(prepared.report), std::string(request.title),
                            prepared.scope.paths);
}

// Asks whether the withheld programs may run, and plans them or adds the reasons why they do not run.
Task<Unit> resolve_withheld(mcp::Call& call, const CheckRequest& request, PreparedCheck& prepared) {
  Task<ConsentAnswer> asking = ask_for_consent(call, *prepared.workspace, prepared.programs);
  Result<ConsentAnswer> consent = co_await std::move(asking);
  const ConsentAnswer answer = co_await consent;
  const bool lacks_consent = !prepared.programs.withheld.unconsented.empty();
  const bool repeats = answer == ConsentAnswer::cannot_ask && lacks_consent && prepared.was_noticed;
  if (answer == ConsentAnswer::agreed || repeats) {
    auto again = [&] {
      if (repeats) remember_consent(*prepared.workspace);
      prepared.has_consent = true;
      return plan_programs(prepared, request, call.stop());
    };
    Result<Unit> planned = co_await call.offload(again);
    if (!planned) co_return std::move(planned).error();
  }
  const core::WithheldCommands& withheld = prepared.programs.withheld;
  prepared.gives_notice = answer == ConsentAnswer::cannot_ask && !withheld.unconsented.empty();
  for (core::SkippedCheck& each : core::reasons_of(withheld, answer == ConsentAnswer::declined))
    prepared.programs.plan.skipped.push_back(std::move(each));
  co_return Unit{};
}

Result<CheckedWork> continued_work(App& app, const CheckRequest& request) {
  ReportCache::Position position = TRY(app.report_cache->at(*request.cursor));
  const std::string& title = position.cached->title;
  return CheckedWork{.report = position.cached->report,
                     .title = title.empty() ? std::string(request.title) : title,
                     .id = std::move(position.id),
                     .first = position.first};
}

}  // namespace

CheckRequest to_check_request(const CheckInput& in) {
  return {.mode = text(in.mode),
          .title = title_of(in.mode),
          .static_parts = parts_of(in.mode),
          .programs = programs_of(in.mode),
          .task_id = in.task_id,
          .files = in.files,
          .cursor = in.cursor};
}

CheckedWork store_checked_work(App& app, core::CheckReport report, std::string title,
                               const std::vector<std::string>& paths) {
  report.sort(paths);
  CheckedWork work{.report = std::move(report), .title = std::move(title), .id = {}, .first = 0};
  // A report without findings is not stored, because a cursor is only for further findings.
  if (!work.report.findings.empty())
    work.id = app.report_cache->add({.report = work.report, .title = work.title});
  return work;
}

Task<CheckedWork> check_work(App& app, mcp::Call& call, const CheckRequest& request) {
  if (request.cursor) co_return continued_work(app, request);
  const double came_ms = core::steady_ms();
  auto job = [&] { return prepare_check(app, request, came_ms, call.stop()); };
  Result<PreparedCheck> outcome = co_await call.offload(job);
  PreparedCheck prepared = co_await outcome;
  if (!prepared.programs.withheld.empty()) {
    Task<Unit> resolving = resolve_withheld(call, request, prepared);
    Result<Unit> resolved = co_await std::move(resolving);
    if (!resolved) co_return std::move(resolved).error();
  }
  if (request.programs) {
    const core::EarlierFindings earlier(*prepared.workspace, prepared.scope.task_began_ms);
    Task<core::CheckReport> running = run_checks(call, prepared.programs.plan, earlier);
    Result<core::CheckReport> ran = co_await std::move(running);
    core::CheckReport report = co_await ran;
    auto marking = [&]() -> Result<Unit> {
      const core::WorkspaceServices services = TRY(app.services());
      return core::mark_errors_elsewhere(services, prepared.scope, report, call.stop());
    };
    Result<Unit> marked = co_await call.offload(marking);
    if (!marked) co_return std::move(marked).error();
    prepared.report.add(std::move(report));
  }
  auto finishing = [&]() -> Result<CheckedWork> {
    TRY(note_written_files(prepared, call.stop()));
    return finish_check(app, request, std::move(prepared));
  };
  Result<CheckedWork> finished = co_await call.offload(finishing);
  co_return finished;
}

Result<CheckedWork> check_statically(App& app, const CheckRequest& request, const std::stop_token& stop) {
  PreparedCheck prepared = TRY(prepare_check(app, request, core::steady_ms(), stop));
  return finish_check(app, request, std::move(prepared));
}

}  // namespace snapgen::tools
