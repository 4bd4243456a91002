// Parses what test runners print as text: their summaries, and the failed tests.
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "tools/insight/check/read/collect.h"
#include "tools/insight/check/read/failed_tests.h"

namespace snapgen::core {
namespace {

std::int64_t* count_named(std::string_view word, TestCounts& tests) {
  for (std::string_view each : {"passed", "passing", "pass", "ok", "xpassed"})
    if (word == each) return &tests.passed;
  for (std::string_view each :
       {"failed", "failing", "fail", "failures", "errors", "error", "cancelled", "unexpected successes"})
    if (word == each) return &tests.failed;
  for (std::string_view each : {"skipped", "skip", "pending", "ignored", "xfailed"})
    if (word == each) return &tests.skipped;
  if (word == "todo") return &tests.todo;
  return nullptr;
}

// Parses counts such as "1 failed, 2 passed". The word after a number tells what it counts.
bool count_pairs(std::string_view text, TestCounts& tests) {
  bool any = false;
  std::optional<std::int64_t> number;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" ,;|()."), text.size());
    std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    if (std::optional<std::int64_t> found = take_number(word); found && word.empty()) {
      number = found;
      continue;
    }
    std::int64_t* count = number ? count_named(word, tests) : nullptr;
    if (count) {
      *count += *number;
      any = true;
    }
    number.reset();
  }
  return any;
}

// Removes a duration such as "12ms", "0.12s" or "3m" from the beginning of `text`.
bool take_duration(std::string_view& text) {
  if (!take_number(text)) return false;
  if (take_prefix(text, ".")) take_number(text);
  return take_prefix(text, "ms") || take_prefix(text, "s") || take_prefix(text, "m") ||
         take_prefix(text, "h") || take_prefix(text, "d");
}

// Parses the summary lines of test runners. A line must have the whole form of a summary, because tests print
// similar lines.
class Summaries {
 public:
  explicit Summaries(TestCounts& tests) : tests_(tests) {}

  // Returns whether the line states a number of tests.
  bool line(std::string_view line) {
    if (in_captured(line)) return false;
    if (mocha(line)) return false;
    line = trimmed(line);
    while (line.starts_with('=')) line.remove_prefix(1);
    while (line.ends_with('=')) line.remove_suffix(1);
    line = trimmed(line);
    if (jest_or_vitest(line)) return true;
    return cargo(line) || states_no_tests(line) || bun(line) || meson(line) || node(line) || unittest(line) ||
           google(line) || percent(line) || pytest(line);
  }
  void end() {
    finish_unittest({});
    finish_cargo();
    finish_mocha();
  }
  bool has_any() const { return has_any_; }
  // Returns whether the program of some tests ended before it printed their summary.
  bool ended_early() const { return ended_early_; }

 private:
  // Returns whether the line belongs to what a failed test printed: pytest's "---- Captured stdout call ----"
  // until the next block, and cargo's "---- tests::adds stdout ----" until "failures:".
  bool in_captured(std::string_view line) {
    if (line.starts_with("----") && line.ends_with("----")) {
      if (line.find("- Captured ") != std::string_view::npos) captured_until_ = {"____", "===="};
      if (line.ends_with(" stdout ----")) captured_until_ = {"failures:", "failures:"};
    }
    for (const std::string_view each : captured_until_)
      if (!each.empty() && line.starts_with(each)) captured_until_ = {};
    return !captured_until_[0].empty();
  }
  // Parses what the program of one crate prints: "running 3 tests", and then "test result: ok. 2 passed; …".
  // A test may print such lines, so the last result whose sum is right counts.
  bool cargo(std::string_view line) {
    if (std::string_view rest = line; take_prefix(rest, "running ")) {
      const std::optional<std::int64_t> number = take_number(rest);
      if (!number || (rest != " tests" && rest != " test")) return false;
      finish_cargo();
      running_ = *number;
      return false;
    }
    for (std::string_view each : {"test result: ok. ", "test result: FAILED. "}) {
      if (!line.starts_with(each)) continue;
      TestCounts counts;
      if (!count_pairs(line.substr(each.size()), counts)) return false;
      // Benchmarks are neither passed nor failed: "1 measured".
      if (running_ && line.find(" 0 measured;") != std::string_view::npos && counts.all() != *running_)
        return false;
      if (!running_) tests_.add(counts);
      cargo_ = counts;
      return true;
    }
    return false;
  }
  void finish_cargo() {
    if (running_ && !cargo_) ended_early_ = true;
    if (running_ && cargo_) tests_.add(*cargo_);
    running_.reset();
    cargo_.reset();
  }
  // These are the sentences of jest, vitest and ctest.
  static bool states_no_tests(std::string_view line) {
    return line.starts_with("No tests found, exiting with code ") ||
           line.starts_with("No test files found, exiting with code ") || line == "No tests were found!!!";
  }
  // Parses the line of jest, "Tests:  1 failed, 2 total", or vitest, "Tests  1 failed (1)". In a summary, it
  // follows a line about the files; anywhere else, a test printed it.
  bool jest_or_vitest(std::string_view line) {
    const bool follows = std::exchange(in_summary_of_files_,
                                       line.starts_with("Test Suites: ") || line.starts_with("Test Files  "));
    for (std::string_view each : {"Tests:", "Tests  "})
      if (follows && line.starts_with(each) && (line.ends_with(" total") || line.ends_with(")")))
        return count_pairs(line.substr(each.size()), tests_);
    return false;
  }
  // Parses the summary of Bun: " 2 pass", " 1 fail", and then "Ran 3 tests across 2 files. [49.00ms]".
  bool bun(std::string_view line) {
    if (std::string_view rest = line;
        take_prefix(rest, "Ran ") && take_number(rest) && rest.find(" across ") < rest.find(" file")) {
      tests_.add(std::exchange(bun_, {}));
      return true;
    }
    std::string_view word = line;
    const std::optional<std::int64_t> number = take_number(word);
    if (!number || !take_prefix(word, " ")) {
      bun_ = {};
      return false;
    }
    for (const std::string_view each : {"pass", "fail", "skip", "todo"})
      if (word == each) *count_named(each, bun_) += *number;
    return false;
  }
  // Parses the summary of Meson, which begins with the line "Ok:   1": "Fail:   1", "Timeout:   0".
  bool meson(std::string_view line) {
    const std::array<std::pair<std::string_view, std::int64_t*>, 7> names = {
        {{"Ok:", &tests_.passed},
         {"Expected Fail:", &tests_.passed},
         {"Fail:", &tests_.failed},
         {"Unexpected Pass:", &tests_.failed},
         {"Skipped:", &tests_.skipped},
         {"Ignored:", &tests_.skipped},
         {"Timeout:", &tests_.failed}}};
    if (line.starts_with("Ok: ")) in_meson_summary_ = true;
    for (const auto& [name, count] : names) {
      std::string_view rest = line;
      if (!in_meson_summary_ || !take_prefix(rest, name)) continue;
      rest = trimmed(rest);
      const std::optional<std::int64_t> number = take_number(rest);
      if (!number || !rest.empty()) break;
      *count += *number;
      return true;
    }
    in_meson_summary_ = false;
    return false;
  }
  // Parses a summary line of node --test: "ℹ pass 2".
  bool node(std::string_view line) {
    if (!take_prefix(line, "ℹ ")) return false;
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos) return false;
    std::int64_t* count = count_named(line.substr(0, space), tests_);
    line.remove_prefix(space + 1);
    const std::optional<std::int64_t> number = take_number(line);
    if (!count || !number || !line.empty()) return false;
    *count += *number;
    return true;
  }
  // Parses the summary of unittest: "Ran 3 tests in 0.001s", and then "FAILED (failures=1, skipped=2)" or "OK
  // (skipped=1)".
  bool unittest(std::string_view line) {
    if (take_prefix(line, "Ran ")) {
      const std::optional<std::int64_t> number = take_number(line);
      const bool counts = take_prefix(line, " tests in ") || take_prefix(line, " test in ");
      if (!number || !counts || !take_duration(line) || !line.empty()) return false;
      finish_unittest({});
      ran_ = *number;
      is_blank_next_ = true;
      return true;
    }
    // An empty line follows in a summary; anything else follows what a test printed.
    if (std::exchange(is_blank_next_, false) && !line.empty()) ran_.reset();
    if (!ran_ || (!take_prefix(line, "FAILED (") && !take_prefix(line, "OK ("))) return false;
    TestCounts counts;
    while (!line.empty()) {
      const std::size_t equals = std::min(line.find('='), line.size());
      std::int64_t* count = count_named(line.substr(0, equals), counts);
      line.remove_prefix(std::min(equals + 1, line.size()));
      const std::optional<std::int64_t> number = take_number(line);
      if (count && number) *count += *number;
      if (!take_prefix(line, ", ")) break;
    }
    finish_unittest(counts);
    return true;
  }
  // Adds one run of unittest, of whose tests `counts` has those that did not pass. Some failures are not
  // counted as tests, so the sum may be negative.
  void finish_unittest(TestCounts counts) {
    counts.passed = ran_.value_or(0) - counts.failed - counts.skipped;
    tests_.add(counts);
    ran_.reset();
  }
  // Parses the summary of GoogleTest: "[  PASSED  ] 3 tests.", "[  FAILED  ] 1 test, listed below:".
  bool google(std::string_view line) {
    std::int64_t* count = take_prefix(line, "[  PASSED  ] ")   ? &tests_.passed
                          : take_prefix(line, "[  FAILED  ] ") ? &tests_.failed
                          : take_prefix(line, "[  SKIPPED ] ") ? &tests_.skipped
                                                               : nullptr;
    const std::optional<std::int64_t> number = count ? take_number(line) : std::nullopt;
    if (!number || !line.starts_with(" test")) return false;
    *count += *number;
    return true;
  }
  // Parses the summary of ctest: "67% tests passed, 1 tests failed out of 3".
  bool percent(std::string_view line) {
    if (!take_number(line) || !take_prefix(line, "% tests passed, ")) return false;
    const std::optional<std::int64_t> failed = take_number(line);
    if (!failed || !take_prefix(line, " tests failed out of ")) return false;
    const std::optional<std::int64_t> all = take_number(line);
    if (!all) return false;
    tests_.failed += *failed;
    tests_.passed += std::max<std::int64_t>(0, *all - *failed);
    return true;
  }
  // Parses the summary of pytest: "1 failed, 2 passed in 0.12s", "1 passed in 65.00s (0:01:05)".
  bool pytest(std::string_view line) {
    const std::size_t in = line.rfind(" in ");
    if (in == std::string_view::npos) return false;
    std::string_view time = line.substr(in + 4);
    line = line.substr(0, in);
    if (!take_duration(time) || !(time.empty() || time.starts_with(" ("))) return false;
    if (line == "no tests ran") return true;
    // "2 failed attempts" has another word after the first pair.
    std::string_view word = line.substr(0, line.find(", "));
    if (!take_number(word) || !take_prefix(word, " ") || word.find(' ') != std::string_view::npos)
      return false;
    return count_pairs(line, tests_) || word == "deselected";
  }
  // Parses the summary of mocha, whose lines are indented: "  2 passing (5ms)", then perhaps "  1 pending"
  // and "  1 failing".
  bool mocha(std::string_view line) {
    const bool is_indented = line.starts_with("  ");
    line = trimmed(line);
    // A runner of several scripts may omit the empty line.
    const bool is_end =
        line.empty() || line == "Done" || line.find(" exited with code ") != std::string_view::npos;
    const std::optional<std::int64_t> number = is_indented ? take_number(line) : std::nullopt;
    std::int64_t* count = nullptr;
    if (number && take_prefix(line, " passing (") && take_duration(line) && line == ")") {
      mocha_.emplace();
      count = &mocha_->passed;
    } else if (number && mocha_ && line == " pending") {
      count = &mocha_->skipped;
    } else if (number && mocha_ && line == " failing") {
      count = &mocha_->failed;
    }
    if (count) *count += *number;
    // The lines of a summary follow each other, and then an empty line; anything else a test printed.
    if (!count && is_end) finish_mocha();
    if (!count) mocha_.reset();
    return count != nullptr;
  }
  void finish_mocha() {
    if (!mocha_) return;
    tests_.add(*mocha_);
    has_any_ = true;
    mocha_.reset();
  }

  TestCounts& tests_;
  // The number of tests of the run of unittest whose result has not been read yet.
  std::optional<std::int64_t> ran_;
  TestCounts bun_;  // The counts of Bun's summary that is being read.
  bool in_summary_of_files_ = false;
  std::optional<TestCounts> mocha_;      // The counts of Mocha's summary that is being read.
  std::optional<std::int64_t> running_;  // How many tests the program of a crate runs.
  std::optional<TestCounts> cargo_;      // The counts of its latest result.
  std::array<std::string_view, 2> captured_until_;
  bool is_blank_next_ = false, ended_early_ = false, has_any_ = false;
  bool in_meson_summary_ = false;
};

}  // namespace

ParsedOutput parse_test_text(std::string_view bytes, const OutputPathResolver& places) {
  ParsedOutput parsed;
  FindingCollector found(places, parsed);
  Summaries summaries(parsed.tests);
  const std::string text = sanitized_output(bytes);
  std::string_view rest = text, line;
  while (next_line(rest, line))
    if (summaries.line(line)) parsed.states_test_count = true;
  summaries.end();
  parsed.states_test_count = parsed.states_test_count || summaries.has_any();
  parsed.ended_early = summaries.ended_early();
  FailedTests failed;
  add_failed_tests_of_javascript(text, places, failed);
  add_failed_tests_of_python(text, places, failed);
  add_failed_tests_of_compiled(text, places, failed);
  parsed.tests.passed = std::max<std::int64_t>(parsed.tests.passed + failed.failures_beside_tests, 0);
  // The summaries have counted the failed tests already, except those of a runner that prints no summary.
  const std::int64_t counted = std::max<std::int64_t>(parsed.tests.failed - failed.counted_parents, 0);
  parsed.tests.failed = 0;
  for (const FailedTest& each : failed.tests) {
    if (each.is_file)
      found.add_diagnostic(true, each.at, each.name, each.message);
    else
      found.add_failed_test(each.at, each.name, each.message);
  }
  parsed.tests.failed = std::max(parsed.tests.failed, counted);
  return parsed;
}

}  // namespace snapgen::core
