#include "tools/insight/check/run/plan.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <iterator>
#include <thread>
#include <utility>

#include "runtime/base/ascii.h"
#include "runtime/base/environment.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/files/path.h"
#include "tools/insight/check/detect/detect.h"
#include "tools/insight/check/programs.h"
#include "tools/insight/check/read/collect.h"
#include "tools/insight/check/read/parse.h"

namespace snapgen::core {
namespace {

bool runs_in(CheckRun run, Subsystem subsystem) {
  switch (run) {
    case CheckRun::full: return true;
    case CheckRun::build: return subsystem == Subsystem::types || subsystem == Subsystem::build;
    case CheckRun::test: break;
  }
  return subsystem == Subsystem::tests;
}

bool has(const std::vector<CheckCommand>& commands, Subsystem subsystem) {
  return std::any_of(commands.begin(), commands.end(),
                     [&](const CheckCommand& each) { return each.subsystem == subsystem; });
}

// Returns the detected commands, except those that configured ones replace, and the configured commands.
DetectedChecks all_commands(const std::string& root, const CheckSettings& settings) {
  DetectedChecks found;
  if (settings.detects_commands) found = detect_checks(root, environment_variable("PATH").value_or(""));
  const auto replaced = [&](Subsystem subsystem) { return has(settings.replacement_commands, subsystem); };
  std::erase_if(found.commands, [&](const CheckCommand& each) { return replaced(each.subsystem); });
  std::erase_if(found.skipped, [&](const SkippedCheck& each) { return replaced(each.subsystem); });
  int chains = 0;
  for (const CheckCommand& each : found.commands) chains = std::max(chains, each.chain_number + 1);
  for (const std::vector<CheckCommand>* list : {&settings.replacement_commands, &settings.added_commands})
    for (const CheckCommand& each : *list) {
      found.commands.push_back(each);
      found.commands.back().chain_number = chains++;
    }
  return found;
}

// Returns whether a later test of the same chain needs what this command builds.
bool is_needed(const std::vector<CheckCommand>& all, std::size_t index) {
  if (!all[index].needed_by_tests) return false;
  for (std::size_t i = index + 1; i < all.size(); ++i)
    if (all[i].chain_number == all[index].chain_number && all[i].subsystem == Subsystem::tests) return true;
  return false;
}

// The maximum number of files that are passed as arguments: the system limits the length of a command line.
constexpr std::size_t named_files_max = 2000;

// Appends the named files, or the argument for all files if there are none or too many. Returns false if none
// of the files is for this command.
bool add_file_arguments(CheckCommand& command, const std::vector<std::string>& files) {
  if (command.endings.empty()) return true;
  std::vector<std::string> named;
  for (const std::string& file : files) {
    const bool is_its = std::any_of(command.endings.begin(), command.endings.end(),
                                    [&](const std::string& ending) { return file.ends_with(ending); });
    if (!is_its || !is_at_or_below_folder(file, command.folder)) continue;
    // The prefix "./" makes sure that a file name is not read as an option.
    named.push_back("./" + (command.folder.empty() ? file : file.substr(command.folder.size() + 1)));
  }
  if (named.empty() && !files.empty()) return false;
  if (files.empty() || named.size() > named_files_max) {
    std::ranges::copy(command.all_files_arguments, std::back_inserter(command.argv));
    return true;
  }
  command.file_count = static_cast<std::int64_t>(named.size());
  std::move(named.begin(), named.end(), std::back_inserter(command.argv));
  return true;
}

// Returns whether a line of output can state why a program failed: it is neither part of a stack trace or an
// excerpt of code, nor a hint at the usage, nor the result of a test that passed, nor what jest and vitest
// print after each run.
bool may_state_cause(std::string_view line) {
  const bool has_words = std::any_of(line.begin(), line.end(), is_letter);
  for (std::string_view beginning : {"from ",
                                     "-----",
                                     "> ",
                                     "✓ ",
                                     "✔ ",
                                     "ok ",
                                     "PASS ",
                                     "at ",
                                     "usage:",
                                     "Usage:",
                                     "Traceback ",
                                     "File \"",
                                     "Node.js v",
                                     "throw ",
                                     "⎯⎯",
                                     "Test Suites: ",
                                     "Tests: ",
                                     "Snapshots: ",
                                     "Time: ",
                                     "Ran all test suites",
                                     "Test results written to: ",
                                     "JSON report written to "})
    if (line.starts_with(beginning)) return false;
  return has_words;
}

// Returns whether a build tool reports with this line that another program failed.
bool is_consequence(std::string_view line) {
  return line.starts_with("ninja: build stopped") || line.starts_with("FAILED: ") ||
         ((line.starts_with("make") || line.starts_with("gmake")) && line.find(": *** ") != line.npos);
}

// Removes exclamation marks around a text.
std::string_view without_marks(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of('!'), text.size());
  return trimmed(text.substr(begin, text.find_last_not_of('!') + 1 - begin));
}

// The lines of an output that may tell why a program failed. Each may be empty.
struct TellingLines {
  std::string first;
  std::string error;  // The first line with "error:".
  std::string last;
};

// Returns lines of the error output; if it has none that state a cause, lines of the output.
TellingLines telling_lines(const ProgramResult& outcome) {
  constexpr std::size_t read_bytes_max = 64 << 10;
  std::string consequence;
  for (const std::string* text : {&outcome.errors, &outcome.output}) {
    const std::string all =
        sanitized_output(text->size() > read_bytes_max ? text->substr(text->size() - read_bytes_max) : *text);
    std::string_view first, error, last, rest = all, line;
    bool has_ended = false;  // The lines that follow are about the consequences.
    while (next_line(rest, line)) {
      line = trimmed(line);
      // pytest surrounds the reason why it stopped: "!!!!!! _pytest.outcomes.Exit: no database !!!!!!".
      if (line.starts_with("!!!!") && line.ends_with("!!!!")) line = without_marks(line);
      if (!may_state_cause(line)) continue;
      if (is_consequence(line)) {
        has_ended = true;
        if (consequence.empty()) consequence = line;
        continue;
      }
      if (first.empty()) first = line;
      if (!has_ended) last = line;
      const bool says_error = line.find("rror: ") != std::string_view::npos ||
                              line.find("rror [") != std::string_view::npos ||
                              line.starts_with("_pytest.outcomes.Exit: ");
      if (error.empty() && says_error) error = line;
    }
    if (last.empty() && error.empty()) continue;
    std::string why(last);
    if (!consequence.empty()) why.append(why.empty() ? "" : "; ").append(consequence);
    return {.first = std::string(first), .error = std::string(error), .last = std::move(why)};
  }
  return {.first = {}, .error = {}, .last = std::move(consequence)};
}

// Returns the lines of the output that tell why a program failed: the first one, and the first with "error:".
// Without one with "error:", returns the last line, and what a build tool reports about it; without output,
// nothing.
std::string cause_of(const ProgramResult& outcome) {
  const TellingLines lines = telling_lines(outcome);
  if (lines.error.empty()) return lines.last;
  if (lines.first == lines.error) return lines.error;
  return without_full_stop(lines.first) + "; " + lines.error;
}

bool is_json_alone(OutputFormat format) {
  return format == OutputFormat::eslint || format == OutputFormat::ruff || format == OutputFormat::jest;
}

ParsedOutput parsed_of(const CheckCommand& command, const ProgramResult& outcome,
                       const OutputPathResolver& places) {
  const std::string both = outcome.output + "\n" + outcome.errors;
  const std::string& text = writes_report(command)          ? outcome.report
                            : is_json_alone(command.format) ? outcome.output
                                                            : both;
  ParsedOutput parsed = parse_output(command.format, text, places);
  // A program that failed early prints plain text instead of its format.
  if (!parsed.is_understood) {
    parsed = parse_text(both, places);
    parsed.lacks_report = writes_report(command);
  }
  if (command.format == OutputFormat::eslint && trimmed(text).empty()) parsed.linted_nothing = true;
  if (command.format == OutputFormat::jest && parsed.is_understood && !parsed.lacks_report)
    add_errors_missing_in_jest_json(both, places, parsed);
  if (command.name == "meson test") add_results_missing_in_meson_junit(outcome.output, places, parsed);
  if (command.name == "ctest") explain_failures_of_ctest(outcome.output, parsed);
  return parsed;
}

// For example "tsc", "node --test in packages/a".
std::string program_of(const CheckCommand& command) {
  return command.name + (command.folder.empty() ? "" : " in " + path_in_sentence(command.folder));
}

// Returns the name of a signal that ends programs, or an empty text.
std::string_view signal_name(int signal) {
  constexpr std::array<std::pair<int, std::string_view>, 12> names = {{{SIGHUP, "SIGHUP"},
                                                                       {SIGINT, "SIGINT"},
                                                                       {SIGQUIT, "SIGQUIT"},
                                                                       {SIGILL, "SIGILL"},
                                                                       {SIGTRAP, "SIGTRAP"},
                                                                       {SIGABRT, "SIGABRT"},
                                                                       {SIGBUS, "SIGBUS"},
                                                                       {SIGFPE, "SIGFPE"},
                                                                       {SIGKILL, "SIGKILL"},
                                                                       {SIGSEGV, "SIGSEGV"},
                                                                       {SIGPIPE, "SIGPIPE"},
                                                                       {SIGTERM, "SIGTERM"}}};
  const auto found = std::ranges::find_if(names, [&](const auto& each) { return each.first == signal; });
  return found == names.end() ? std::string_view() : found->second;
}

// Returns " (SIGSEGV)", or an empty text for an unknown signal.
std::string signal_in_brackets(int signal) {
  const std::string_view name = signal_name(signal);
  return name.empty() ? std::string() : " (" + std::string(name) + ")";
}

std::string how_it_ended(const CheckCommand& command, const ProgramResult& outcome) {
  switch (outcome.end) {
    case ProgramResult::End::late: return program_of(command) + " took too long and was ended";
    case ProgramResult::End::signaled:
      return program_of(command) + " was ended by signal " + std::to_string(outcome.signal) +
             signal_in_brackets(outcome.signal);
    case ProgramResult::End::not_run:
    case ProgramResult::End::exited: break;
  }
  // A shell ends with the number of the signal that ended its command, and this one added.
  constexpr int signal_added = 128;
  return program_of(command) + " ended with exit code " + std::to_string(outcome.exit_code) +
         signal_in_brackets(outcome.exit_code - signal_added);
}

// Returns the place of the workspace that an output names for a failure about which nothing else is known: in
// the line that states the cause, else the first absolute one, else that at the beginning of a line, else a
// file that the cause names. The result refers to `cause` or `text`.
OutputLocation place_of_failure(std::string_view text, std::string_view cause,
                                const OutputPathResolver& places) {
  if (const std::optional<OutputLocation> at = first_workspace_location(cause, places)) return *at;
  if (const OutputLocation at = printed_failure(text, places).at; !at.path.empty()) return at;
  std::string_view line;
  while (next_line(text, line)) {
    const std::optional<OutputLocation> at = leading_location_of_source(trimmed(line));
    const bool is_source = at && !at->path.starts_with('/') && language_of(at->path) != Language::none;
    if (is_source && at->path.find("node_modules/") == std::string_view::npos) return *at;
  }
  const std::size_t begin = cause.find(places.root + "/");
  if (begin == std::string_view::npos) return {};
  const std::string_view path = cause.substr(begin, cause.find_first_of(" \"'`();,", begin) - begin);
  return language_of(path) == Language::none ? OutputLocation() : OutputLocation{.path = path};
}

struct AbsentPart {
  Subsystem subsystem;
  Subsystem other;  // The subsystem whose check also covers this one.
  std::string_view reason;
};
constexpr AbsentPart absent_parts[] = {
    {Subsystem::types, Subsystem::build, "no compiler or type checker found"},
    {Subsystem::lint, Subsystem::lint,
     "no known linter found (ESLint, Biome, ruff, flake8, pylint, clippy, go vet)"},
    {Subsystem::tests, Subsystem::tests,
     "no known test runner found (the user can add one under check.commands in .snapback/config.json)"}};

constexpr std::string_view undetected =
    "check.detect is false in .snapback/config.json, so the server does not search for programs";

// Returns whether the plan has a command of the subsystem, or a reason why there is none.
bool is_planned(const CheckPlan& plan, Subsystem subsystem) {
  return has(plan.commands, subsystem) ||
         std::any_of(plan.skipped.begin(), plan.skipped.end(),
                     [&](const SkippedCheck& each) { return each.subsystem == subsystem; });
}

bool counts_tests(OutputFormat format) {
  switch (format) {
    case OutputFormat::cargo:
    case OutputFormat::go_test:
    case OutputFormat::junit:
    case OutputFormat::tap:
    case OutputFormat::jest: return true;
    default: return false;
  }
}

bool succeeded(const ProgramResult& outcome) {
  return outcome.end == ProgramResult::End::exited && outcome.exit_code == 0;
}

// If a program succeeded, an error in its text may not be its own: a test may have printed it. Then it proves
// neither that the check failed nor that it passed.
bool is_hearsay(const CheckCommand& command, const ProgramResult& outcome) {
  return succeeded(outcome) && command.format == OutputFormat::text;
}

// Returns whether the program ended because it, or the toolchain that it starts, is not installed.
bool is_not_installed(const ProgramResult& outcome) {
  if (outcome.end != ProgramResult::End::exited || outcome.exit_code == 0) return false;
  // The exit code of a shell that did not find a program.
  constexpr int not_found = 127;
  if (outcome.exit_code == not_found) return true;
  // rustup's proxies of cargo and rustc print these errors.
  std::string_view rest = outcome.errors, line;
  while (next_line(rest, line)) {
    const auto has = [&](std::string_view words) { return line.find(words) != std::string_view::npos; };
    if (!line.starts_with("error: ")) continue;
    if (has("rustup could not choose a version of ") || has("no default toolchain") ||
        (has("toolchain '") && has("is not installed")))
      return true;
  }
  return false;
}

// Returns whether jest or vitest failed only because it found no test file.
bool states_no_tests(const ProgramResult& outcome) {
  const auto has = [&](std::string_view words) {
    return outcome.output.find(words) != std::string::npos || outcome.errors.find(words) != std::string::npos;
  };
  return outcome.end == ProgramResult::End::exited &&
         (has("No tests found, exiting with code 1") || has("No test files found, exiting with code 1"));
}

// Whether the output of a build is that of Ninja, Make or CMake when all targets are up to date.
bool compiled_nothing(const std::string& output) {
  const auto has = [&](std::string_view words) { return output.find(words) != std::string::npos; };
  return has("no work to do") || has("Nothing to be done") || has(" is up to date.") ||
         (has("Built target") && !has("Building "));
}

// Returns why the tests prove nothing; empty if they passed or failed.
std::string reason_tests_prove_nothing(const CheckCommand& command, const ProgramResult& outcome,
                                       const ParsedOutput& parsed) {
  const TestCounts& tests = parsed.tests;
  if (is_hearsay(command, outcome) && tests.failed > 0)
    return "ended with exit code 0, but printed that " + count_with_noun(tests.failed, "test") + " failed";
  const bool lacks_summary = command.script_text.find("mocha") != std::string::npos &&
                             !parsed.states_test_count && outcome.output.find("✔") != std::string::npos;
  if (succeeded(outcome) && (parsed.ended_early || lacks_summary))
    return "ended with exit code 0 before the summary of its tests, so a test may have ended it";
  if (succeeded(outcome) && tests.all() > 0 && tests.all() == tests.skipped + tests.todo) {
    if (tests.todo == 0) return "skipped all " + count_with_noun(tests.skipped, "test");
    return "has only tests that cannot fail: " + std::to_string(tests.skipped) + " skipped, " +
           std::to_string(tests.todo) + " todo";
  }
  if (tests.all() > 0 || parsed.error_count > 0) return {};
  // The exit code of pytest if it found no tests.
  constexpr int no_tests_collected = 5;
  const bool is_empty_pytest =
      command.name.ends_with("pytest") && !parsed.lacks_report && outcome.exit_code == no_tests_collected;
  if (succeeded(outcome) && !parsed.states_test_count) {
    if (parsed.lacks_report)
      return outcome.report.empty() ? "ended with exit code 0, but wrote no report"
                                    : "ended with exit code 0, but its report cannot be read";
    if (command.name == "unittest")
      return "ended with exit code 0 before its summary, so a test may have ended it";
  }
  if (succeeded(outcome) && command.name.starts_with("make ") && compiled_nothing(outcome.output))
    return "had nothing to do";
  const bool counts = counts_tests(command.format) || parsed.states_test_count;
  if (counts && (succeeded(outcome) || is_empty_pytest || states_no_tests(outcome))) return "found no tests";
  return {};
}

// Returns why a program that ran proves nothing, as the end of a phrase that begins with its name; empty if
// the check passed or failed.
std::string reason_to_skip(const CheckCommand& command, const ProgramResult& outcome,
                           const ParsedOutput& parsed) {
  if (command.subsystem == Subsystem::tests) {
    std::string reason = reason_tests_prove_nothing(command, outcome, parsed);
    if (!reason.empty()) return reason;
  }
  if (succeeded(outcome) && parsed.linted_nothing) return "linted no file";
  if (command.format == OutputFormat::tsc &&
      std::ranges::any_of(parsed.findings, [](const CheckFinding& each) { return each.code == "TS6305"; }))
    return "needs the declarations of referenced projects, which tsc --build writes";
  if (!is_not_installed(outcome) || parsed.error_count > 0) return {};
  const std::string cause = cause_of(outcome);
  return "could not run: " +
         (cause.empty() ? "exit code " + std::to_string(outcome.exit_code) : without_full_stop(cause));
}

// Adds findings for the counted errors and warnings that have none. A report stores at most
// stored_findings_max. With fewer, those without one are failed tests: the runner printed how many, but their
// names were not recognized.
void account_for_missing_findings(const CheckCommand& command, const ProgramResult& outcome,
                                  CheckReport& report) {
  const auto stored = static_cast<std::int64_t>(report.findings.size());
  const std::int64_t missing = std::max<std::int64_t>(report.error_count + report.warning_count - stored, 0);
  if (missing == 0 || report.findings.size() >= stored_findings_max) {
    report.unstored_findings = missing;
    return;
  }
  std::string message = program_of(command) + ": " + count_with_noun(missing, "failed test") +
                        (missing == 1 ? ", name not recognized" : ", names not recognized");
  const std::string error = telling_lines(outcome).error;
  if (!error.empty()) message += "; first error printed: " + error;
  report.findings.push_back({.message = std::move(message)});
}

// Notes which languages a compiler, a type checker or a build has checked.
void note_compiled(const CheckCommand& command, CheckReport& report) {
  if (command.subsystem != Subsystem::types && command.subsystem != Subsystem::build) return;
  if (command.configured) {
    report.has_run_any_build = true;
    return;
  }
  switch (command.format) {
    case OutputFormat::tsc: report.compiled_projects = {Language::javascript}; break;
    case OutputFormat::mypy: report.compiled = {Language::python}; break;
    case OutputFormat::cargo: report.compiled_projects = {Language::rust}; break;
    case OutputFormat::go: report.compiled = {Language::go}; break;
    default:
      // The others are scripts of package.json, and builds of CMake and Meson.
      report.compiled = command.script_text.empty() ? std::set{Language::c}
                                                    : std::set{Language::javascript, Language::component};
  }
}

}  // namespace

CheckPlan plan_checks(const std::string& root, CheckRun run, const CheckSettings& settings,
                      const std::vector<std::string>& files) {
  CheckPlan plan;
  plan.root = root;
  plan.environment = check_environment();
  plan.deadline_ms = settings.deadline_ms;
  const int processors = static_cast<int>(std::thread::hardware_concurrency());
  plan.parallel_chains =
      settings.parallel_chains > 0 ? settings.parallel_chains : std::clamp(processors, 2, 4);
  DetectedChecks found = all_commands(root, settings);
  for (std::size_t i = 0; i < found.commands.size(); ++i) {
    CheckCommand command = found.commands[i];
    const bool needed = run == CheckRun::test && is_needed(found.commands, i);
    if (!needed && !runs_in(run, command.subsystem)) continue;
    if (add_file_arguments(command, files))
      plan.commands.push_back(std::move(command));
    else
      plan.skipped.push_back(
          {.subsystem = command.subsystem, .reason = command.name + " has none of the named files"});
  }
  for (SkippedCheck& each : found.skipped)
    if (runs_in(run, each.subsystem)) plan.skipped.push_back(std::move(each));
  for (const auto& [subsystem, other, reason] : absent_parts)
    if (runs_in(run, subsystem) && !is_planned(plan, subsystem) && !is_planned(plan, other))
      plan.skipped.push_back(
          {.subsystem = subsystem,
           .reason = settings.detects_commands ? std::string(reason) : std::string(undetected),
           .is_absent = true});
  return plan;
}

CheckReport report_of_outcome(const CheckCommand& command, const ProgramResult& outcome,
                              const std::string& root) {
  CheckReport report;
  if (outcome.end == ProgramResult::End::not_run) {
    report.skipped.push_back({.subsystem = command.subsystem, .reason = outcome.reason});
    return report;
  }
  const OutputPathResolver places{.root = root, .base_folder = command.path_base, .module = command.module};
  ParsedOutput parsed = parsed_of(command, outcome, places);
  const bool has_succeeded = succeeded(outcome);
  const bool hearsay = is_hearsay(command, outcome);
  // Tests do not report compiler warnings, because the build command does.
  const bool is_test = command.subsystem == Subsystem::tests;
  const bool warns =
      hearsay && (command.subsystem == Subsystem::lint || command.subsystem == Subsystem::types);
  if (warns) {
    parsed.warning_count += parsed.error_count;
    for (CheckFinding& each : parsed.findings) each.is_error = false;
  }
  if (hearsay) parsed.error_count = 0;
  if (is_test) parsed.warning_count = 0;
  std::erase_if(parsed.findings, [&](const CheckFinding& each) { return each.is_error ? hearsay : is_test; });
  if (const std::string reason = reason_to_skip(command, outcome, parsed); !reason.empty()) {
    report.skipped.push_back({.subsystem = command.subsystem, .reason = program_of(command) + " " + reason});
    return report;
  }
  if (command.subsystem == Subsystem::build && has_succeeded && compiled_nothing(outcome.output))
    report.notes.push_back(program_of(command) +
                           " had nothing to compile, so warnings of earlier builds are not shown.");
  if (is_test && has_succeeded && parsed.tests.all() == 0)
    report.notes.push_back(program_of(command) +
                           " ended with exit code 0, and printed no summary that the server recognizes.");
  if (parsed.unloaded_module_count > 0)
    report.notes.push_back(count_with_noun(parsed.unloaded_module_count, "test module") +
                           " could not be loaded, so " +
                           (parsed.tests.all() == 0 ? "no test ran." : "its tests did not run."));
  report.error_count = parsed.error_count + parsed.tests.failed;
  report.warning_count = parsed.warning_count;
  report.tests = parsed.tests;
  report.findings = std::move(parsed.findings);
  report.add_checked({.tool = command.name, .file_count = command.file_count});
  report.has_checked_code = true;
  note_compiled(command, report);
  if (!has_succeeded && (report.error_count == 0 || outcome.end != ProgramResult::End::exited)) {
    ++report.error_count;
    std::string message = how_it_ended(command, outcome);
    const std::string cause = cause_of(outcome);
    if (!cause.empty()) message += ": " + cause;
    const std::string text = sanitized_output(outcome.errors + "\n" + outcome.output);
    const OutputLocation at = place_of_failure(text, cause, places);
    report.findings.push_back({.path = at.path.empty() ? std::string() : places.resolve(at.path),
                               .line = at.line,
                               .column = at.column,
                               .message = std::move(message)});
  }
  account_for_missing_findings(command, outcome, report);
  report.add_mark(command.subsystem,
                  has_succeeded && report.error_count == 0 ? CheckMark::pass : CheckMark::fail);
  if (outcome.was_cut)
    report.notes.push_back("The output of " + program_of(command) + " was cut: there is more.");
  return report;
}

}  // namespace snapgen::core
