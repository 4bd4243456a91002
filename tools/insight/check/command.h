#pragma once
// CheckCommand: a program that a check runs, and the format of its output.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace snapgen::core {

enum class Subsystem : std::uint8_t { types, build, lint, tests };
std::string_view text(Subsystem subsystem);  // "types", "build", "lint", "tests"

enum class OutputFormat : std::uint8_t {
  text,      // path:line:col: severity: message, and summaries of test runners.
  exit,      // Only the exit status counts.
  tsc,       // With or without --pretty.
  eslint,    // --format json
  biome,     // --reporter=github
  ruff,      // --output-format json
  mypy,      // Plain text, or --output json.
  cargo,     // --message-format json, and the text output of cargo test.
  clippy,    // As cargo, but only clippy's lints count.
  go,        // Text output of go build and go vet.
  go_test,   // go test -json
  gcc_json,  // -fdiagnostics-format=json, mixed with other text.
  junit,     // JUnit XML: pytest, ctest, Meson and many others.
  tap,       // TAP 13 and 14, with the comments and diagnostics of node --test.
  jest,      // jest --json, vitest --reporter=json
};

// An argument with this placeholder receives the path of a temporary file for the program's report.
inline constexpr std::string_view report_placeholder = "{report}";

struct CheckCommand {
  Subsystem subsystem = Subsystem::types;
  std::string name;               // For display, such as "tsc".
  std::vector<std::string> argv;  // argv[0]: absolute, relative to `folder`, or found in PATH.
  std::string folder;             // Working directory, relative to the root; "": the root.
  OutputFormat format = OutputFormat::text;
  // Path of the report file, relative to the folder. Empty: the report is the output, or the {report} file.
  std::string report;
  std::string paths_from;  // Base of relative paths in the output, relative to the root.
  std::string module;      // Go: the import path of the module in paths_from.
  // Endings of the files that may be passed as arguments in place of `everything`. Empty: the command always
  // checks all files.
  std::vector<std::string> endings;
  std::string everything;  // The argument that means all files; empty: none is needed.
  // Commands of a chain run in sequence and stop at the first failure.
  int chain = 0;
  bool needed_by_tests = false;  // Later commands of the chain need its build output.
  std::int64_t files = 0;        // How many named files are in argv; 0: it checks all files.
  bool configured = false;       // Configured in .snapback/config.json.
  std::string script;            // The text of the package script that it runs; empty: none.
};

bool writes_report(const CheckCommand& command);

// A check that does not run, and the reason.
struct SkippedCheck {
  Subsystem subsystem = Subsystem::types;
  std::string reason;  // Words without a full stop: "tsc is not installed".
};

}  // namespace snapgen::core
