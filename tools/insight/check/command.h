#pragma once
// CheckCommand: a program that a check runs, and the format of its output.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace snapgen::core {

enum class Subsystem : std::uint8_t { types, build, lint, tests };

enum class OutputFormat : std::uint8_t {
  text,      // Lines "path:line:col: severity: message", and summaries of tests.
  exit,      // No output is read; only the exit status counts.
  tsc,       // The output of tsc, with or without --pretty.
  eslint,    // The output of eslint --format json.
  biome,     // The output of biome --reporter=github.
  ruff,      // The output of ruff --output-format json.
  mypy,      // The output of mypy, plain text or --output json.
  cargo,     // The output of cargo --message-format json, and the text of cargo test.
  clippy,    // The output of cargo clippy, of which only clippy's lints count.
  go,        // The text that go build and go vet print.
  go_test,   // The output of go test -json.
  gcc_json,  // The output of gcc -fdiagnostics-format=json, mixed with other text.
  junit,     // JUnit XML, as pytest, ctest, Meson and many others write it.
  tap,       // TAP 13 and 14, with the comments and diagnostics of node --test.
  jest,      // The output of jest --json or vitest --reporter=json.
};

// In argv, this placeholder stands for the path of a temporary file to which the program writes its report.
inline constexpr std::string_view report_placeholder = "{report}";

struct CheckCommand {
  Subsystem subsystem = Subsystem::types;
  std::string name;  // The name for display, such as "tsc".
  // The program (absolute, relative to `folder`, or in PATH) and its arguments.
  std::vector<std::string> argv;
  std::string folder;  // The working directory, relative to the root; "" is the root itself.
  OutputFormat format = OutputFormat::text;
  // Path of the file with the report, relative to `folder`. If empty, the report is the output, or in the
  // file of report_placeholder.
  std::string report_path;
  // The folder, relative to the root, against which relative paths in the output resolve.
  std::string path_base;
  std::string module;  // The import path of the module in path_base, for Go.
  // The command accepts the paths of files with these endings as arguments instead of `all_files_arguments`.
  // If empty, the command always checks all files.
  std::vector<std::string> endings;
  std::vector<std::string> all_files_arguments;  // The arguments that mean all files; none may be needed.
  // The number of the chain. The commands of a chain run in sequence and stop at the first failure.
  int chain_number = 0;
  bool needed_by_tests = false;  // The tests of the chain need what this command builds.
  std::int64_t file_count = 0;   // How many files argv names; 0 if it checks all files.
  bool configured = false;       // The user configured it in .snapback/config.json.
  std::string script_text;       // The text of the package script that it runs, or empty.
};

bool writes_report(const CheckCommand& command);

// Returns the name for display of the program that a command line runs, without its folder, and without
// programs that only start another: "env A=1 /usr/bin/python3 -m unittest -v" is "python3 -m unittest".
std::string program_name(const std::vector<std::string>& argv);

// A check that does not run, and the reason.
struct SkippedCheck {
  Subsystem subsystem = Subsystem::types;
  std::string reason;  // A phrase without a full stop: "tsc is not installed".
  // The command runs only after the reason was read, or after the user trusted it. The reason is never cut.
  bool is_withheld = false;
  bool runs_when_repeated = false;  // The same check runs the command if it is called again.
  bool is_absent = false;           // The workspace has nothing of this kind.
};

}  // namespace snapgen::core
