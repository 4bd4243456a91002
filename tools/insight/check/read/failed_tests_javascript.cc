// Finds the failed tests of node --test, jest, vitest, mocha and Bun in their text.
#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "tools/engine/files/path.h"
#include "tools/insight/check/read/failed_tests.h"
#include "tools/insight/check/read/node_load_error.h"

namespace snapgen::core {
namespace {

// Returns the first location of the workspace in the lines of a stack trace, which begin with `mark`.
OutputLocation location_in_stack(std::string_view text, std::string_view mark,
                                 const OutputPathResolver& places) {
  std::string_view line;
  while (next_line(text, line)) {
    line = trimmed(line);
    if (!line.starts_with(mark)) continue;
    if (const std::optional<OutputLocation> at = first_workspace_location(line, places)) return *at;
  }
  return {};
}

// Parses a location such as n/a.test.mjs:3:1 that is the whole text.
OutputLocation location_of(std::string_view text) {
  const std::size_t column = text.rfind(':');
  const std::size_t line =
      column == std::string_view::npos || column == 0 ? std::string_view::npos : text.rfind(':', column - 1);
  if (line == std::string_view::npos) return {};
  std::string_view line_text = text.substr(line + 1), column_text = text.substr(column + 1);
  return {.path = text.substr(0, line),
          .line = take_number(line_text).value_or(0),
          .column = take_number(column_text).value_or(0)};
}

// Removes the duration at the end: "adds (1.5ms)", and what the reporter writes after it. Returns nullopt if
// there is none.
std::optional<std::string_view> name_without_duration(std::string_view text) {
  const std::size_t end = text.rfind("ms)");
  const std::size_t begin = end == std::string_view::npos ? end : text.rfind(" (", end);
  if (begin == std::string_view::npos) return std::nullopt;
  const std::string_view number = text.substr(begin + 2, end - begin - 2);
  if (number.empty() || number.find_first_not_of("0123456789.") != std::string_view::npos)
    return std::nullopt;
  return text.substr(0, begin);
}

// The reporters spec and dot of node --test. They repeat the failed tests at the end, below a title:
//
//     test at n/a.test.mjs:5:3
//     ✖ adds wrongly (1.69ms)
//       AssertionError [ERR_ASSERTION]: …
//
// The reporter dot lacks the first of these lines.
class NodeTests {
 public:
  NodeTests(const OutputPathResolver& places, FailedTests& failed)
      : places_(places), failed_(failed), load_error_(places) {}

  void line(std::string_view line) {
    if (line == "✖ failing tests:" || line == "Failed tests:") {
      end();
      is_listing_ = true;
      return;
    }
    if (is_listing_ && list(line)) return;
    end();
    count(line);
    std::string_view rest = line;
    const bool is_failed = take_prefix(rest, "✖ ");
    if (is_failed || line.starts_with("✔ ")) {
      if (is_failed && !load_error_.message().empty())
        if (const std::optional<std::string_view> name = name_without_duration(rest))
          load_errors_.insert_or_assign(*name, load_error_);
      load_error_.reset();
    } else {
      load_error_.read_line(line);
    }
  }

  void end() {
    finish_test();
    if (is_listing_ && stated_ > listed_) failed_.counted_parents += stated_ - listed_;
    if (is_listing_) stated_ = listed_ = 0;
    is_listing_ = false;
  }

 private:
  // Counts what the summary states: "ℹ fail 3".
  void count(std::string_view line) {
    if (!take_prefix(line, "ℹ ")) return;
    if (take_prefix(line, "tests ")) stated_ = 0;
    if (take_prefix(line, "fail ") || take_prefix(line, "cancelled "))
      stated_ += take_number(line).value_or(0);
  }

  // Reads a line of the list. Returns false if the list has ended.
  bool list(std::string_view line) {
    std::string_view rest = line;
    if (line.empty() || line.starts_with("  ")) {
      if (name_ && !line.empty()) text_ = joined_views(text_, line);
      return true;
    }
    if (take_prefix(rest, "test at ")) {
      finish_test();
      at_ = location_of(rest);
      return true;
    }
    if (!take_prefix(rest, "✖ ")) return false;
    const std::optional<std::string_view> name = name_without_duration(rest);
    if (!name) return false;
    finish_test();
    name_ = name;
    return true;
  }

  void finish_test() {
    if (!name_) return;
    // A test that failed because of an inner one only repeats its result.
    if (!is_count_of_subtests(trimmed(text_))) add_test();
    name_.reset();
    text_ = {};
    at_ = {};
  }

  // Returns whether the text is "'2 subtests failed'".
  static bool is_count_of_subtests(std::string_view text) {
    return take_prefix(text, "'") && take_number(text) &&
           (text == " subtest failed'" || text == " subtests failed'");
  }

  void add_test() {
    ++listed_;
    FailedTest test{.name = std::string(*name_), .message = failure_message(text_), .at = at_};
    const std::size_t last = test.message.size() - 1;
    if (test.message.size() > 2 && test.message[0] == '\'' && test.message[last] == '\'')
      test.message = test.message.substr(1, last - 1);
    // If node cannot load a file, it reports the path as the name of a failed test, and prints the error
    // before it.
    if (test.message == "test failed" && (name_->starts_with('/') || *name_ == at_.path)) {
      test.at = {.path = *name_};
      test.name.clear();
      if (const auto error = load_errors_.find(*name_); error != load_errors_.end()) {
        test.message = error->second.message();
        if (const OutputLocation at = error->second.location(); !at.path.empty()) test.at = at;
      }
    } else if (const OutputLocation thrown = location_in_stack(text_, "at ", places_); !thrown.path.empty()) {
      // The location where the error was thrown is more useful than that of the test.
      test.at = thrown;
    }
    failed_.tests.push_back(std::move(test));
  }

  const OutputPathResolver& places_;
  FailedTests& failed_;
  bool is_listing_ = false;
  std::int64_t stated_ = 0, listed_ = 0;  // How many tests of this run the summary and the list have.
  std::optional<std::string_view> name_;  // The name of the test that is being read.
  std::string_view text_;                 // What the list has about it.
  OutputLocation at_;
  NodeLoadError load_error_;                               // Reads the lines since the last result.
  std::map<std::string_view, NodeLoadError> load_errors_;  // The errors that were printed, by test.
};

// Returns the parts of a name with a blank between them, as in the reports of jest and vitest.
std::string name_of_parts(std::string_view text, std::string_view separator) {
  std::string name;
  while (true) {
    const std::size_t end = std::min(text.find(separator), text.size());
    name.append(name.empty() ? "" : " ").append(text.substr(0, end));
    if (end == text.size()) return name;
    text.remove_prefix(end + separator.size());
  }
}

// Jest's text: "FAIL j/sum.test.js", and below it for each failed test "  ● sum › adds wrongly".
class JestTests {
 public:
  JestTests(const OutputPathResolver& places, FailedTests& failed) : places_(places), failed_(failed) {}

  void line(std::string_view line) {
    std::string_view rest = line;
    if (take_prefix(rest, "FAIL ")) {
      end();
      if (const std::size_t time = rest.find(" ("); time != std::string_view::npos)
        rest = rest.substr(0, time);
      // The name of a project is before the path.
      rest = trimmed(rest);
      file_ = rest.substr(rest.rfind(' ') + 1);
    } else if (!line.empty() && line[0] != ' ') {
      end();
      file_ = {};
    } else if (!file_.empty() && take_prefix(rest, "  ● ")) {
      end();
      if (rest != "Console") name_ = rest;
    } else if (!name_.empty()) {
      text_ = joined_views(text_, line);
    }
  }

  void end() {
    if (name_.empty()) return;
    FailedTest test{.message = failure_message(text_), .at = location_in_stack(text_, "at ", places_)};
    test.is_file = name_ == "Test suite failed to run";
    if (!test.is_file) test.name = name_of_parts(name_, " › ");
    if (test.is_file) {
      std::string_view text = text_, line;
      while (next_line(text, line))
        if (line = trimmed(line); line.starts_with("SyntaxError: ")) test.message = line;
    }
    // The paths in a stack trace are relative to the project of the test, and not to the working directory.
    if (test.at.path.empty() || base_name(test.at.path) == base_name(file_)) test.at.path = file_;
    // With many failures, jest prints them again at the end.
    const auto is_same = [&](const FailedTest& each) {
      return each.name == test.name && each.at.path == test.at.path && each.at.line == test.at.line;
    };
    if (std::ranges::none_of(failed_.tests, is_same)) failed_.tests.push_back(std::move(test));
    name_ = text_ = {};
  }

 private:
  const OutputPathResolver& places_;
  FailedTests& failed_;
  std::string_view file_, name_, text_;
};

// Vitest's text: " FAIL  v/sum.test.mjs > sum > adds wrongly", then the error, then "❯ v/sum.test.mjs:5:19".
class VitestTests {
 public:
  VitestTests(const OutputPathResolver& places, FailedTests& failed) : places_(places), failed_(failed) {}

  void line(std::string_view line) {
    std::string_view rest = line;
    if (take_prefix(rest, " FAIL  ")) {
      // Tests that failed with the same error follow each other.
      if (!text_.empty()) end();
      if (rest.starts_with('|'))
        rest = trimmed(rest.substr(std::min(rest.find('|', 1), rest.size() - 1) + 1));
      titles_.push_back(trimmed(rest));
    } else if (line.starts_with("⎯⎯")) {
      end();
    } else if (!titles_.empty() && !trimmed(line).empty()) {
      text_ = joined_views(text_, line);
    }
  }

  void end() {
    for (const std::string_view title : titles_) {
      FailedTest test{.message = failure_message(text_), .at = location_in_stack(text_, "❯ ", places_)};
      const std::size_t path_end = title.find(" > ");
      test.is_file = path_end == std::string_view::npos;
      if (!test.is_file) test.name = name_of_parts(title.substr(path_end + 3), " > ");
      if (test.at.path.empty()) test.at.path = title.substr(0, std::min(path_end, title.find(" [ ")));
      failed_.tests.push_back(std::move(test));
    }
    titles_.clear();
    text_ = {};
  }

 private:
  const OutputPathResolver& places_;
  FailedTests& failed_;
  std::vector<std::string_view> titles_;
  std::string_view text_;
};

// Mocha's text, after the summary: "  2) sum", then lines with the inner titles, of which the last one ends
// with a colon, then the error.
class MochaTests {
 public:
  MochaTests(const OutputPathResolver& places, FailedTests& failed) : places_(places), failed_(failed) {}

  void line(std::string_view line) {
    std::string_view rest = line;
    if (take_prefix(rest, "  ") && take_number(rest) && rest == " failing") {
      end();
      next_ = 1;
      is_blank_next_ = true;
      return;
    }
    // The list follows an empty line; anything else follows what a test printed.
    if (std::exchange(is_blank_next_, false) && !line.empty()) next_ = 0;
    if (next_ == 0) return;
    rest = line;
    if (take_prefix(rest, "  ") && take_number(rest) == next_ && take_prefix(rest, ") ")) {
      end();
      ++next_;
      in_title_ = true;
      title(rest);
    } else if (in_title_) {
      title(line);
    } else if (!name_.empty()) {
      text_ = joined_views(text_, line);
    }
  }

  void end() {
    if (!name_.empty())
      failed_.tests.push_back(
          {.name = name_, .message = failure_message(text_), .at = location_in_stack(text_, "at ", places_)});
    name_.clear();
    text_ = {};
  }

 private:
  void title(std::string_view line) {
    line = trimmed(line);
    in_title_ = !line.ends_with(':');
    if (!in_title_) line.remove_suffix(1);
    name_.append(name_.empty() ? "" : " ").append(line);
  }

  const OutputPathResolver& places_;
  FailedTests& failed_;
  std::int64_t next_ = 0;  // The number of the next test in the list; 0 before the list.
  bool in_title_ = false;
  bool is_blank_next_ = false;
  std::string name_;
  std::string_view text_;
};

// Vitest's errors outside of tests: below "⎯⎯ Unhandled Errors ⎯⎯", each error begins with a title such as
// "⎯⎯ Uncaught Exception ⎯⎯", and the last one ends with a line.
class VitestErrors {
 public:
  VitestErrors(const OutputPathResolver& places, FailedTests& failed) : places_(places), failed_(failed) {}

  void line(std::string_view line) {
    if (line.starts_with("⎯⎯")) {
      end();
      const bool is_title = line.find(' ') != std::string_view::npos;
      if (line.find(" Unhandled Errors ") != std::string_view::npos)
        in_list_ = true;
      else
        in_error_ = in_list_ && is_title;
      in_list_ = in_list_ && is_title;
    } else if (in_error_ && !trimmed(line).empty()) {
      text_ = joined_views(text_, line);
    }
  }

  void end() {
    if (text_.empty()) return;
    FailedTest error{.message = "outside of the tests: " + failure_message(text_),
                     .at = location_in_stack(text_, "❯ ", places_)};
    error.is_file = true;
    if (const std::size_t cause = text_.find("\nCaused by: "); cause != std::string_view::npos)
      error.message.append("; ").append(failure_message(text_.substr(cause + 12)));
    failed_.tests.push_back(std::move(error));
    text_ = {};
  }

 private:
  const OutputPathResolver& places_;
  FailedTests& failed_;
  bool in_list_ = false, in_error_ = false;
  std::string_view text_;
};

// Bun's text: "src/door.test.ts:", an excerpt of the code, "error: …", "at <anonymous>
// (/w/door.test.ts:5:17)", and then "(fail) door > locks [1.37ms]". A file that cannot be loaded has no such
// line, but counts as a test.
class BunTests {
 public:
  BunTests(const OutputPathResolver& places, FailedTests& failed) : places_(places), failed_(failed) {}

  void line(std::string_view line) {
    std::string_view rest = line;
    const bool is_failed = take_prefix(rest, "(fail) ");
    if (line.ends_with(':') && !line.starts_with(' ') && line.find('.') != std::string_view::npos &&
        line.find(": ") == std::string_view::npos && !line.starts_with("error:")) {
      text_ = {};
      file_ = line.substr(0, line.size() - 1);
    } else if (is_failed) {
      if (const std::size_t time = rest.rfind(" ["); time != std::string_view::npos && rest.ends_with("ms]"))
        rest = rest.substr(0, time);
      add(name_of_parts(rest, " > "));
    } else if (line.starts_with("(pass) ") || line.starts_with("(skip) ") || line.starts_with("(todo) ")) {
      text_ = {};
    } else if (line == "# Unhandled error between tests") {
      text_ = {};
      is_outside_ = true;
    } else if (line.starts_with("-----") && is_outside_ && !text_.empty()) {
      is_outside_ = false;
      add({});
    } else if (!text_.empty() || line.starts_with("error: ") || is_error_name(line)) {
      text_ = joined_views(text_, line);
    }
  }
  void end() {}

 private:
  // Returns whether the line begins with the name of an error: "TypeError: x is not a function".
  static bool is_error_name(std::string_view line) {
    const std::string_view word = line.substr(0, line.find(": "));
    return word.ends_with("Error") && word.find(' ') == std::string_view::npos;
  }

  void add(std::string name) {
    std::string_view text = text_;
    take_prefix(text, "error: ");
    FailedTest test{.name = std::move(name),
                    .message = failure_message(text),
                    .at = location_in_stack(text_, "at ", places_)};
    if (test.at.path.empty()) test.at.path = file_;
    failed_.tests.push_back(std::move(test));
    text_ = {};
  }

  const OutputPathResolver& places_;
  FailedTests& failed_;
  std::string_view file_, text_;
  bool is_outside_ = false;  // The next error is not that of a test.
};

}  // namespace

void add_failed_tests_of_javascript(std::string_view text, const OutputPathResolver& places,
                                    FailedTests& failed) {
  // A search is much faster than reading all lines.
  const auto has = [&](std::string_view mark) { return text.find(mark) != std::string_view::npos; };
  if (has("✖ ")) add_failed_tests_of<NodeTests>(text, places, failed);
  if (has("  ● ")) add_failed_tests_of<JestTests>(text, places, failed);
  if (has(" FAIL  ")) add_failed_tests_of<VitestTests>(text, places, failed);
  if (has(" Unhandled Errors ")) add_failed_tests_of<VitestErrors>(text, places, failed);
  if (has(" failing\n")) add_failed_tests_of<MochaTests>(text, places, failed);
  if (has("bun test v")) add_failed_tests_of<BunTests>(text, places, failed);
}

void add_errors_missing_in_jest_json(std::string_view output, const OutputPathResolver& places,
                                     ParsedOutput& parsed) {
  const std::string text = sanitized_output(output);
  FailedTests outside;
  add_failed_tests_of<VitestErrors>(text, places, outside);
  FindingCollector found(places, parsed);
  for (const FailedTest& each : outside.tests) found.add_diagnostic(true, each.at, "", each.message);
  std::string_view rest = text, line;
  while (next_line(rest, line))
    if (line.starts_with("Jest: ") || line.starts_with("ERROR: Coverage for "))
      found.add_diagnostic(true, {}, "", line);
}

}  // namespace snapgen::core
