#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Validators.hpp>

#include "runtime/base/visible.h"
#include "runtime/linefmt/line.h"
#include "schemas/tool_names.h"
#include "schemas/wire/check.h"
#include "tools/app/check_answer.h"
#include "tools/app/check_work.h"
#include "tools/cli/caller.h"
#include "tools/cli/commands.h"
#include "tools/cli/path_words.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/files/path.h"

namespace snapgen::tools {
namespace {

struct CheckOptions {
  std::string mode = "quick";
  std::string task_id;
  std::vector<std::string> files;
};

std::string marked(const Terminal& out, const char* what, lines::Mark mark) {
  const Colour colour = mark == lines::Mark::pass   ? Colour::green
                        : mark == lines::Mark::fail ? Colour::red
                                                    : Colour::dim;
  const std::string word = mark == lines::Mark::pass   ? "passed"
                           : mark == lines::Mark::fail ? "failed"
                                                       : "skipped";
  return std::string(what) + " " + out.paint(colour, word);
}

// Returns a finding as path:line:column: error: message, a format that editors recognize.
std::string finding_text(const core::CheckFinding& finding, const Terminal& out) {
  std::string text;
  if (!finding.path.empty()) {
    text = printable(displayed_path(core::text_of_path(finding.path)));
    if (finding.line > 0) text += ":" + std::to_string(finding.line);
    if (finding.column > 0) text += ":" + std::to_string(finding.column);
    text = out.paint(Colour::bold, text) + ": ";
  }
  text += finding.is_error       ? out.paint(Colour::red, "error")
          : finding.distance > 0 ? out.paint(Colour::dim, "note")
                                 : out.paint(Colour::yellow, "warning");
  text += ": ";
  if (!finding.code.empty()) text += printable(finding.code) + (finding.message.empty() ? "" : " ");
  return text + printable(finding.message) + "\n";
}

std::string report_text(const core::CheckReport& report, const lines::CheckLine& line, const Terminal& out) {
  std::string text;
  for (const core::CheckFinding& each : report.findings) text += finding_text(each, out);
  for (const std::string& each : report.notes) text += printable(each) + "\n";
  if (report.unstored_findings > 0)
    text += std::to_string(report.unstored_findings) + " more are counted but not listed.\n";
  if (!report.checked.empty())
    text += out.paint(Colour::dim, "checked: " + printable(report.checked_tools_text())) + "\n";
  for (const core::SkippedCheck& each : report.skipped)
    text += out.paint(Colour::dim, "skipped: " + printable(each.reason)) + "\n";
  return text + marked(out, "check", line.status) + ": " + core::count_with_noun(line.err, "error") + ", " +
         core::count_with_noun(line.warn, "warning") + " (" + marked(out, "types", line.ts) + ", " +
         marked(out, "lint", line.lint) + ", " + marked(out, "tests", line.tests) + ")\n";
}

// Adds a member "report", with all findings, to the fields of the line.
std::string with_report(const std::string& json, const core::CheckReport& report) {
  return json.substr(0, json.size() - 1) + ",\"report\":" + check_report_json(report) + "}";
}

std::optional<CheckInputMode> mode_named(std::string_view name) {
  using Mode = CheckInputMode;
  for (const Mode each : {Mode::quick, Mode::patterns, Mode::full, Mode::build, Mode::test, Mode::impact,
                          Mode::circular, Mode::docs, Mode::all})
    if (text(each) == name) return each;
  return std::nullopt;
}

Result<int> check(const Invocation& invocation, const CheckOptions& options) {
  const std::optional<CheckInputMode> mode = mode_named(options.mode);
  if (!mode) return Error(ErrorCode::invalid_argument, "There is no mode " + printable(options.mode) + ".");
  std::unique_ptr<ToolCaller> caller = TRY(ToolCaller::open(invocation));
  TRY(check_is_utf8(options.task_id));
  CheckInput input{.mode = *mode};
  if (!options.task_id.empty()) input.task_id = options.task_id;
  caller->set_argument_names({{"files", "FILE"}, {"mode", "MODE"}, {"taskId", "--task"}});
  TRY(caller->resolve_paths(options.files, input.files));
  const CheckRequest request = to_check_request(input);
  auto work = [&](App& app, mcp::Call& call) { return check_work(app, call, request); };
  CheckedWork checked = TRY(caller->run<CheckedWork>(tool_names::check, work));
  const FindingSelection list{.limit = {}, .has_cursors = false};
  const CheckAnswer made = format_check_answer(checked, list, linefmt::Mode::labeled);
  lines::CheckLine line = made.line;
  // A line has its issues in a form that loses some characters. The JSON is the same as that of a client that
  // decodes the line.
  line.issues = linefmt::arrows_to_spaces(linefmt::spaces_to_arrows(line.issues));
  const std::string json = json_of_line(line, visible(made.summary));
  return print_answer(invocation, with_report(json, checked.report),
                      report_text(checked.report, line, invocation.out),
                      line.status == lines::Mark::fail ? exit_failed_or_found : exit_done);
}

}  // namespace

void add_check_command(CLI::App& program, Invocation& invocation) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App& command = add_command(
      program, invocation,
      {.name = "check",
       .description =
           "Check the work. quick finds syntax errors, conflict markers and known violations; patterns "
           "finds only known violations; impact, circular and docs examine what a change affects. These "
           "run no program of the workspace. build, test and full run its compilers, linters and tests; all "
           "does everything.",
       .examples = {{"snap check", "run no program of the repository"},
                    {"snap check full", "compilers, linters and tests"},
                    {"snap check impact src/auth.ts", "what depends on a file"},
                    {"snap check test --json | jq .report.findings", ""}},
       .exit_codes = "0 passed or nothing to check; 1 failed; 2 usage error; 130 cancelled."},
      [options](const Invocation& parsed) { return check(parsed, *options); });
  command
      .add_option("MODE", options->mode, "quick, patterns, impact, circular, docs, build, test, full or all.")
      ->check(
          CLI::IsMember({"quick", "patterns", "impact", "circular", "docs", "build", "test", "full", "all"}))
      ->capture_default_str();
  command.add_option("FILE", options->files, "Files to check. Default: the changed files.");
  command
      .add_option("--task", options->task_id,
                  "The id of the task whose work is checked. Default: the only open task.")
      ->type_name("ID");
}

}  // namespace snapgen::tools
