// Finds the failed tests of unittest and pytest in their text.
#include <algorithm>
#include <optional>
#include <set>

#include "tools/insight/check/read/failed_tests.h"

namespace snapgen::core {
namespace {

bool is_rule(std::string_view line, char c) {
  constexpr std::size_t characters_min = 20;
  return line.size() >= characters_min && line.find_first_not_of(c) == std::string_view::npos;
}

// Parses the line of a traceback that names a file: `  File "/shop/a.py", line 9, in f`.
std::optional<OutputLocation> frame_of(std::string_view line) {
  line = trimmed(line);
  if (!take_prefix(line, "File \"")) return std::nullopt;
  const std::size_t quote = line.find('"');
  if (quote == std::string_view::npos) return std::nullopt;
  OutputLocation at{.path = line.substr(0, quote)};
  line.remove_prefix(quote + 1);
  if (!take_prefix(line, ", line ")) return std::nullopt;
  at.line = take_number(line).value_or(0);
  return at;
}

bool is_workspace_file(std::string_view path, const OutputPathResolver& places) {
  if (path.find("site-packages/") != std::string_view::npos || path.starts_with('<')) return false;
  const bool is_inside =
      path.size() > places.root.size() && path.starts_with(places.root) && path[places.root.size()] == '/';
  return is_inside || !path.starts_with('/');
}

// unittest, whose failures are blocks:
//
//     ======================================================================
//     FAIL: test_b (tests.test_a.T.test_b)
//     ----------------------------------------------------------------------
//     Traceback (most recent call last):
//       …
//     AssertionError: 1 != 2
class UnittestTests {
 public:
  UnittestTests(const OutputPathResolver& places, FailedTests& failed) : places_(places), failed_(failed) {}

  void line(std::string_view line) {
    if (is_rule(line, '=')) {
      end();
      is_title_next_ = true;
      return;
    }
    const bool begins = is_title_next_ || expects_more_titles_;
    is_title_next_ = false;
    if (begins && title(line)) return;
    expects_more_titles_ = false;
    if (name_.empty()) return;
    if (is_rule(line, '-')) {
      if (is_traceback_) return end();
      is_traceback_ = true;
    } else if (is_traceback_) {
      traceback(line);
    }
  }

  void end() {
    if (!name_.empty()) failed_.tests.push_back({.name = name_, .message = message_, .at = at_});
    name_.clear();
    message_.clear();
    at_ = {};
    is_traceback_ = expects_more_titles_ = false;
  }

 private:
  // Parses "FAIL: test_b (tests.test_a.T.test_b) (i=1)".
  bool title(std::string_view line) {
    const bool is_success = take_prefix(line, "UNEXPECTED SUCCESS: ");
    if (!is_success && !take_prefix(line, "FAIL: ") && !take_prefix(line, "ERROR: ")) return false;
    end();
    const std::size_t open = line.find(" (");
    const std::size_t close = open == std::string_view::npos ? open : line.find(')', open);
    if (close == std::string_view::npos) return false;
    const std::string_view method = line.substr(0, open);
    // The methods that prepare tests are not unique without their class.
    const bool is_preparation = method.starts_with("setUp") || method.starts_with("tearDown");
    if (is_preparation || !seen_.insert(line.substr(0, close)).second) ++failed_.failures_beside_tests;
    name_ = is_preparation ? line : method;
    if (!is_preparation) name_ += line.substr(close + 1);
    if (is_success) message_ = "passed, but should fail";
    // Tests that passed unexpectedly are one block, without a line between them.
    expects_more_titles_ = is_success;
    return true;
  }

  void traceback(std::string_view line) {
    if (line.starts_with("Traceback (most recent call last)")) {
      has_error_ = false;
      return;
    }
    if (const std::optional<OutputLocation> frame = frame_of(line)) {
      if (is_workspace_file(frame->path, places_)) at_ = *frame;
      return;
    }
    if (has_error_ || line.empty() || line[0] == ' ') return;
    has_error_ = true;
    message_ = line;
  }

  const OutputPathResolver& places_;
  FailedTests& failed_;
  bool is_title_next_ = false;
  bool expects_more_titles_ = false;
  bool is_traceback_ = false;
  bool has_error_ = false;  // The error of the last traceback was read.
  std::string name_, message_;
  OutputLocation at_;
  std::set<std::string_view> seen_;  // The tests so far, with their classes.
};

// pytest, which prints the failures as blocks with a title, and at the end a line for each:
// "FAILED tests/test_app.py::test_adds - assert 2 == 3".
class PytestTests {
 public:
  PytestTests(const OutputPathResolver& places, FailedTests& failed) : places_(places), failed_(failed) {}

  void line(std::string_view line) {
    if (line.starts_with("====")) {
      in_summary_ = line.find(" short test summary info ") != std::string_view::npos;
      in_block_ = false;
      return;
    }
    if (in_summary_) return summary(line);
    if (line.starts_with("___") && line.ends_with("___")) {
      begin_block(line);
    } else if (in_block_) {
      block(line);
    }
  }

  void end() {
    // Without a summary, the blocks are all that names the tests.
    if (has_summary_) return;
    for (Block& each : blocks_)
      failed_.tests.push_back({.name = std::string(each.name), .message = each.message, .at = each.at});
  }

 private:
  struct Block {
    std::string_view name;  // The name of the test, such as "TestSum.test_needs_it", or the path of a file.
    std::string message;
    OutputLocation at;
    bool is_used = false;
  };

  void begin_block(std::string_view line) {
    const std::size_t begin = line.find(' '), end = line.rfind(' ');
    if (begin == std::string_view::npos || end <= begin) return;
    line = line.substr(begin + 1, end - begin - 1);
    for (std::string_view each : {"ERROR at setup of ", "ERROR at teardown of ", "ERROR collecting "})
      take_prefix(line, each);
    blocks_.push_back({.name = line, .message = {}, .at = {}});
    in_block_ = true;
    is_syntax_error_ = false;
  }

  void block(std::string_view line) {
    Block& last = blocks_.back();
    std::string_view rest = line;
    if (take_prefix(rest, "E ")) {
      rest = trimmed(rest);
      if (const std::optional<OutputLocation> frame = frame_of(rest)) {
        last.at = *frame;
        is_syntax_error_ = true;
        last.message.clear();
      } else if (last.message.empty() || (is_syntax_error_ && rest.starts_with("SyntaxError"))) {
        last.message = rest;
      }
      return;
    }
    if (is_syntax_error_) return;
    const std::optional<OutputLocation> at = leading_location_of_source(line);
    if (at && is_workspace_file(at->path, places_)) last.at = *at;
  }

  // Parses "FAILED path::Class::test - message" and "ERROR path - message".
  void summary(std::string_view line) {
    const bool is_error = take_prefix(line, "ERROR ");
    if (!is_error && !take_prefix(line, "FAILED ")) return;
    has_summary_ = true;
    const std::size_t dash = std::min(line.find(" - "), line.size());
    const std::string_view id = line.substr(0, dash);
    const std::size_t colons = id.find("::");
    const std::string_view path = id.substr(0, colons);
    std::string key(colons == std::string_view::npos ? path : id.substr(colons + 2));
    for (std::size_t at = key.find("::"); at != std::string::npos; at = key.find("::"))
      key.replace(at, 2, ".");
    FailedTest test{.name = colons == std::string_view::npos ? std::string() : key,
                    .message = std::string(dash < line.size() ? line.substr(dash + 3) : std::string_view()),
                    .at = {.path = path}};
    const auto found =
        std::ranges::find_if(blocks_, [&](const Block& each) { return !each.is_used && each.name == key; });
    if (found != blocks_.end()) {
      found->is_used = true;
      if (!found->message.empty()) test.message = found->message;
      if (!found->at.path.empty()) test.at = found->at;
    }
    failed_.tests.push_back(std::move(test));
  }

  const OutputPathResolver& places_;
  FailedTests& failed_;
  bool in_summary_ = false, has_summary_ = false;
  bool in_block_ = false;
  bool is_syntax_error_ = false;  // The block is about a syntax error, whose location is known.
  std::vector<Block> blocks_;
};

}  // namespace

void add_failed_tests_of_python(std::string_view text, const OutputPathResolver& places,
                                FailedTests& failed) {
  // A search is much faster than reading all lines.
  const auto has = [&](std::string_view mark) { return text.find(mark) != std::string_view::npos; };
  if (has("\nRan ")) add_failed_tests_of<UnittestTests>(text, places, failed);
  if (has("\n====") && (has("\n____") || has("\nFAILED ") || has("\nERROR ")))
    add_failed_tests_of<PytestTests>(text, places, failed);
}

}  // namespace snapgen::core
