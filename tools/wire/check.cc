#include "schemas/wire/check.h"

#include "tools/core/check/plan.h"
#include "tools/settings.h"
#include "tools/wire/analyse.h"
#include "tools/wire/check_answer.h"
#include "tools/wire/common.h"
#include "tools/wire/look.h"
#include "tools/wire/run_checks.h"

namespace snapgen::tools {
namespace {

using Mode = CheckInputMode;

// What the programs of a mode are; none: it runs nothing, whatever the workspace holds.
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

// Everything that a mode looks at without running anything.
Result<core::CheckReport> look(App& app, Mode mode, const CheckScope& scope, const std::stop_token& stop) {
  const bool all = mode == Mode::all;
  if (mode == Mode::impact) return look_at_impact(app, scope, false, stop);
  if (mode == Mode::circular) return look_for_cycles(app, scope, stop);
  if (mode == Mode::docs) return look_at_documents(app, scope, stop);
  core::CheckReport report;
  if (mode == Mode::quick || mode == Mode::patterns || all) {
    const Conflicts conflicts = mode == Mode::patterns ? Conflicts::left_out : Conflicts::too;
    Result<core::CheckReport> found = look_for_patterns(app, scope.paths, conflicts, stop);
    if (!found) return found;
    if (all) found->notes.clear();  // Programs run as well.
    report.add(*std::move(found));
  }
  if (all) {
    Result<core::CheckReport> cycles = look_for_cycles(app, scope, stop);
    if (!cycles) return cycles;
    report.add(*std::move(cycles));
    Result<core::CheckReport> documents = look_at_documents(app, scope, stop);
    if (!documents) return documents;
    report.add(*std::move(documents));
    Result<core::CheckReport> impact = look_at_impact(app, scope, true, stop);
    if (!impact) return impact;
    report.add(*std::move(impact));
  }
  return report;
}

struct Prepared {
  CheckScope scope;
  core::CheckReport looked;
  core::CheckPlan plan;
};

Result<Prepared> prepare(App& app, const CheckInput& in, const std::stop_token& stop) {
  Result<core::Substrate*> opened = app.substrate();
  if (!opened) return as_failure(std::move(opened).error(), std::nullopt, in.compact);
  const std::string& root = (*opened)->root().folder();
  Prepared prepared;
  Result<CheckScope> scope = scope_of(**opened, in.task_id, in.files, stop);
  if (!scope) {
    const bool no_task = scope.error().code == ErrorCode::not_found && in.task_id;
    return as_failure(std::move(scope).error(),
                      no_task ? std::optional(lines::Failure::no_task) : std::nullopt, in.compact);
  }
  prepared.scope = *std::move(scope);
  Result<core::CheckReport> looked = look(app, in.mode, prepared.scope, stop);
  if (!looked) return as_failure(std::move(looked).error(), std::nullopt, in.compact);
  prepared.looked = *std::move(looked);
  const std::optional<core::CheckRun> programs = programs_of(in.mode);
  if (!programs) return prepared;
  Result<Settings> settings = read_settings(root);
  if (!settings) return as_failure(std::move(settings).error(), std::nullopt, in.compact);
  Result<core::CheckSettings> checks = checks_of(*settings);
  if (!checks) return as_failure(std::move(checks).error(), std::nullopt, in.compact);
  prepared.plan = core::plan_checks(
      root, *programs, *checks, prepared.scope.is_named ? prepared.scope.paths : std::vector<std::string>());
  return prepared;
}

}  // namespace

Task<mcp::Text> check(App& app, mcp::Call& call, const CheckInput& in) {
  auto job = [&] { return prepare(app, in, call.stop()); };
  Result<Prepared> outcome = co_await call.offload(job);
  Prepared prepared = co_await outcome;
  if (programs_of(in.mode)) {
    Task<core::CheckReport> running = run_checks(call, prepared.plan);
    Result<core::CheckReport> ran = co_await std::move(running);
    core::CheckReport report = co_await ran;
    prepared.looked.add(std::move(report));
  }
  co_return check_answer(std::move(prepared.looked), title_of(in.mode), prepared.scope.paths, in.compact);
}

}  // namespace snapgen::tools
