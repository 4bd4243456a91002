#include "schemas/facade/snapback_validate.h"

#include <algorithm>

#include "runtime/base/enum_cast.h"
#include "schemas/facade/snapback_session.h"
#include "schemas/facade/snapback_snapshot_create.h"
#include "schemas/tool_names.h"
#include "tools/app/check_work.h"
#include "tools/app/report_cache.h"
#include "tools/engine/files/path.h"
#include "tools/engine/workspace/workspace_parts.h"
#include "tools/facade/common.h"
#include "tools/work/static_checks/analyse.h"
#include "tools/work/static_checks/static_checks.h"
#include "tools/work/static_checks/static_report.h"
#include "tools/work/task/workspace_services.h"

namespace snapgen::tools {
namespace {

constexpr core::SelectedFileChecks all_file_parts = {.conflicts = true, .patterns = true, .syntax = true};

core::SelectedStaticChecks validation_parts(SnapbackValidateInputMode mode) {
  const bool is_quick = mode == SnapbackValidateInputMode::quick;
  return {.files = all_file_parts,
          .cycles = !is_quick,
          .documents = !is_quick,
          .impact = is_quick ? core::SelectedStaticChecks::Impact::none
                             : core::SelectedStaticChecks::Impact::brief};
}

CheckRequest validation_request(const SnapbackValidateInput& in) {
  CheckRequest request{.mode = text(in.mode), .title = {}, .static_parts = validation_parts(in.mode)};
  request.cursor = in.cursor;
  if (in.mode == SnapbackValidateInputMode::comprehensive) request.programs = core::CheckRun::build;
  if (in.file_path) request.files = std::vector<std::string>{*in.file_path};
  request.files_must_exist = true;
  return request;
}

// Checks code that was passed with the call; its file need not exist. All other checks read the files.
Result<CheckedWork> check_code(App& app, const SnapbackValidateInput& in, const std::stop_token& stop) {
  core::WorkspaceServices services = TRY(app.services());
  const std::vector<std::string> named = {*in.file_path};
  core::CheckScope scope = TRY(core::check_scope_of(services.workspace, std::nullopt, named, stop));
  scope.paths = TRY(core::paths_of_texts(named));  // The path itself, not the files in a folder of this name.
  core::CheckReport report =
      TRY(core::text_check_report(services, scope.paths.front(), *in.code, all_file_parts, stop));
  if (in.mode == SnapbackValidateInputMode::comprehensive) {
    report.skipped.push_back(
        {.subsystem = core::Subsystem::types,
         .reason = "programs, import cycles and documents, because the code is not in its file"});
    if (root_of(services.workspace).lstat(scope.paths.front())) {
      core::CheckReport impact = TRY(core::impact_report(services, scope, true, stop));
      report.add(std::move(impact));
    }
  }
  return store_checked_work(app, std::move(report), {}, scope.paths);
}

Task<CheckedWork> check_input(App& app, mcp::Call& call, const SnapbackValidateInput& in) {
  if (in.code && !in.cursor) {
    auto job = [&] { return check_code(app, in, call.stop()); };
    Result<CheckedWork> outcome = co_await call.offload(job);
    co_return outcome;
  }
  const CheckRequest request = validation_request(in);
  Task<CheckedWork> checking = check_work(app, call, request);
  Result<CheckedWork> outcome = co_await std::move(checking);
  co_return outcome;
}

// Returns the call for the same file in this mode.
SnapbackValidateInput in_mode(const SnapbackValidateInput& in, SnapbackValidateInputMode mode) {
  return {.mode = mode, .file_path = in.file_path};
}

// Returns the first reasons for skipped checks, each once.
std::string skipped_words(const std::vector<std::string>& reasons) {
  constexpr std::size_t named_max = 3;
  std::vector<std::string> named;
  for (const std::string& each : reasons)
    if (std::find(named.begin(), named.end(), each) == named.end()) named.push_back(each);
  std::string words;
  for (std::size_t i = 0; i < std::min(named.size(), named_max); ++i)
    words += (i == 0 ? "" : "; ") + shortened(named[i], 80);
  return named.size() > named_max ? words + "; " + std::to_string(named.size() - named_max) + " more" : words;
}

SnapbackValidateOutputData validation_data(const SnapbackValidateInput& in, const CheckedWork& work) {
  const core::CheckReport& report = work.report;
  SnapbackValidateOutputData data;
  data.mode = enum_cast<SnapbackValidateOutputDataMode>(in.mode);
  data.errors = report.error_count;
  data.warnings = report.warning_count;
  // Without an error, import cycles and documents alone do not show that the code is right. Neither do
  // brackets that match, nor a compiler of another language.
  data.passed = report.overall() == core::CheckMark::pass &&
                (in.mode == SnapbackValidateInputMode::quick ||
                 (report.has_checked_code && report.unchecked_files().empty()));
  data.notes = report.notes;
  if (!report.reminder.empty()) data.notes.push_back(report.reminder);
  for (const core::CheckedTool& each : report.checked) {
    SnapbackValidateOutputDataCheckedItem& part = data.checked.emplace_back();
    if (each.file_count > 0) part.files = each.file_count;
    part.tool = each.tool;
  }
  for (const core::SkippedCheck& each : report.skipped) data.skipped.push_back(each.reason);
  const std::size_t end = std::min(report.findings.size(), work.first + static_cast<std::size_t>(in.limit));
  data.left_out = work.left_out_after(end);
  if (end < report.findings.size()) data.next_cursor = cursor_at(work.id, end);
  for (std::size_t i = work.first; i < end; ++i) {
    const core::CheckFinding& each = report.findings[i];
    CodeFinding shown;
    shown.code = each.code;
    if (each.line > 0) shown.line = each.line;
    shown.message = core::full_message(each);
    if (!each.path.empty()) shown.path = core::text_of_path(each.path);
    shown.severity = each.is_error ? CodeFindingSeverity::error : CodeFindingSeverity::warning;
    data.findings.push_back(std::move(shown));
  }
  return data;
}

// Returns why the validation did not pass although it found no error.
std::string unchecked_words(const core::CheckReport& report) {
  const std::vector<std::string> files = report.unchecked_files();
  return "No error found, but no tool checked " + (files.empty() ? "the code" : core::some_of(files, 2)) +
         ": ";
}

Result<mcp::Summarized<SnapbackValidateOutput>> validation_answer(App& app, const SnapbackValidateInput& in,
                                                                  const CheckedWork& work,
                                                                  const std::stop_token& stop) {
  core::WorkspaceServices services = TRY(app.services());
  const core::CheckReport& report = work.report;
  SnapbackValidateOutputData data = validation_data(in, work);
  MeasuredWork now = TRY(measure_with_files(services, {}, {}, stop));
  NextActions actions(app);
  if (data.errors > 0 && !in.code)
    actions.add(in_mode(in, in.mode), 0.5, "See whether all is right now.", "after the errors are corrected");
  // Proposed only for files, because programs cannot check code that was passed with the call.
  if (data.passed && in.mode == SnapbackValidateInputMode::quick && !in.code) {
    const std::string check = callable_name(app, tool_names::check);
    actions.add(
        in_mode(in, SnapbackValidateInputMode::comprehensive), 0.5,
        "Run the compilers, too." +
            (check.empty() ? std::string() : " " + check + " with mode full also runs linters and tests."));
  }
  const bool is_partial = std::ranges::any_of(report.skipped, &core::SkippedCheck::runs_when_repeated);
  if (is_partial)
    actions.add(in_mode(in, in.mode), 0.8, "Consent, and run the programs that this answer names.");
  if (data.passed && !is_partial && in.mode == SnapbackValidateInputMode::comprehensive && now.task)
    actions.add(SnapbackSessionInput{.op = SessionOp::stats}, 0.4, "See what was done in this session.");
  // A check of one file, or of code that was passed, says nothing about the files that would be captured.
  if (data.passed && !is_partial && !in.file_path && !now.work_status.protection.uncovered.empty())
    actions.add(SnapbackSnapshotCreateInput{.reason = "after checks without an error"}, 0.6,
                "Capture a state without known errors.");
  std::string summary =
      count_with_noun(data.errors, "error") + ", " + count_with_noun(data.warnings, "warning") + ".";
  if (report.overall() == core::CheckMark::skipped)
    summary = "Nothing was checked.";
  else
    summary = (report.overall() == core::CheckMark::fail ? "Failed: "
               : !data.passed                            ? unchecked_words(report)
               : report.is_complete()                    ? "Passed: "
                                                         : "Passed as far as it ran: ") +
              summary;
  if (in.mode == SnapbackValidateInputMode::comprehensive && !in.code) {
    const std::string check = callable_name(app, tool_names::check);
    summary += " Linters and tests were not run" +
               (check.empty() ? "." : ": " + check + " with mode full runs them.");
  }
  if (!data.findings.empty()) {
    const CodeFinding& first = data.findings.front();
    summary +=
        " First: " + first.path + (first.line ? ":" + std::to_string(*first.line) : "") + " " +
        shortened(first.code + (first.message.empty() ? "" : " " + core::without_full_stop(first.message)),
                  120) +
        ".";
  }
  if (data.left_out > 0) summary += " " + std::to_string(data.left_out) + " more are not listed.";
  if (!data.skipped.empty()) summary += " Skipped: " + skipped_words(data.skipped) + ".";
  return answer<SnapbackValidateOutput>(std::move(data), now.health, std::move(actions), std::move(summary));
}

}  // namespace

Task<mcp::Summarized<SnapbackValidateOutput>> snapback_validate(App& app, mcp::Call& call,
                                                                const SnapbackValidateInput& in) {
  Task<CheckedWork> checking = check_input(app, call, in);
  Result<CheckedWork> outcome = co_await std::move(checking);
  const CheckedWork checked = co_await outcome;
  auto finishing = [&] { return validation_answer(app, in, checked, call.stop()); };
  Result<mcp::Summarized<SnapbackValidateOutput>> answered = co_await call.offload(finishing);
  co_return answered;
}

}  // namespace snapgen::tools
