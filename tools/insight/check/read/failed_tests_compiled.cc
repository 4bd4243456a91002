// Finds the failed tests of cargo, go, GoogleTest, CTest and Meson in their text.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "tools/insight/check/read/failed_tests.h"

namespace snapgen::core {
namespace {

// Cargo's "test tests::adds ... FAILED", and below "---- tests::adds stdout ----" its output:
// "thread 'tests::adds' panicked at src/lib.rs:10:9:".
class CargoTests {
 public:
  CargoTests(const OutputPathResolver&, FailedTests& failed) : failed_(failed) {}

  void line(std::string_view line) {
    if (panicked_ && message(line)) return;
    if (take_prefix(line, "test ")) {
      const std::size_t dots = line.rfind(" ... ");
      if (dots == std::string_view::npos || line.substr(dots + 5) != "FAILED") return;
      std::string_view name = line.substr(0, dots);
      if (name.ends_with(" - should panic")) name.remove_suffix(15);
      latest_[name] = failed_.tests.size();
      failed_.tests.push_back({.name = std::string(name), .at = place_of_doctest(name)});
    } else if (take_prefix(line, "---- ")) {
      current_ = found(line.substr(0, line.find(" stdout ----")));
    } else if (take_prefix(line, "thread '")) {
      panic(line);
    } else if (current_ && failed_.tests[*current_].message.empty() &&
               (line.starts_with("Error: ") || line.starts_with("note: test did not panic"))) {
      failed_.tests[*current_].message = line;
      if (const std::size_t at = line.rfind(" at ");
          at != std::string_view::npos && line.starts_with("note: "))
        failed_.tests[*current_].at = place_of(line.substr(at + 4));
    }
  }
  void end() {}

 private:
  // Parses a location that is the whole text: "src/lib.rs:7:8".
  static OutputLocation place_of(std::string_view text) {
    OutputLocation at{.path = text.substr(0, text.find(':'))};
    text.remove_prefix(at.path.size());
    if (take_prefix(text, ":")) at.line = take_number(text).value_or(0);
    if (take_prefix(text, ":")) at.column = take_number(text).value_or(0);
    return at.line > 0 ? at : OutputLocation();
  }

  // Returns the location in the name of a test in documentation: "src/lib.rs - f (line 1)".
  static OutputLocation place_of_doctest(std::string_view name) {
    const std::size_t dash = name.find(" - "), mark = name.rfind("(line ");
    if (dash == std::string_view::npos || mark == std::string_view::npos || !name.ends_with(')')) return {};
    std::string_view number = name.substr(mark + 6);
    return {.path = name.substr(0, dash), .line = take_number(number).value_or(0)};
  }

  std::optional<std::size_t> found(std::string_view name) const {
    const auto test = latest_.find(name);
    return test == latest_.end() ? std::nullopt : std::optional(test->second);
  }

  // Parses the end of "thread 'tests::adds' (123) panicked at src/lib.rs:10:9:".
  void panic(std::string_view line) {
    const std::size_t at = line.find(" panicked at ");
    if (at == std::string_view::npos) return;
    const std::optional<OutputLocation> location = leading_location(line.substr(at + 13));
    const std::string_view thread = line.substr(0, line.find('\''));
    // A test in documentation is a program of its own, whose lines are not those of the file.
    const std::optional<std::size_t> test = thread == "main" ? current_ : found(thread);
    // Only the first panic of a test is reported.
    if (!location || !test || !failed_.tests[*test].message.empty()) return;
    if (failed_.tests[*test].at.line == 0) failed_.tests[*test].at = *location;
    panicked_ = test;
  }

  // Reads the message of a panic, and the two values of an assertion. Returns false if the line is no part of
  // it.
  bool message(std::string_view line) {
    std::string& message = failed_.tests[*panicked_].message;
    line = trimmed(line);
    const bool is_left = line.starts_with("left: ");
    if (message.empty()) {
      message = line;
    } else if (is_left || line.starts_with("right: ")) {
      message.append(is_left ? " (" : ", ").append(line).append(is_left ? "" : ")");
    } else {
      panicked_.reset();
      return false;
    }
    return true;
  }

  FailedTests& failed_;
  std::map<std::string_view, std::size_t> latest_;  // The latest failed test of each name.
  std::optional<std::size_t> current_;              // The test whose output is being read.
  std::optional<std::size_t> panicked_;             // The test whose message is being read.
};

// The programs that cargo ran and that ended early: those of tests, and build scripts:
//
//     error: test failed, to rerun pass `--test it`
//
//     Caused by:
//       process didn't exit successfully: `/shop/target/debug/deps/it-0` (signal: 6, SIGABRT: …)
//
// What a build script printed follows.
class CargoPrograms {
 public:
  CargoPrograms(const OutputPathResolver& places, FailedTests& failed) : places_(places), failed_(failed) {}

  void line(std::string_view line) {
    std::string_view rest = trimmed(line);
    if (take_prefix(rest, "Running ")) {
      take_prefix(rest, "unittests ");
      const std::size_t open = rest.find(" (");
      if (open != std::string_view::npos && rest.ends_with(')'))
        sources_[file_name(rest.substr(0, rest.size() - 1))] = rest.substr(0, open);
    } else if (take_prefix(rest, "error: test failed, to rerun pass `")) {
      end();
      tests_ = rest.substr(0, rest.find('`'));
    } else if (take_prefix(rest, "error: failed to run custom build command for `")) {
      end();
      package_ = rest.substr(0, rest.find('`'));
    } else if (take_prefix(rest, "process didn't exit successfully: `")) {
      ended(rest);
    } else if (is_script_ && !line.empty() && !line.starts_with(' ')) {
      end();
    } else if (is_script_) {
      printed(rest);
    }
  }

  void end() {
    if (is_script_) {
      const std::size_t open = std::min(package_.find(" ("), package_.size());
      const std::string_view folder = trimmed(package_.substr(std::min(open + 2, package_.size())));
      const bool is_at_root = folder.substr(0, folder.find(')')) == places_.root;
      failed_.tests.push_back({.message = "the build script of " + std::string(package_.substr(0, open)) +
                                          " failed: " + std::string(printed_.empty() ? how_ : printed_),
                               .at = is_at_root ? at_ : OutputLocation(),
                               .is_file = true});
    }
    is_script_ = is_message_next_ = has_panicked_ = false;
    package_ = tests_ = printed_ = {};
    at_ = {};
  }

 private:
  static std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

  // Parses "/shop/target/debug/deps/it-0` (exit status: 3)".
  void ended(std::string_view line) {
    const std::size_t tick = line.find('`'), open = line.rfind(" (");
    // rustc fails like this, too.
    if (tick == std::string_view::npos || open < tick || (tests_.empty() && package_.empty())) return;
    how_ = line.substr(open + 2, line.rfind(')') - open - 2);
    is_script_ = !package_.empty();
    if (is_script_) return;
    const std::string_view program = line.substr(0, std::min(line.find(' '), tick));
    const auto source = sources_.find(file_name(program));
    // The source of a package in a workspace is relative to that package.
    const bool is_placed = source != sources_.end() && !tests_.starts_with("-p ");
    failed_.tests.push_back(
        {.message = "the tests of " + std::string(tests_) + " ended early: " + std::string(how_),
         .at = {.path = is_placed ? source->second : std::string_view()},
         .is_file = true});
    tests_ = {};
  }

  // Reads what a build script printed: its panic, or the last line.
  void printed(std::string_view line) {
    const std::size_t panic = line.find(" panicked at ");
    if (line.starts_with("thread '") && panic != std::string_view::npos) {
      is_message_next_ = true;
      at_ = leading_location(line.substr(panic + 13)).value_or(OutputLocation());
    } else if (!line.empty() && !has_panicked_ && !line.starts_with("--- ") && !line.starts_with("cargo:")) {
      printed_ = line;
      has_panicked_ = is_message_next_;
    }
  }

  const OutputPathResolver& places_;
  FailedTests& failed_;
  std::map<std::string_view, std::string_view> sources_;  // By the name of the program.
  std::string_view tests_, package_;  // What the latest error is about: tests, or a build script.
  std::string_view how_, printed_;
  OutputLocation at_;
  bool is_script_ = false;  // The lines are what a build script printed.
  bool is_message_next_ = false, has_panicked_ = false;
};

// Go's text: "    --- FAIL: TestSum/small (0.00s)", and "sum_test.go:8: Sum(1, 1) = 2" after it or, with -v,
// before it. The file's folder is not printed, so the message has the location.
class GoTextTests {
 public:
  GoTextTests(const OutputPathResolver&, FailedTests& failed) : failed_(failed) {}

  void line(std::string_view line) {
    const bool is_indented = line.starts_with(' ');
    std::string_view rest = trimmed(line);
    if (rest.starts_with("=== ")) {
      end();
      logged_ = {};
      is_verbose_ = true;
    } else if (take_prefix(rest, "--- FAIL: ")) {
      begin(rest.substr(0, rest.rfind(" (")));
    } else if (rest.starts_with("--- ") || (rest.starts_with("FAIL") && !is_indented)) {
      end();
      logged_ = {};
    } else if (is_log(rest, is_indented)) {
      std::string_view& message = test_.empty() || is_verbose_ ? logged_ : message_;
      if (message.empty()) message = rest;
    }
  }

  void end() {
    if (!test_.empty())
      failed_.tests.push_back({.name = std::string(test_), .message = std::string(message_)});
    test_ = message_ = {};
  }

 private:
  static bool is_log(std::string_view line, bool is_indented) {
    if (!is_indented) return line.starts_with("panic: ");
    const std::optional<OutputLocation> at = leading_location(line);
    return at && at->path.ends_with(".go");
  }

  void begin(std::string_view name) {
    // A test with failed subtests is printed before them, and only repeats their result.
    const bool is_parent = !test_.empty() && name.starts_with(test_) && name[test_.size()] == '/';
    if (is_parent && message_.empty()) test_ = {};
    end();
    test_ = name;
    message_ = std::exchange(logged_, {});
  }

  FailedTests& failed_;
  bool is_verbose_ = false;
  std::string_view test_, message_;
  std::string_view logged_;  // The first log line since the last result, of a test whose result follows.
};

// GoogleTest's "[ RUN      ] Sum.adds", "/shop/sum_test.cc:8: Failure", the message, and
// "[  FAILED  ] Sum.adds (0 ms)".
class GoogleTests {
 public:
  GoogleTests(const OutputPathResolver&, FailedTests& failed) : failed_(failed) {}

  void line(std::string_view line) {
    std::string_view rest = line;
    if (take_prefix(rest, "[ RUN      ] ")) {
      at_ = {};
      message_ = {};
      in_message_ = false;
    } else if (take_prefix(rest, "[  FAILED  ] ")) {
      in_message_ = false;
      // The list at the end has no durations.
      if (!rest.ends_with(" ms)")) return;
      rest = rest.substr(0, rest.rfind(" ("));
      failed_.tests.push_back({.name = std::string(rest), .message = one_line(message_), .at = at_});
    } else if (const std::optional<OutputLocation> at = leading_location(line); at && at->rest == "Failure") {
      // Only the first failure of a test is reported.
      in_message_ = at_.path.empty();
      if (in_message_) at_ = *at;
    } else if (line.starts_with("[ ") || trimmed(line).empty()) {
      in_message_ = false;
    } else if (in_message_) {
      message_ = joined_views(message_, line);
    }
  }
  void end() {}

 private:
  // The values that were compared are on separate lines.
  static std::string one_line(std::string_view text) {
    std::string words;
    std::string_view line;
    while (next_line(text, line)) words.append(words.empty() ? "" : " ").append(trimmed(line));
    return words;
  }

  FailedTests& failed_;
  OutputLocation at_;
  bool in_message_ = false;
  std::string_view message_;
};

// CTest's list "The following tests FAILED:", with lines such as "2 - fails (Failed)". With
// --output-on-failure the output of a test follows its line "2/3 Test #2: fails ....***Failed  0.01 sec".
class CtestTests {
 public:
  CtestTests(const OutputPathResolver& places, FailedTests& failed) : places_(places), failed_(failed) {}

  void line(std::string_view line) {
    if (line == "The following tests FAILED:") {
      in_list_ = true;
      number_ = 0;
      return;
    }
    std::string_view rest = trimmed(line);
    const std::optional<std::int64_t> number = take_number(rest);
    if (const std::optional<ListedTest> test = in_list_ ? listed_test_of_ctest(line) : std::nullopt)
      return list(*test);
    in_list_ = false;
    if (number && take_prefix(rest, "/") && take_number(rest)) {
      rest = trimmed(rest);
      const bool is_test = take_prefix(rest, "Test ");
      rest = trimmed(rest);
      number_ = is_test && take_prefix(rest, "#") ? take_number(rest).value_or(0) : 0;
    } else if (line.find("% tests passed, ") != std::string_view::npos ||
               trimmed(line).starts_with("Start ")) {
      number_ = 0;
    } else if (number_ > 0 && !trimmed(line).empty()) {
      outputs_[number_] = joined_views(outputs_[number_], line);
    }
  }
  void end() {}

 private:
  void list(const ListedTest& listed) {
    PrintedFailure printed = printed_failure(outputs_[listed.number], places_);
    FailedTest test{.name = std::string(listed.name), .message = std::string(listed.reason)};
    if (listed.reason == "Timeout") {
      test.message = "did not end in time";
    } else if (!printed.message.empty()) {
      test.message = std::move(printed.message);
    }
    test.at = printed.at;
    failed_.tests.push_back(std::move(test));
  }

  const OutputPathResolver& places_;
  FailedTests& failed_;
  bool in_list_ = false;
  std::int64_t number_ = 0;  // The number of the test whose output is being read; 0 if there is none.
  std::map<std::int64_t, std::string_view> outputs_;
};

// Meson's lines such as "2/3 shop:unit / fails   FAIL   0.01s   exit status 1".
class MesonTests {
 public:
  MesonTests(const OutputPathResolver&, FailedTests& failed) : failed_(failed) {}

  void line(std::string_view line) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> results = {
        {{" FAIL ", ""},
         {" ERROR ", ""},
         {" TIMEOUT ", "did not end in time"},
         {" UNEXPECTEDPASS ", "passed, but should fail"}}};
    line = trimmed(line);
    const std::optional<std::int64_t> number = take_number(line);
    if (!number || !take_prefix(line, "/") || !take_number(line)) return;
    for (const auto& [result, text] : results) {
      const std::size_t end = line.find(result);
      // The summary repeats the lines.
      if (end == std::string_view::npos || !seen_.insert(*number).second) continue;
      std::string_view message = text;
      if (message.empty()) message = meson_reason(line.substr(end + result.size()));
      failed_.tests.push_back(
          {.name = std::string(trimmed(line.substr(0, end))), .message = std::string(message)});
    }
  }
  void end() {}

 private:
  FailedTests& failed_;
  std::set<std::int64_t> seen_;
};

}  // namespace

std::optional<ListedTest> listed_test_of_ctest(std::string_view line) {
  std::string_view rest = trimmed(line);
  const std::optional<std::int64_t> number = take_number(rest);
  if (!number || !take_prefix(rest, " - ")) return std::nullopt;
  const std::size_t open = rest.rfind(" (");
  if (open == std::string_view::npos) return std::nullopt;
  return ListedTest{.number = *number,
                    .name = rest.substr(0, open),
                    .reason = rest.substr(open + 2, rest.find(')', open) - open - 2)};
}

std::string_view meson_reason(std::string_view text) {
  const std::string_view rest = trimmed(text);
  return trimmed(rest.substr(std::min(rest.find(' '), rest.size())));
}

void add_failed_tests_of_compiled(std::string_view text, const OutputPathResolver& places,
                                  FailedTests& failed) {
  // A search is much faster than reading all lines.
  const auto has = [&](std::string_view mark) { return text.find(mark) != std::string_view::npos; };
  if (has(" ... FAILED")) add_failed_tests_of<CargoTests>(text, places, failed);
  if (has("process didn't exit successfully: ")) add_failed_tests_of<CargoPrograms>(text, places, failed);
  if (has("--- FAIL: ")) add_failed_tests_of<GoTextTests>(text, places, failed);
  if (has("[  FAILED  ] ")) add_failed_tests_of<GoogleTests>(text, places, failed);
  if (has("The following tests FAILED:")) add_failed_tests_of<CtestTests>(text, places, failed);
  if (has("Unexpected Pass:")) add_failed_tests_of<MesonTests>(text, places, failed);
}

}  // namespace snapgen::core
