// Parsers of JSON formats: one document, or one per line.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

#include "runtime/json/tree.h"
#include "tools/insight/check/read/collect.h"
#include "tools/insight/check/read/failed_tests.h"

namespace snapgen::core {
namespace {

using json::Kind;
using json::Value;

// Returns a member of `object` that is a string; empty if it is absent or not a string.
std::string_view text_member(const Value& object, std::string_view key) {
  if (!object.exists() || object.kind() != Kind::object) return {};
  const Value found = object.find(key);
  return found.exists() && found.kind() == Kind::string ? found.text() : std::string_view();
}

std::int64_t number_member(const Value& object, std::string_view key) {
  if (!object.exists() || object.kind() != Kind::object) return 0;
  const Value found = object.find(key);
  if (!found.exists() || found.kind() != Kind::number) return 0;
  constexpr double most = 1e9;
  const double number = std::strtod(std::string(found.text()).c_str(), nullptr);
  return std::isfinite(number) && std::abs(number) <= most ? static_cast<std::int64_t>(number) : 0;
}

// Calls each() for every object in `array`, if it is an array.
template <class F>
void for_items(const Value& array, F each) {
  if (!array.exists() || array.kind() != Kind::array) return;
  for (Value item = array.first_child(); item.exists(); item = item.next_sibling())
    if (item.kind() == Kind::object) each(item);
}

template <class F>
void for_items_of(const Value& object, std::string_view key, F each) {
  if (object.exists() && object.kind() == Kind::object) for_items(object.find(key), each);
}

// Returns the JSON text without the terminal escapes in its strings. vitest colours its messages in a pipe,
// too, because CI is set.
std::string without_escaped_colours(std::string text) {
  for (const std::string_view escape : {"\\u001b[", "\\u001B["}) {
    std::size_t at = 0;
    while ((at = text.find(escape, at)) != text.npos) {
      const std::size_t code = at + escape.size();
      const std::size_t end = std::min(text.find_first_not_of("0123456789;", code), text.size());
      // A backslash before it makes it the text of an escape.
      const bool is_colour = end < text.size() && text[end] == 'm' && (at == 0 || text[at - 1] != '\\');
      if (is_colour)
        text.erase(at, end + 1 - at);
      else
        at = code;
    }
  }
  return text;
}

// Parses the array that `text` consists of, or that follows other output in it.
bool parse_array(std::string_view text, json::Tree& tree) {
  const std::size_t begin = text.starts_with('[') ? 0 : text.find("\n[");
  if (begin == std::string_view::npos) return false;
  tree.parse(trimmed(text.substr(begin)));
  return tree.is_json() && tree.root().kind() == Kind::array;
}

bool parse_object(std::string_view text, json::Tree& tree) {
  const std::size_t begin = text.starts_with('{') ? 0 : text.find("\n{");
  if (begin == std::string_view::npos) return false;
  tree.parse(trimmed(text.substr(begin)));
  return tree.is_json() && tree.root().kind() == Kind::object;
}

// Calls each() for every line that is a JSON object. Returns the other lines.
template <class F>
std::string for_json_lines(std::string_view text, F each) {
  json::Tree tree;
  std::string others;
  std::string_view line;
  while (next_line(text, line)) {
    if (line.starts_with('{')) tree.parse(line);
    if (line.starts_with('{') && tree.is_json() && tree.root().kind() == Kind::object)
      each(tree.root());
    else
      others += std::string(line) + "\n";
  }
  return others;
}

ParsedOutput not_understood() {
  ParsedOutput parsed;
  parsed.is_understood = false;
  return parsed;
}

// Returns the line with "Error: ", because a message of Jest or Vitest has much advice around it. Without
// such a line, returns the text after Jest's heading.
std::string_view error_line(std::string_view text) {
  std::string_view rest = text, line;
  while (next_line(rest, line))
    if (line.find("Error: ") != std::string_view::npos) return line;
  text = trimmed(text);
  take_prefix(text, "● Test suite failed to run");
  return text;
}

// Returns whether ESLint reports with this message that the configuration ignores the file.
bool is_ignored_file(const Value& message) {
  return text_member(message, "ruleId").empty() &&
         text_member(message, "message").starts_with("File ignored ");
}

// Returns the folder of a Go package: "sub" for "example.com/m/sub" if the module is example.com/m.
std::string folder_of_package(std::string_view package, const OutputPathResolver& places) {
  if (places.module.empty() || !package.starts_with(places.module)) return {};
  package.remove_prefix(places.module.size());
  take_prefix(package, "/");
  return std::string(package);
}

// Collects the events that one run of `go test -json` prints.
class GoTests {
 public:
  explicit GoTests(const OutputPathResolver& places) : places_(places) {}

  void event(const Value& root) {
    const std::string_view action = text_member(root, "Action");
    const std::string_view test = text_member(root, "Test");
    Key key{std::string(text_member(root, "Package")), std::string(test)};
    if (action == "output" || action == "build-output") {
      std::string& output = outputs_[key];
      if (output.size() < output_bytes_max) output += text_member(root, "Output");
    } else if (action == "run") {
      unfinished_.insert(key);
    } else if (action == "pause") {
      parallel_.insert(key);
    } else if (test.empty() && action == "fail") {
      if (!root.find("FailedBuild").exists()) failed_packages_.insert(key.package);
    } else if (!test.empty() && (action == "pass" || action == "fail" || action == "skip")) {
      results_[key] = action == "pass"   ? Outcome::passed
                      : action == "fail" ? Outcome::failed
                                         : Outcome::skipped;
      unfinished_.erase(key);
      if (action == "pass") outputs_.erase(key);
    }
  }

  void end(FindingCollector& found, TestCounts& tests) {
    // A program that ended early gives no result to the tests that ran, the innermost of which is last.
    for (auto each = unfinished_.rbegin(); each != unfinished_.rend(); ++each)
      if (failed_packages_.contains(each->package) && !is_bystander(*each))
        results_.emplace(*each, Outcome::failed);
    for (auto each = results_.begin(); each != results_.end(); ++each) {
      // A test with subtests only repeats their results, so it is not counted, unless it failed and none of
      // them did.
      const auto next = results_.upper_bound({each->first.package, each->first.test + "/"});
      const bool is_parent = next != results_.end() && next->first.package == each->first.package &&
                             next->first.test.starts_with(each->first.test + "/");
      if (is_parent && (each->second != Outcome::failed || has_failed_child(next, each->first))) continue;
      if (each->second == Outcome::passed) ++tests.passed;
      if (each->second == Outcome::skipped) ++tests.skipped;
      if (each->second == Outcome::failed) failed(each->first, found);
    }
    for (const std::string& package : failed_packages_) package_failed(package, found);
  }
  // Returns the output that belongs to no test: the errors of packages that do not compile.
  std::string outside() const {
    std::string text;
    for (const auto& [key, output] : outputs_)
      if (key.test.empty()) text += output;
    return text;
  }

 private:
  static constexpr std::size_t output_bytes_max = 64 << 10;
  enum class Outcome : std::uint8_t { passed, failed, skipped };
  struct Key {
    std::string package;
    std::string test;
    auto operator<=>(const Key&) const = default;
  };
  using Results = std::map<Key, Outcome>;

  bool has_failed_child(Results::const_iterator child, const Key& parent) const {
    for (; child != results_.end() && child->first.package == parent.package &&
           child->first.test.starts_with(parent.test + "/");
         ++child)
      if (child->second == Outcome::failed) return true;
    return false;
  }
  // Returns what was printed about a test; if the test has no result, also what its package printed.
  std::string output_of(const Key& key) const {
    const auto own = outputs_.find(key);
    std::string text = own == outputs_.end() ? std::string() : own->second;
    const auto of_package = outputs_.find({key.package, ""});
    if (unfinished_.contains(key) && of_package != outputs_.end()) text += of_package->second;
    return text;
  }

  // Returns the last line that a test printed itself.
  std::string_view last_printed_line(const Key& key) const {
    const auto own = outputs_.find(key);
    std::string_view rest = own == outputs_.end() ? std::string_view() : own->second, line, last;
    while (next_line(rest, line))
      if (!line.starts_with("=== ") && !trimmed(line).empty()) last = trimmed(line);
    return last;
  }
  // Returns whether a test that has no result only ran beside the one that ended the program, which printed
  // something before.
  bool is_bystander(const Key& key) const {
    if (!parallel_.contains(key) || !last_printed_line(key).empty()) return false;
    return std::ranges::any_of(unfinished_, [&](const Key& each) {
      return each.package == key.package && !last_printed_line(each).empty();
    });
  }

  void failed(const Key& key, FindingCollector& found) const {
    const std::string output = output_of(key);
    if (add_crash(key, output, found)) return;
    // The testing package indents what a test logs. The test may print other lines, and libraries print
    // failures without indentation.
    if (add_logged(key, output, true, found) || add_logged(key, output, false, found)) return;
    if (!unfinished_.contains(key)) {
      const std::string compared = compared_output(output);
      return found.add_failed_test({}, key.test, compared.empty() ? key.package : compared);
    }
    const std::string status = exit_status_in(output);
    const std::string_view printed = last_printed_line(key);
    found.add_failed_test({}, key.test,
                          (status.empty() ? "did not end" : status) + " in package " + key.package +
                              (printed.empty() ? "" : ": " + std::string(printed)));
  }

  // Adds a test with the lines of its output that begin with a location: at the first of them, with the
  // messages of all, because Go does not tell which are failures. Returns false if there are none.
  bool add_logged(const Key& key, std::string_view output, bool is_indented, FindingCollector& found) const {
    std::string path, messages;
    OutputLocation first;
    std::string_view line;
    while (next_line(output, line)) {
      const std::optional<OutputLocation> at = leading_location(trimmed(line));
      const bool has_indentation = line.starts_with(' ') || line.starts_with('\t');
      if (!at || !at->path.ends_with(".go") || has_indentation != is_indented) continue;
      if (path.empty()) {
        const std::string folder = folder_of_package(key.package, places_);
        const bool is_bare = at->path.find('/') == std::string_view::npos && !folder.empty();
        path = is_bare ? folder + "/" + std::string(at->path) : std::string(at->path);
        first = {.path = path, .line = at->line, .column = at->column, .rest = {}};
      }
      messages.append(messages.empty() ? "" : "; ");
      messages.append(at->rest.empty() ? message_below(output) : std::string(at->rest));
    }
    if (path.empty()) return false;
    found.add_failed_test(first, key.test, messages);
    return true;
  }

  // Returns what a failed example printed and should have printed: "got: 1, want: 2".
  static std::string compared_output(std::string_view output) {
    const std::size_t got = output.find("\ngot:\n"), want = output.find("\nwant:\n");
    if (got == std::string_view::npos || want == std::string_view::npos || want < got) return {};
    std::string compared;
    std::string_view rest = output.substr(got + 1), line;
    while (next_line(rest, line)) {
      if (line == "want:") compared += ",";
      if (!trimmed(line).empty()) compared.append(compared.empty() ? "" : " ").append(trimmed(line));
    }
    return compared;
  }

  // Returns the first location of the workspace in a stack of Go: "\t/shop/a/a_test.go:7 +0x37".
  OutputLocation top_frame(std::string_view stack) const {
    std::string_view line;
    while (next_line(stack, line)) {
      line = trimmed(line);
      if (!line.starts_with(places_.root + "/")) continue;
      if (const std::optional<OutputLocation> at = first_workspace_location(line, places_)) return *at;
    }
    return {};
  }

  // Adds a test that ended with a panic or an error of Go's runtime, in the first line of the workspace in
  // its stack.
  bool add_crash(const Key& key, std::string_view output, FindingCollector& found) const {
    std::size_t at = std::string_view::npos;
    for (const std::string_view beginning : {"\npanic: ", "\nfatal error: "})
      at = std::min(at, output.starts_with(beginning.substr(1)) ? 0 : output.find(beginning));
    if (at == std::string_view::npos) return false;
    const std::string_view text = trimmed(output.substr(at));
    std::string_view message = text.substr(0, text.find('\n'));
    message = trimmed(message.substr(0, message.find(" [recovered")));
    // A package that crashed outside of its tests is not one of them.
    if (key.test.empty())
      found.add_diagnostic(true, top_frame(text), "", message);
    else
      found.add_failed_test(top_frame(text), key.test, message);
    return true;
  }

  // Returns the message of a library such as testify, which begins below the location: the lines from
  // "Error:" to the next label, or the first line.
  static std::string message_below(std::string_view text) {
    std::string message;
    std::string_view first, line;
    bool is_in_error = false;
    while (next_line(text, line)) {
      line = trimmed(line);
      if (line.starts_with("--- ")) break;
      if (first.empty()) first = line;
      const bool begins = take_prefix(line, "Error:");
      if (is_in_error &&
          (line.starts_with("Test:") || line.starts_with("Messages:") || line.starts_with("Diff:")))
        break;
      is_in_error = is_in_error || begins;
      if (is_in_error) message.append(message.empty() ? "" : " ").append(trimmed(line));
    }
    return message.empty() ? std::string(first) : message;
  }

  // Returns the line with which go reports how the program of a package ended: "exit status 1", "signal:
  // killed".
  static std::string exit_status_in(std::string_view output) {
    std::string_view line;
    while (next_line(output, line))
      if (line.starts_with("exit status ") || line.starts_with("signal: ")) return std::string(line);
    return {};
  }

  // Adds a package that was built and failed although none of its tests did, or that crashed after them.
  void package_failed(const std::string& package, FindingCollector& found) const {
    const auto is_of_package = [&](const Key& each) { return each.package == package; };
    const auto output = outputs_.find({package, ""});
    const std::string_view text = output == outputs_.end() ? std::string_view() : output->second;
    if (text.find("[build failed]") != text.npos || text.find("[setup failed]") != text.npos) return;
    // The message of a test that did not end has the crash of the package already.
    if (std::ranges::any_of(unfinished_, is_of_package) || add_crash({package, ""}, text, found)) return;
    const auto first = results_.lower_bound({package, ""});
    for (auto each = first; each != results_.end() && is_of_package(each->first); ++each)
      if (each->second == Outcome::failed) return;
    const std::string status = exit_status_in(text);
    found.add_diagnostic(true, {}, "",
                         "package " + package + " failed" + (status.empty() ? "" : ": " + status));
  }

  const OutputPathResolver& places_;
  Results results_;
  std::set<Key> unfinished_;  // The tests that began, and have no result.
  std::set<Key> parallel_;    // The tests that run beside others.
  std::set<std::string, std::less<>> failed_packages_;
  std::map<Key, std::string> outputs_;
};

}  // namespace

ParsedOutput parse_eslint(std::string_view bytes, const OutputPathResolver& places) {
  const std::string text = sanitized_output(bytes);
  json::Tree tree;
  if (!parse_array(text, tree)) return not_understood();
  ParsedOutput parsed;
  parsed.linted_nothing = true;
  FindingCollector found(places, parsed);
  for_items(tree.root(), [&](const Value& file) {
    bool is_linted = true;
    for_items_of(file, "messages", [&](const Value& message) {
      if (is_ignored_file(message)) is_linted = false;
      constexpr std::int64_t error = 2;
      const OutputLocation at{.path = text_member(file, "filePath"),
                              .line = number_member(message, "line"),
                              .column = number_member(message, "column"),
                              .rest = {}};
      found.add_diagnostic(number_member(message, "severity") == error, at, text_member(message, "ruleId"),
                           text_member(message, "message"));
    });
    if (is_linted) parsed.linted_nothing = false;
  });
  return parsed;
}

ParsedOutput parse_ruff(std::string_view bytes, const OutputPathResolver& places) {
  const std::string text = sanitized_output(bytes);
  json::Tree tree;
  if (!parse_array(text, tree)) return not_understood();
  ParsedOutput parsed;
  FindingCollector found(places, parsed);
  for_items(tree.root(), [&](const Value& one) {
    const Value location = one.find("location");
    const OutputLocation at{.path = text_member(one, "filename"),
                            .line = number_member(location, "row"),
                            .column = number_member(location, "column"),
                            .rest = {}};
    found.add_diagnostic(text_member(one, "severity") != "warning", at, text_member(one, "code"),
                         text_member(one, "message"));
  });
  return parsed;
}

ParsedOutput parse_mypy(std::string_view bytes, const OutputPathResolver& places) {
  ParsedOutput parsed;
  FindingCollector found(places, parsed);
  const std::string text = sanitized_output(bytes);
  const std::string plain = for_json_lines(text, [&](const Value& one) {
    const std::string_view severity = text_member(one, "severity");
    if (severity != "error" && severity != "warning") return;
    // The column is corrected by 1, because mypy counts columns from 0.
    const OutputLocation at{.path = text_member(one, "file"),
                            .line = number_member(one, "line"),
                            .column = number_member(one, "column") + 1,
                            .rest = {}};
    found.add_diagnostic(severity == "error", at, text_member(one, "code"), text_member(one, "message"));
  });
  if (parsed.findings.empty()) return parse_text(plain, places);
  return parsed;
}

ParsedOutput parse_cargo(std::string_view bytes, const OutputPathResolver& places, bool only_clippy) {
  ParsedOutput parsed;
  FindingCollector found(places, parsed);
  std::set<std::string> seen;  // cargo prints the messages of a library again when it builds its tests.
  const std::string text = sanitized_output(bytes);
  const std::string plain = for_json_lines(text, [&](const Value& one) {
    if (text_member(one, "reason") != "compiler-message") return;
    const Value message = one.find("message");
    const std::string_view level = text_member(message, "level");
    const bool is_error = level.starts_with("error");
    if (!is_error && level != "warning") return;
    const std::string_view code = text_member(message.find("code"), "code");
    if (only_clippy && !code.starts_with("clippy::")) return;
    OutputLocation at;
    for_items_of(message, "spans", [&](const Value& span) {
      const Value primary = span.find("is_primary");
      const bool is_primary = primary.exists() && primary.kind() == Kind::boolean && primary.boolean();
      if (!at.path.empty() || !is_primary) return;
      at = {.path = text_member(span, "file_name"),
            .line = number_member(span, "line_start"),
            .column = number_member(span, "column_start"),
            .rest = {}};
    });
    // Skips totals such as "2 warnings emitted" and "aborting due to 3 previous errors".
    if (at.path.empty() && code.empty()) return;
    const std::string_view sentence = text_member(message, "message");
    const std::string location = std::to_string(at.line) + ":" + std::to_string(at.column) + ":";
    if (!seen.insert(std::string(at.path) + ":" + location + std::string(sentence)).second) return;
    found.add_diagnostic(is_error, at, code, sentence);
  });
  if (only_clippy) return parsed;
  append_parsed(parsed, parsed.findings.empty() ? parse_text(plain, places) : parse_test_text(plain, places));
  return parsed;
}

ParsedOutput parse_go_test(std::string_view bytes, const OutputPathResolver& places) {
  ParsedOutput parsed;
  FindingCollector found(places, parsed);
  GoTests tests(places);
  const std::string text = sanitized_output(bytes);
  const std::string plain = for_json_lines(text, [&](const Value& one) { tests.event(one); });
  tests.end(found, parsed.tests);
  append_parsed(parsed, parse_go(plain + tests.outside(), places));
  return parsed;
}

ParsedOutput parse_gcc_json(std::string_view bytes, const OutputPathResolver& places) {
  const std::string text = sanitized_output(bytes);
  ParsedOutput parsed;
  FindingCollector found(places, parsed);
  json::Tree tree;
  std::string plain;
  std::string_view rest = text, line;
  while (next_line(rest, line)) {
    if (!line.starts_with('[') || !parse_array(line, tree)) {
      plain += std::string(line) + "\n";
      continue;
    }
    for_items(tree.root(), [&](const Value& one) {
      const std::string_view kind = text_member(one, "kind");
      const bool is_error = kind == "error" || kind == "fatal error";
      if (!is_error && kind != "warning") return;
      OutputLocation at;
      for_items_of(one, "locations", [&](const Value& location) {
        const Value caret = location.find("caret");
        if (!at.path.empty() || !caret.exists()) return;
        at = {.path = text_member(caret, "file"),
              .line = number_member(caret, "line"),
              .column = number_member(caret, "column"),
              .rest = {}};
      });
      std::string_view code = text_member(one, "option");
      found.add_diagnostic(is_error, at, code, text_member(one, "message"));
    });
  }
  // The text outside of the JSON has the messages of the linker.
  append_parsed(parsed, parse_text(plain, places));
  return parsed;
}

ParsedOutput parse_jest(std::string_view bytes, const OutputPathResolver& places) {
  const std::string text = without_escaped_colours(sanitized_output(bytes));
  json::Tree tree;
  if (!parse_object(text, tree)) return not_understood();
  const Value root = tree.root();
  if (!root.find("testResults").exists()) return not_understood();
  ParsedOutput parsed;
  FindingCollector found(places, parsed);
  for_items_of(root, "testResults", [&](const Value& file) {
    bool has_tests = false, has_failed_test = false;
    for_items_of(file, "assertionResults", [&](const Value& test) {
      has_tests = true;
      const std::string_view status = text_member(test, "status");
      if (status == "passed") ++parsed.tests.passed;
      if (status == "todo") ++parsed.tests.todo;
      if (status == "pending" || status == "skipped" || status == "disabled") ++parsed.tests.skipped;
      if (status != "failed") return;
      has_failed_test = true;
      std::string_view message;
      const Value messages = test.find("failureMessages");
      if (messages.exists() && messages.kind() == Kind::array && messages.first_child().exists() &&
          messages.first_child().kind() == Kind::string)
        message = messages.first_child().text();
      const OutputLocation of_file{.path = text_member(file, "name"), .line = 0, .column = 0, .rest = {}};
      found.add_failed_test(first_workspace_location(message, places).value_or(of_file),
                            text_member(test, "fullName"), failure_message(message));
    });
    // If no test of a failed file failed, the file could not be loaded, or code outside of its tests failed.
    // Vitest does not report the message of such code.
    const std::string_view message = text_member(file, "message");
    if (has_failed_test || text_member(file, "status") != "failed" || (has_tests && message.empty())) return;
    const OutputLocation of_file{.path = text_member(file, "name"), .line = 0, .column = 0, .rest = {}};
    found.add_diagnostic(true, first_workspace_location(message, places).value_or(of_file), "",
                         error_line(message));
  });
  return parsed;
}

}  // namespace snapgen::core
