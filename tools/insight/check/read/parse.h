#pragma once
// Parsers that turn program output into counts and findings. They accept any bytes and never fail;
// `is_understood` tells whether the format was recognized.
#include <string_view>

#include "tools/insight/check/command.h"
#include "tools/insight/check/read/output_path_resolver.h"
#include "tools/insight/check/report.h"

namespace snapgen::core {

struct ParsedOutput {
  bool is_understood = true;     // True if the bytes seem to have the format.
  std::int64_t error_count = 0;  // The number of errors, without failed tests.
  std::int64_t warning_count = 0;
  TestCounts tests;
  bool states_test_count = false;  // The output states how many tests ran, perhaps 0.
  bool ended_early = false;        // The program of some tests ended before it printed their summary.
  bool linted_nothing = false;     // The linter reports that it linted no file.
  bool lacks_report = false;       // The program should have written a report, and it cannot be read.
  std::int64_t unloaded_module_count =
      0;  // Number of test modules that could not be loaded; each is also an error.
  std::vector<CheckFinding> findings;  // The first stored_findings_max findings, in output order.
};

ParsedOutput parse_output(OutputFormat format, std::string_view bytes, const OutputPathResolver& places);

// Each of these parses one format; parse_output() calls the one for the format.
ParsedOutput parse_text(std::string_view bytes, const OutputPathResolver& places);
// Does as parse_text(), but reads only the lines about tests.
ParsedOutput parse_test_text(std::string_view bytes, const OutputPathResolver& places);
ParsedOutput parse_tsc(std::string_view bytes, const OutputPathResolver& places);
ParsedOutput parse_eslint(std::string_view bytes, const OutputPathResolver& places);
ParsedOutput parse_biome(std::string_view bytes, const OutputPathResolver& places);
ParsedOutput parse_ruff(std::string_view bytes, const OutputPathResolver& places);
ParsedOutput parse_mypy(std::string_view bytes, const OutputPathResolver& places);
ParsedOutput parse_cargo(std::string_view bytes, const OutputPathResolver& places, bool only_clippy);
ParsedOutput parse_go(std::string_view bytes, const OutputPathResolver& places);
ParsedOutput parse_go_test(std::string_view bytes, const OutputPathResolver& places);
ParsedOutput parse_gcc_json(std::string_view bytes, const OutputPathResolver& places);
ParsedOutput parse_junit(std::string_view bytes, const OutputPathResolver& places);
// Adds what Meson prints and its JUnit report lacks: tests that ran too long or passed although they should
// fail, which the report has as passed, and the signals that ended the programs of tests.
void add_results_missing_in_meson_junit(std::string_view meson_output, const OutputPathResolver& places,
                                        ParsedOutput& parsed);
// Sets the messages of the failed tests that ran too long or printed nothing, because CTest's JUnit report
// does not tell why a test failed.
void explain_failures_of_ctest(std::string_view ctest_output, ParsedOutput& parsed);
ParsedOutput parse_tap(std::string_view bytes, const OutputPathResolver& places);
// Adds what jest and vitest print and their JSON reports lack: errors outside of tests, and thresholds of the
// coverage that are not met.
void add_errors_missing_in_jest_json(std::string_view output, const OutputPathResolver& places,
                                     ParsedOutput& parsed);
ParsedOutput parse_jest(std::string_view bytes, const OutputPathResolver& places);

}  // namespace snapgen::core
