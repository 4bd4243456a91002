#include "schemas/wire/check.h"

#include "tools/app/allowed_checks.h"
#include "tools/app/run_checks.h"
#include "tools/app/work_notes.h"
#include "tools/engine/workspace/workspace.h"
#include "tools/wire/check_answer.h"
#include "tools/wire/common.h"
#include "tools/work/static_checks/analyse.h"
#include "tools/work/static_checks/preventions.h"
#include "tools/work/static_checks/static_checks.h"
#include "tools/work/task/workspace_services.h"

namespace snapgen::tools {
namespace {

using Mode = CheckInputMode;

// The programs that a mode runs; nullopt: it runs none, whatever the workspace has.
std::optional<core::CheckRun> programs_of(Mode mode) {
  switch (mode) {
    case Mode::full:
    case Mode::all: return core::CheckRun::full;
    case Mode::build: return core::CheckRun::build;
    case Mode::test: return core::CheckRun::test;
    case Mode::quick:
    case Mode::patterns:
    case Mode::impact:
    case Mode::circular:
    case Mode::docs: break;
  }
  return std::nullopt;
}

std::string title_of(Mode mode) {
  switch (mode) {
    case Mode::quick: return "Check";
    case Mode::patterns: return "Pattern check";
    case Mode::full: return "Full check";
    case Mode::build: return "Build check";
    case Mode::test: return "Test check";
    case Mode::impact: return "Impact check";
    case Mode::circular: return "Import check";
    case Mode::docs: return "Document check";
    case Mode::all: break;
  }
  return "Check of everything";
}

// The static checks of a mode.
Result<core::CheckReport> static_checks(const core::WorkspaceServices& services, Mode mode,
                                        const core::CheckScope& scope, const std::stop_token& stop) {
  const bool all = mode == Mode::all;
  if (mode == Mode::impact) return core::impact_report(services, scope, false, stop);
  if (mode == Mode::circular) return core::cycle_report(services, scope, stop);
  if (mode == Mode::docs) return core::document_report(services, scope, stop);
  core::CheckReport report;
  if (mode == Mode::quick || mode == Mode::patterns || all) {
    const core::Conflicts conflicts =
        mode == Mode::patterns ? core::Conflicts::left_out : core::Conflicts::too;
    core::CheckReport found = TRY(core::pattern_report(services, scope.paths, conflicts, stop));
    if (all) found.notes.clear();  // The programs check more.
    report.add(std::move(found));
  }
  if (all) {
    core::CheckReport cycles = TRY(core::cycle_report(services, scope, stop));
    report.add(std::move(cycles));
    core::CheckReport documents = TRY(core::document_report(services, scope, stop));
    report.add(std::move(documents));
    core::CheckReport impact = TRY(core::impact_report(services, scope, true, stop));
    report.add(std::move(impact));
  }
  return report;
}

struct PreparedCheck {
  core::CheckScope scope;
  core::CheckReport looked;
  core::Workspace* workspace = nullptr;  // Owned by the App.
  AllowedChecks checks;
};

// Plans the programs of the mode that may run.
Result<Unit> plan_check_programs(PreparedCheck& prepared, const CheckInput& in) {
  const std::optional<core::CheckRun> programs = programs_of(in.mode);
  if (!programs) return Unit{};
  Result<AllowedChecks> checks =
      plan_allowed_checks(*prepared.workspace, *programs,
                          prepared.scope.is_named ? prepared.scope.paths : std::vector<std::string>());
  if (!checks) return as_failure(std::move(checks).error(), std::nullopt, in.compact);
  prepared.checks = *std::move(checks);
  return Unit{};
}

Result<PreparedCheck> prepare_check(App& app, const CheckInput& in, const std::stop_token& stop) {
  Result<core::WorkspaceServices> services = app.services();
  if (!services) return as_failure(std::move(services).error(), std::nullopt, in.compact);
  PreparedCheck prepared;
  prepared.workspace = &services->workspace;
  Result<core::CheckScope> scope = core::scope_of(services->workspace, in.task_id, in.files, stop);
  if (!scope) {
    const bool no_task = scope.error().code == ErrorCode::not_found && in.task_id;
    return as_failure(std::move(scope).error(),
                      no_task ? std::optional(lines::Failure::no_task) : std::nullopt, in.compact);
  }
  prepared.scope = *std::move(scope);
  Result<Unit> named = core::check_named(services->workspace, prepared.scope, stop);
  if (!named) return named_wrong(std::move(named).error(), in.compact);
  Result<core::CheckReport> looked = static_checks(*services, in.mode, prepared.scope, stop);
  if (!looked) return as_failure(std::move(looked).error(), std::nullopt, in.compact);
  prepared.looked = *std::move(looked);
  TRY(plan_check_programs(prepared, in));
  return prepared;
}

}  // namespace

Task<mcp::Text> check(App& app, mcp::Call& call, const CheckInput& in) {
  auto job = [&] { return prepare_check(app, in, call.stop()); };
  Result<PreparedCheck> outcome = co_await call.offload(job);
  PreparedCheck prepared = co_await outcome;
  if (!prepared.checks.withheld.untrusted.empty()) {
    Task<bool> asking = ask_for_trust(call, *prepared.workspace, prepared.checks);
    Result<bool> asked = co_await std::move(asking);
    if (!asked) co_return as_failure(std::move(asked).error(), std::nullopt, in.compact);
    auto again = [&] { return *asked ? plan_check_programs(prepared, in) : Result<Unit>(Unit{}); };
    Result<Unit> planned = co_await call.offload(again);
    if (!planned) co_return std::move(planned).error();
  }
  if (programs_of(in.mode)) {
    Task<core::CheckReport> running = run_checks(call, prepared.checks.plan);
    Result<core::CheckReport> ran = co_await std::move(running);
    core::CheckReport report = co_await ran;
    prepared.looked.add(std::move(report));
  }
  auto note = [&] {
    if (Result<core::Memory*> memory = app.memory())
      core::add_preventions(**memory, prepared.looked, core::RecordedBy::code);
    note_check(app, prepared.looked, text(in.mode), in.task_id);
    remember_named(*prepared.workspace, prepared.checks);
    return Result<Unit>(Unit{});
  };
  Result<Unit> noted = co_await call.offload(note);
  static_cast<void>(noted);
  // The answer has only the first findings; the log message has all of them.
  call.log(mcp::LogLevel::debug, "check", check_log(prepared.looked, prepared.scope.paths));
  co_return check_answer(std::move(prepared.looked), title_of(in.mode), prepared.scope.paths, in.compact);
}

}  // namespace snapgen::tools
