#include "schemas/facade/snapback_validate.h"

#include <algorithm>

#include "tools/app/allowed_checks.h"
#include "tools/app/run_checks.h"
#include "tools/engine/files/path.h"
#include "tools/engine/workspace/workspace.h"
#include "tools/facade/common.h"
#include "tools/work/static_checks/analyse.h"
#include "tools/work/static_checks/preventions.h"
#include "tools/work/static_checks/static_checks.h"
#include "tools/work/task/workspace_services.h"

namespace snapgen::tools {
namespace {

constexpr std::size_t listed_findings_max = 100;

struct PreparedValidation {
  core::CheckScope scope;
  core::CheckReport looked;
  core::Workspace* workspace = nullptr;  // Owned by the App.
  AllowedChecks checks;
};

// Plans the programs that build the named file, or everything, and may run.
Result<Unit> plan_validation_programs(PreparedValidation& prepared, const SnapbackValidateInput& in) {
  prepared.checks =
      TRY(plan_allowed_checks(*prepared.workspace, core::CheckRun::build,
                              in.file_path ? prepared.scope.paths : std::vector<std::string>()));
  return Unit{};
}

// Adds the reports on impact, import cycles and documents.
Result<Unit> look_around(const core::WorkspaceServices& services, PreparedValidation& prepared,
                         const std::stop_token& stop) {
  core::CheckReport cycles = TRY(core::cycle_report(services, prepared.scope, stop));
  prepared.looked.add(std::move(cycles));
  core::CheckReport documents = TRY(core::document_report(services, prepared.scope, stop));
  prepared.looked.add(std::move(documents));
  core::CheckReport impact = TRY(core::impact_report(services, prepared.scope, true, stop));
  prepared.looked.add(std::move(impact));
  return Unit{};
}

Result<PreparedValidation> prepare_validation(App& app, const SnapbackValidateInput& in,
                                              const std::stop_token& stop) {
  core::WorkspaceServices services = TRY(app.services());
  std::optional<std::vector<std::string>> named;
  if (in.file_path) named = std::vector<std::string>{*in.file_path};
  core::CheckScope scope = TRY(core::scope_of(services.workspace, std::nullopt, named, stop));
  PreparedValidation prepared{
      .scope = std::move(scope), .looked = {}, .workspace = &services.workspace, .checks = {}};
  if (in.file_path && !in.code) {
    TRY(core::check_named(services.workspace, prepared.scope, stop));
    TRY(services.workspace.root().look(prepared.scope.paths.front()));
  }
  core::CheckReport patterns =
      TRY(in.code ? core::pattern_report_in(services, prepared.scope.paths.front(), *in.code)
                  : core::pattern_report(services, prepared.scope.paths, core::Conflicts::too, stop));
  const bool is_quick = in.mode == SnapbackValidateInputMode::quick;
  if (!is_quick) patterns.notes.clear();  // The programs check more.
  prepared.looked = std::move(patterns);
  if (is_quick) return prepared;
  TRY(look_around(services, prepared, stop));
  if (in.code) {
    prepared.looked.notes.emplace_back("No program was run because the code is not in the file.");
    return prepared;
  }
  TRY(plan_validation_programs(prepared, in));
  return prepared;
}

Result<mcp::Summarized<SnapbackValidateOutput>> validation_answer(App& app, const SnapbackValidateInput& in,
                                                                  core::CheckReport report,
                                                                  const core::CheckScope& scope,
                                                                  const std::stop_token& stop) {
  core::WorkspaceServices services = TRY(app.services());
  report.sort(scope.paths);
  core::add_preventions(services.memory, report, core::RecordedBy::code);
  // Code that is not in a file does not count as a check of the work.
  if (!in.code)
    note_check(app, report, in.mode == SnapbackValidateInputMode::quick ? "quick" : "comprehensive",
               std::nullopt);
  SnapbackValidateOutputData data;
  data.mode = static_cast<SnapbackValidateOutputDataMode>(in.mode);
  data.errors = report.errors;
  data.warnings = report.warnings;
  data.passed = report.errors == 0;
  data.notes = report.notes;
  for (const core::SkippedCheck& each : report.skipped) data.notes.push_back(each.reason);
  if (!report.reminder.empty()) data.notes.push_back(report.reminder);
  for (const core::CheckFinding& each : report.findings) {
    if (data.findings.size() == listed_findings_max) break;
    CodeFinding shown;
    shown.code = each.code;
    if (each.line > 0) shown.line = each.line;
    shown.message = core::full_message(each);
    if (!each.path.empty()) shown.path = core::text_of_path(each.path);
    shown.severity = each.is_error ? CodeFindingSeverity::error : CodeFindingSeverity::warning;
    data.findings.push_back(std::move(shown));
  }
  Measured now = TRY(measured(services, {}, {}, stop));
  NextActions actions(app);
  if (!data.passed && now.task)
    actions.add("snapback.snapshot_restore",
                "{\"dry_run\":true,\"snapshot_id\":\"" + short_snapshot(now.task->snapshot_id) + "\"}", 0.3,
                "See what restoring the start of the session would change.");
  if (data.passed && in.mode == SnapbackValidateInputMode::quick)
    actions.add("snapback.validate", "{\"mode\":\"comprehensive\"}", 0.5, "Run all checks, with programs.");
  if (data.passed && in.mode == SnapbackValidateInputMode::comprehensive && now.task)
    actions.add("snapback.session", "{\"op\":\"stats\"}", 0.4, "See what was done in this session.");
  if (data.passed && now.work_status.protection.percent() < 100)
    actions.add("snapback.snapshot_create", "{\"reason\":\"a state that passed its checks\"}", 0.6,
                "Capture a state that passed.");
  std::string summary = (data.passed ? "Passed: " : "Failed: ") + counted(data.errors, "error") + ", " +
                        counted(data.warnings, "warning") + ".";
  if (!data.findings.empty()) {
    const CodeFinding& first = data.findings.front();
    summary += " First: " + first.path + (first.line ? ":" + std::to_string(*first.line) : "") + " " +
               shortened(first.code + (first.message.empty() ? "" : " " + first.message), 120) + ".";
  }
  return answer<SnapbackValidateOutput>(std::move(data), now.health, std::move(actions), std::move(summary));
}

}  // namespace

Task<mcp::Summarized<SnapbackValidateOutput>> snapback_validate(App& app, mcp::Call& call,
                                                                const SnapbackValidateInput& in) {
  auto job = [&] { return prepare_validation(app, in, call.stop()); };
  Result<PreparedValidation> outcome = co_await call.offload(job);
  PreparedValidation prepared = co_await outcome;
  if (!prepared.checks.withheld.untrusted.empty()) {
    Task<bool> asking = ask_for_trust(call, *prepared.workspace, prepared.checks);
    Result<bool> asked = co_await std::move(asking);
    const bool trusted = co_await asked;
    auto again = [&] { return trusted ? plan_validation_programs(prepared, in) : Result<Unit>(Unit{}); };
    Result<Unit> planned = co_await call.offload(again);
    if (!planned) co_return std::move(planned).error();
  }
  if (in.mode == SnapbackValidateInputMode::comprehensive && !in.code) {
    Task<core::CheckReport> running = run_checks(call, prepared.checks.plan);
    Result<core::CheckReport> ran = co_await std::move(running);
    core::CheckReport report = co_await ran;
    prepared.looked.add(std::move(report));
  }
  auto finishing = [&]() -> Result<mcp::Summarized<SnapbackValidateOutput>> {
    remember_named(*prepared.workspace, prepared.checks);
    return validation_answer(app, in, std::move(prepared.looked), prepared.scope, call.stop());
  };
  Result<mcp::Summarized<SnapbackValidateOutput>> answered = co_await call.offload(finishing);
  co_return answered;
}

}  // namespace snapgen::tools
