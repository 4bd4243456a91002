// Parser of TAP 13 and 14, and of the diagnostics of node --test.
#include <string>
#include <utility>
#include <vector>

#include "tools/engine/base/phrase.h"
#include "tools/insight/check/read/collect.h"
#include "tools/insight/check/read/failed_tests.h"
#include "tools/insight/check/read/node_load_error.h"

namespace snapgen::core {
namespace {

std::size_t indent_of(std::string_view line) { return std::min(line.find_first_not_of(' '), line.size()); }

// Returns the value of a YAML scalar: 'text', "text" or text.
std::string_view unquoted(std::string_view value) {
  value = trimmed(value);
  const bool quoted =
      value.size() >= 2 && (value.front() == '\'' || value.front() == '"') && value.back() == value.front();
  return quoted ? value.substr(1, value.size() - 2) : value;
}

// Returns a name without the escapes of "#" and the backslash.
std::string unescaped_name(std::string_view name) {
  std::string plain;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '\\' && i + 1 < name.size() && (name[i + 1] == '#' || name[i + 1] == '\\')) ++i;
    plain += name[i];
  }
  return plain;
}

class Tap {
 public:
  Tap(const OutputPathResolver& places, ParsedOutput& parsed)
      : places_(places), parsed_(parsed), found_(places, parsed), load_error_(places) {}

  void line(std::string_view line) {
    const std::size_t indent = indent_of(line);
    const std::string_view text = trimmed(line);
    if (in_diagnostics_) return diagnostics(text, indent);
    if (pending_ && text == "---") {
      in_diagnostics_ = true;
      diagnostics_indent_ = indent;
      return;
    }
    finish_test();
    if (std::string_view comment = text; take_prefix(comment, "# ") && !comment.starts_with("Subtest: "))
      load_error_.read_line(comment);
    if (text.starts_with("Bail out!")) return found_.add_failed_test({}, "", text);
    std::string_view rest = text;
    if (indent == 0 && take_prefix(rest, "1..")) planned_ += take_number(rest).value_or(0);
    rest = text;
    const bool is_failure = take_prefix(rest, "not ok");
    if (!is_failure && !take_prefix(rest, "ok")) return;
    if (!rest.empty() && rest[0] != ' ') return;
    parsed_.is_understood = true;
    if (indent == 0) ++top_level_;
    test(indent, is_failure, trimmed(rest));
  }

  void end() {
    finish_test();
    add_cancelled();
    // Whether planned tests that did not run would have failed is unknown.
    if (planned_ > top_level_)
      found_.add_diagnostic(true, {}, "",
                            "the output ended early: of " + count_with_noun(planned_, "planned test") + ", " +
                                std::to_string(top_level_) + " ran");
  }

 private:
  struct Failed {
    std::string_view name;
    std::string_view message;
    OutputLocation at;
    bool has_failed_children = false;
    std::string_view failure_type = {};            // Of Node.js, such as hookFailed.
    std::string_view exit_code = {}, signal = {};  // How the program of a file ended; of Node.js.
    std::string_view expected = {}, actual = {};   // The values that an assertion compared.
  };

  void test(std::size_t indent, bool is_failure, std::string_view rest) {
    take_number(rest);
    rest = trimmed(rest);
    take_prefix(rest, "- ");
    std::string_view directive;
    // Other words behind the sign belong to the name.
    if (const std::size_t hash = rest.rfind(" # ");
        hash != std::string_view::npos && is_directive(rest.substr(hash + 3))) {
      directive = rest.substr(hash + 3);
      rest = rest.substr(0, hash);
    } else if (take_prefix(rest, "# ")) {
      directive = rest;
      rest = {};
    }
    // Levels with a deeper indentation are the children of this test. A test with children only repeats their
    // result, so only the children count.
    bool had_children = false, child_failed = false;
    while (!levels_.empty() && levels_.back().indent > indent) {
      had_children = true;
      child_failed = child_failed || levels_.back().failed;
      levels_.pop_back();
    }
    if (levels_.empty() || levels_.back().indent < indent) levels_.push_back({.indent = indent});
    const bool is_todo = is(directive, "todo");
    if (is_todo || is(directive, "skip")) {
      ++(is_todo ? parsed_.tests.todo : parsed_.tests.skipped);
      return;
    }
    levels_.back().failed = levels_.back().failed || is_failure;
    if (!is_failure && !had_children) ++parsed_.tests.passed;
    if (is_failure)
      pending_ = Failed{.name = rest, .message = {}, .at = {}, .has_failed_children = child_failed};
  }

  static bool is_directive(std::string_view text) {
    return is(text, "todo") || is(text, "skip") || is(text, "time=");
  }

  static bool is(std::string_view directive, std::string_view word) {
    if (directive.size() < word.size()) return false;
    for (std::size_t i = 0; i < word.size(); ++i)
      if ((directive[i] | 0x20) != word[i]) return false;
    return true;
  }

  void diagnostics(std::string_view text, std::size_t indent) {
    if (text == "..." && indent <= diagnostics_indent_) {
      in_diagnostics_ = false;
      return finish_test();
    }
    Failed& failed = *pending_;
    // The lines of a text are indented more than its key.
    wants_text_ = wants_text_ && (text.empty() || indent > key_indent_);
    if (wants_text_) {
      if (!text.empty()) failed.message = joined_views(failed.message, text);
      return;
    }
    std::string_view value = text;
    if (take_prefix(value, "error:") || take_prefix(value, "message:")) {
      value = unquoted(value);
      wants_text_ = value == "|-" || value == "|" || value == ">-" || value == ">";
      key_indent_ = indent;
      if (!wants_text_ && failed.message.empty()) failed.message = value;
    } else if (take_prefix(value, "failureType:")) {
      failed.failure_type = unquoted(value);
    } else if (take_prefix(value, "exitCode:")) {
      failed.exit_code = unquoted(value);
    } else if (take_prefix(value, "signal:")) {
      failed.signal = unquoted(value);
    } else if (take_prefix(value, "expected:")) {
      failed.expected = unquoted(value);
    } else if (take_prefix(value, "actual:")) {
      failed.actual = unquoted(value);
    } else if (take_prefix(value, "location:")) {
      if (failed.at.path.empty()) place(unquoted(value));
    } else if (take_prefix(value, "stack:")) {
      in_stack_ = true;
    } else if (in_stack_) {
      // The location where the error was thrown is more useful than that of the test.
      if (const std::optional<OutputLocation> thrown = first_workspace_location(text, places_)) {
        failed.at = *thrown;
        in_stack_ = false;
      }
    } else if (take_prefix(value, "file:")) {
      failed.at.path = unquoted(value);
    } else if (take_prefix(value, "line:")) {
      value = trimmed(value);
      failed.at.line = take_number(value).value_or(0);
    } else if (take_prefix(value, "column:")) {
      value = trimmed(value);
      failed.at.column = take_number(value).value_or(0);
    }
  }

  // Parses a location such as /folder/a.test.js:3:1.
  void place(std::string_view text) {
    const std::size_t second = text.rfind(':');
    const std::size_t first =
        second == std::string_view::npos || second == 0 ? second : text.rfind(':', second - 1);
    if (first == std::string_view::npos || first == second) return;
    std::string_view line = text.substr(first + 1), column = text.substr(second + 1);
    pending_->at = {.path = text.substr(0, first),
                    .line = take_number(line).value_or(0),
                    .column = take_number(column).value_or(0),
                    .rest = {}};
  }

  void finish_test() {
    if (!pending_) return;
    if (pending_->has_failed_children) {
      finish_suite();
    } else if (is_unloaded_file(*pending_)) {
      add_unloaded_file();
    } else if (pending_->failure_type == "cancelledByParent") {
      cancelled_.push_back(*pending_);
    } else {
      found_.add_failed_test(pending_->at, unescaped_name(pending_->name), message_of(*pending_));
    }
    if (!pending_->has_failed_children) load_error_.reset();
    pending_.reset();
    wants_text_ = in_stack_ = false;
  }

  static std::string message_of(const Failed& failed) {
    if (!failed.message.empty() || failed.expected.empty() || failed.actual.empty())
      return failure_message(failed.message);
    return "expected: " + std::string(failed.expected) + ", actual: " + std::string(failed.actual);
  }

  // A suite with failed tests only repeats them, unless one of its hooks failed: that is why its tests were
  // cancelled.
  void finish_suite() {
    if (pending_->failure_type == "hookFailed")
      for (const Failed& each : std::exchange(cancelled_, {}))
        found_.add_failed_test(
            pending_->at, unescaped_name(each.name),
            failure_message(pending_->message) + " (in a hook of " + unescaped_name(pending_->name) + ")");
    else if (pending_->failure_type != "cancelledByParent")
      add_cancelled();
  }

  void add_cancelled() {
    for (const Failed& each : std::exchange(cancelled_, {}))
      found_.add_failed_test(each.at, unescaped_name(each.name), failure_message(each.message));
  }

  // Returns whether node could not load the file of a test: it then reports the path as the name of a failed
  // test, and prints the error before it.
  static bool is_unloaded_file(const Failed& failed) {
    const bool is_path =
        failed.name.starts_with('/') || failed.at.path.ends_with("/" + std::string(failed.name));
    return is_path && failed.message == "test failed";
  }

  void add_unloaded_file() {
    OutputLocation at = load_error_.location();
    // Node's location of such a test is always line 1, where the error is not.
    if (at.path.empty()) at.path = pending_->at.path.empty() ? pending_->name : pending_->at.path;
    std::string message(load_error_.message().empty() ? pending_->message : load_error_.message());
    if (!pending_->signal.empty() && pending_->signal != "~")
      message.append(": ended by ").append(pending_->signal);
    else if (load_error_.message().empty() && !pending_->exit_code.empty())
      message.append(": ended with exit code ").append(pending_->exit_code);
    found_.add_failed_test(at, "", message);
  }

  const OutputPathResolver& places_;
  ParsedOutput& parsed_;
  FindingCollector found_;
  std::optional<Failed> pending_;
  std::vector<Failed> cancelled_;  // Tests that did not run because their suite failed, not yet reported.
  bool in_diagnostics_ = false;
  std::size_t diagnostics_indent_ = 0;
  bool wants_text_ = false;  // The lines are the text of the latest key.
  std::size_t key_indent_ = 0;
  bool in_stack_ = false;
  NodeLoadError load_error_;  // Reads the TAP comments since the last failed test.
  struct Level {
    std::size_t indent = 0;
    bool failed = false;
  };
  std::vector<Level> levels_;  // Tests whose parent has not been read yet.
  // How many tests without a parent the plans announce, and how many there were.
  std::int64_t planned_ = 0;
  std::int64_t top_level_ = 0;
};

}  // namespace

ParsedOutput parse_tap(std::string_view bytes, const OutputPathResolver& places) {
  ParsedOutput parsed;
  parsed.is_understood = bytes.find("TAP version 1") != std::string_view::npos || bytes.starts_with("1..");
  const std::string text = sanitized_output(bytes);
  Tap tap(places, parsed);
  std::string_view rest = text, line;
  while (next_line(rest, line)) tap.line(line);
  tap.end();
  return parsed;
}

}  // namespace snapgen::core
