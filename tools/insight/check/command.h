#pragma once
// What a check runs: programs of the workspace, and how what they say is read.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace snapgen::core {

enum class Subsystem : std::uint8_t { types, build, lint, tests };
std::string_view text(Subsystem subsystem);  // "types", "build", "lint", "tests"

enum class OutputFormat : std::uint8_t {
  text,      // Any program: path:line:col: severity: message, and summaries of test runners.
  exit,      // Its exit status alone.
  tsc,       // With or without --pretty.
  eslint,    // --format json
  biome,     // --reporter=github
  ruff,      // --output-format json
  mypy,      // Plain, or --output json.
  cargo,     // --message-format json, and the text of cargo test.
  clippy,    // The same, of which only clippy's own lints count.
  go,        // The text of go build and go vet.
  go_test,   // go test -json
  gcc_json,  // -fdiagnostics-format=json, in the middle of other text.
  junit,     // JUnit's XML: pytest, ctest, Meson and many others.
  tap,       // TAP 13 and 14, with the comments and diagnostics of node --test.
  jest,      // jest --json, vitest --reporter=json
};

// In an argument: a file of the run's own that the program writes its report to.
inline constexpr std::string_view report_placeholder = "{report}";

struct CheckCommand {
  Subsystem subsystem = Subsystem::types;
  std::string name;               // For people: "tsc".
  std::vector<std::string> argv;  // The program: a path, absolute or seen from the folder, or a name in PATH.
  std::string folder;             // Where it runs, seen from the root; "": the root.
  OutputFormat format = OutputFormat::text;
  // Where its report is, seen from the folder; empty: in its outputs, or where {report} stands.
  std::string report;
  std::string paths_from;  // What relative paths in its output are seen from, as a path from the root.
  std::string module;      // Of Go: how the packages below paths_from begin.
  // The endings of files that may be named behind its arguments, in place of `everything`; none: it always
  // sees all.
  std::vector<std::string> endings;
  std::string everything;  // The argument for all files; empty: none is needed.
  // Commands of one chain run one after the other, as long as none of them fails.
  int chain = 0;
  bool needed_by_tests = false;  // Later ones in its chain need what it builds.
  bool configured = false;       // .snapback/config.json names it.
  std::string script;            // The text of the package script that it runs; empty: it runs none.
};

// Whether it writes its report to a file.
bool writes_report(const CheckCommand& command);

// Why a part of what was found is not run.
struct SkippedCheck {
  Subsystem subsystem = Subsystem::types;
  std::string reason;  // In words, without a full stop: "tsc is not installed".
};

}  // namespace snapgen::core
