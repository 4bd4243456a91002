#include "tools/cli/check_command.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <CLI/Validators.hpp>

#include "schemas/wire/check.h"
#include "tools/cli/caller.h"
#include "tools/cli/path_words.h"
#include "tools/engine/base/phrase.h"

namespace snapgen::tools {
namespace {

struct CheckOptions {
  std::string mode = "quick";
  std::string task_id;
  std::vector<std::string> files;
};

struct ShownFinding {
  std::string code;
  std::string message;
  std::string path;
  std::int64_t line = 0;
  std::int64_t column = 0;
  bool is_error = true;
};

// The log message of the tool with all findings; its answer has only the first ones.
struct Details {
  std::string json;  // The logged JSON; empty if there is none.
  std::vector<ShownFinding> findings;
  std::vector<std::string> notes;
  std::vector<std::string> skipped;
};

ShownFinding read_finding(json::Reader& in) {
  ShownFinding out;
  std::string_view key;
  if (!in.begin_object()) return out;
  while (in.next_key(key)) {
    if (key == "code")
      in.string(out.code);
    else if (key == "message")
      in.string(out.message);
    else if (key == "path")
      in.string(out.path);
    else if (key == "line")
      in.integer(out.line);
    else if (key == "column")
      in.integer(out.column);
    else if (key == "error")
      in.boolean(out.is_error);
    else
      in.skip();
  }
  return out;
}

void read_texts(json::Reader& in, std::vector<std::string>& out) {
  if (in.begin_array())
    while (in.next_element()) in.string(out.emplace_back());
}

Details read_details(std::string_view logged) {
  Details out{.json = std::string(logged), .findings = {}, .notes = {}, .skipped = {}};
  json::Reader in(out.json);
  std::string_view key;
  if (!in.begin_object()) return out;
  while (in.next_key(key)) {
    if (key == "findings" && in.begin_array()) {
      while (in.next_element()) out.findings.push_back(read_finding(in));
    } else if (key == "notes") {
      read_texts(in, out.notes);
    } else if (key == "skipped") {
      read_texts(in, out.skipped);
    } else if (key != "findings") {
      in.skip();
    }
  }
  return out;
}

std::string marked(const Terminal& out, const char* what, lines::Mark mark) {
  const Colour colour = mark == lines::Mark::pass   ? Colour::green
                        : mark == lines::Mark::fail ? Colour::red
                                                    : Colour::dim;
  const std::string word = mark == lines::Mark::pass   ? "passed"
                           : mark == lines::Mark::fail ? "failed"
                                                       : "skipped";
  return std::string(what) + " " + out.paint(colour, word);
}

// path:line:column: error: message, a format that editors recognize.
std::string finding_text(const ShownFinding& finding, const Terminal& out) {
  std::string text;
  if (!finding.path.empty()) {
    text = printable(shown_path(finding.path));
    if (finding.line > 0) text += ":" + std::to_string(finding.line);
    if (finding.column > 0) text += ":" + std::to_string(finding.column);
    text = out.paint(Colour::bold, text) + ": ";
  }
  text += finding.is_error ? out.paint(Colour::red, "error") : out.paint(Colour::yellow, "warning");
  text += ": ";
  if (!finding.code.empty()) text += printable(finding.code) + (finding.message.empty() ? "" : " ");
  return text + printable(finding.message) + "\n";
}

std::string finding_text(const LineAnswer& answer, const Details& details, const Terminal& out) {
  const auto* line = std::get_if<lines::CheckLine>(&answer.line);
  std::string text;
  for (const ShownFinding& each : details.findings) text += finding_text(each, out);
  for (const std::string& each : details.notes) text += printable(each) + "\n";
  for (const std::string& each : details.skipped)
    text += out.paint(Colour::dim, "skipped: " + printable(each)) + "\n";
  if (!line) return text + printable(answer.summary) + "\n";
  if (details.json.empty()) text += printable(answer.summary) + "\n";
  return text + marked(out, "check", line->status) + ": " + core::counted(line->err, "error") + ", " +
         core::counted(line->warn, "warning") + " (" + marked(out, "types", line->ts) + ", " +
         marked(out, "lint", line->lint) + ", " + marked(out, "tests", line->tests) + ")\n";
}

// Adds "report" with all findings to the line's fields.
std::string with_report(const std::string& json, const Details& details) {
  if (details.json.empty()) return json;
  return json.substr(0, json.size() - 1) + ",\"report\":" + details.json + "}";
}

std::optional<CheckInputMode> mode_named(std::string_view name) {
  using Mode = CheckInputMode;
  for (const Mode each : {Mode::quick, Mode::patterns, Mode::full, Mode::build, Mode::test, Mode::impact,
                          Mode::circular, Mode::docs, Mode::all})
    if (text(each) == name) return each;
  return std::nullopt;
}

Result<int> check(const Chosen& chosen, const CheckOptions& options) {
  const std::optional<CheckInputMode> mode = mode_named(options.mode);
  if (!mode) return Error(ErrorCode::invalid_argument, "There is no mode " + printable(options.mode) + ".");
  std::unique_ptr<Caller> caller = TRY(Caller::open(chosen));
  CheckInput input{.mode = *mode};
  if (!options.task_id.empty()) input.task_id = options.task_id;
  caller->set_argument_names({{"files", "FILE"}, {"mode", "MODE"}, {"taskId", "--task"}});
  TRY(caller->paths(options.files, input.files));
  Details details;
  caller->set_log_listener([&](std::string_view logged) { details = read_details(logged); });
  LineAnswer made = TRY(caller->call_for_line("check", input));
  const auto* line = std::get_if<lines::CheckLine>(&made.line);
  const bool failed = line && line->status == lines::Mark::fail;
  return answer(chosen, with_report(made.json, details), finding_text(made, details, chosen.out),
                failed ? failed_or_found : done);
}

}  // namespace

void add_check(CLI::App& program, Chosen& chosen) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App& command = add_command(
      program, chosen,
      {.name = "check",
       .what = "Check the work. quick and patterns find conflict markers and known violations; impact, "
               "circular and docs examine what a change affects; none of these runs programs. build, test "
               "and full run the workspace's compilers, linters and tests; all does everything.",
       .examples = {{"snap check", "run no programs"},
                    {"snap check full", "compilers, linters and tests"},
                    {"snap check impact src/auth.ts", "what depends on a file"},
                    {"snap check test --json | jq .report.findings", ""}},
       .exit_codes = "0 passed or nothing to check; 1 failed; 2 usage error; 130 cancelled."},
      [options](const Chosen& said) { return check(said, *options); });
  command
      .add_option("MODE", options->mode, "quick, patterns, impact, circular, docs, build, test, full or all.")
      ->check(
          CLI::IsMember({"quick", "patterns", "impact", "circular", "docs", "build", "test", "full", "all"}))
      ->capture_default_str();
  command.add_option("FILE", options->files, "Files to check. Default: the changed files.");
  command
      .add_option("--task", options->task_id,
                  "The task whose work is checked. Default: the open task that began last.")
      ->type_name("ID");
}

}  // namespace snapgen::tools
