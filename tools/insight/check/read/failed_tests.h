#pragma once
// The failed tests that test runners name in text which is meant for people.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/insight/check/read/collect.h"

namespace snapgen::core {

// The members `at.path` and `at.rest` refer to the text, which must outlive this object.
struct FailedTest {
  std::string name;
  std::string message;
  OutputLocation at;
  bool is_file = false;  // The test file could not be loaded, and its runner does not count it as a test.
};

struct FailedTests {
  std::vector<FailedTest> tests;
  // The number of tests that a summary counts as failed only because a test inside of them failed.
  std::int64_t counted_parents = 0;
  // The number of failures of unittest that are not counted as tests that ran: those of `setUpClass`, and
  // further subtests of a test.
  std::int64_t failures_beside_tests = 0;
};

// Each function adds the failed tests of some runners. `text` is an output without terminal escapes.
//
// Node's reporters spec and dot; jest, vitest, mocha and Bun.
void add_failed_tests_of_javascript(std::string_view text, const OutputPathResolver& places,
                                    FailedTests& failed);
// unittest and pytest.
void add_failed_tests_of_python(std::string_view text, const OutputPathResolver& places, FailedTests& failed);
// cargo test, go test, GoogleTest, CTest and Meson.
void add_failed_tests_of_compiled(std::string_view text, const OutputPathResolver& places,
                                  FailedTests& failed);

// Adds the failed tests that a parser of one runner finds in the lines of a text.
template <class Runner>
void add_failed_tests_of(std::string_view text, const OutputPathResolver& places, FailedTests& failed) {
  Runner runner(places, failed);
  std::string_view line;
  while (next_line(text, line)) runner.line(line);
  runner.end();
}

// A line of CTest's list "The following tests FAILED:": "2 - fails (SEGFAULT)".
struct ListedTest {
  std::int64_t number = 0;
  std::string_view name;
  std::string_view reason;
};
std::optional<ListedTest> listed_test_of_ctest(std::string_view line);

// Returns the reason that Meson prints behind the result and the duration of a test: "exit status 1".
std::string_view meson_reason(std::string_view text);

// Returns the message of a failed test as one line. `text` begins with the message. What follows may have the
// compared values: the lines "Expected: 3" and "Received: 2", or those of a diff.
std::string failure_message(std::string_view text);

// Extends `part` to the end of `more`. Both must be views of the same text, and `more` must be behind `part`.
std::string_view joined_views(std::string_view part, std::string_view more);

}  // namespace snapgen::core
