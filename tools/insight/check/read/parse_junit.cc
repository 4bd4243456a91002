// Parser of JUnit XML, as pytest, ctest, Meson and many others write it.
#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <utility>

#include <pugixml.hpp>

#include "tools/insight/check/read/collect.h"
#include "tools/insight/check/read/failed_tests.h"

namespace snapgen::core {
namespace {

std::int64_t number_attribute(const pugi::xml_attribute& attribute) {
  std::string_view text = attribute.value();
  return take_number(text).value_or(0);
}

// Returns the last location in a trace, because pytest ends a trace with it: "tests/test_a.py:3:
// AssertionError".
std::optional<OutputLocation> last_place(std::string_view trace) {
  std::optional<OutputLocation> last;
  std::string_view line;
  while (next_line(trace, line))
    if (const std::optional<OutputLocation> at = leading_location_of_source(line)) last = at;
  return last;
}

// Returns the error that a trace of pytest states on its last line with "E": "E   ModuleNotFoundError: No
// module named 'x'".
std::string_view stated_error(std::string_view trace) {
  std::string_view stated, line;
  while (next_line(trace, line))
    if (take_prefix(line, "E ")) stated = trimmed(line);
  return stated;
}

// The location of a syntax error in a trace of pytest: "E     File "/shop/a.py", line 9".
std::optional<OutputLocation> place_of_syntax_error(std::string_view trace) {
  std::optional<OutputLocation> last;
  std::string_view line;
  while (next_line(trace, line)) {
    if (!take_prefix(line, "E ")) continue;
    line = trimmed(line);
    if (!take_prefix(line, "File \"")) continue;
    const std::size_t quote = line.find('"');
    if (quote == std::string_view::npos) continue;
    OutputLocation at{.path = line.substr(0, quote)};
    line.remove_prefix(quote + 1);
    if (!take_prefix(line, ", line ")) continue;
    at.line = take_number(line).value_or(0);
    last = at;
  }
  return last;
}

// Returns whether a message is the one that pytest writes if it could not load the test module.
bool is_unloaded(std::string_view message) { return message == "collection failure"; }

void add_failed_case(const pugi::xml_node& test, const pugi::xml_node& fault,
                     const OutputPathResolver& places, ParsedOutput& parsed, FindingCollector& found) {
  const std::string_view trace = fault.child_value();
  const std::string_view said_message = fault.attribute("message").value();
  std::string_view message = said_message;
  if (is_unloaded(message) || message.starts_with("failed on ")) message = stated_error(trace);
  // An error of a plugin is one of pytest, about which the message says nothing.
  if (message == "internal error") message = trimmed(trimmed(trace).substr(trimmed(trace).rfind('\n') + 1));
  if (message.empty()) message = said_message;
  if (message.empty()) message = trimmed(trace);
  OutputLocation at{.path = test.attribute("file").value(),
                    .line = number_attribute(test.attribute("line")),
                    .column = 0,
                    .rest = {}};
  if (const std::optional<OutputLocation> wrong = place_of_syntax_error(trace)) at = *wrong;
  if (at.path.empty() || at.line == 0) {
    if (const std::optional<OutputLocation> location = last_place(trace))
      at = *location;
    else if (const std::optional<OutputLocation> first = first_workspace_location(trace, places))
      at = *first;
  }
  const std::string_view name = test.attribute("name").value();
  std::string printed_message;
  for (const char* stream : {"system-err", "system-out"}) {
    // CTest and Meson report only what the program of a test printed.
    const bool is_located = !at.path.empty();
    if (is_located && !message.empty()) break;
    const std::string_view output = test.child(stream).child_value();
    // That may be the result of GoogleTest.
    FailedTests inner;
    if (!is_located) add_failed_tests_of_compiled(output, places, inner);
    PrintedFailure printed = printed_failure(output, places);
    if (!inner.tests.empty()) {
      const FailedTest& first = inner.tests.front();
      printed = {.at = first.at, .message = first.name + ": " + first.message};
      message = {};
    }
    if (!is_located) at = printed.at;
    // The line with the location explains the failure better than the last line of the other stream.
    const bool explains = message.empty() || (!is_located && !printed.at.path.empty());
    if (!explains || printed.message.empty()) continue;
    printed_message = std::move(printed.message);
    message = printed_message;
  }
  if (!is_unloaded(said_message)) return found.add_failed_test(at, name, message);
  ++parsed.unloaded_module_count;
  found.add_diagnostic(true, at, name, message);
}

// Returns the element with which CTest reports a test that failed because it could not run, such as one whose
// program does not exist. CTest writes it like that of a skipped test, but with another message.
pugi::xml_node failed_start(const pugi::xml_node& test) {
  const pugi::xml_node skipped = test.child("skipped");
  const std::string_view message = skipped.attribute("message").value();
  const bool is_skipped = message.empty() || message.starts_with("SKIP_") || message == "Disabled";
  return test.attribute("status").value() == std::string_view("notrun") && !is_skipped ? skipped
                                                                                       : pugi::xml_node();
}

void add_test_case(const pugi::xml_node& test, const OutputPathResolver& places, ParsedOutput& parsed,
                   FindingCollector& found) {
  pugi::xml_node fault = test.child("failure");
  if (!fault) fault = test.child("error");
  if (!fault) fault = failed_start(test);
  const pugi::xml_node skipped = test.child("skipped");
  const std::string_view status = test.attribute("status").value();
  if (fault)
    add_failed_case(test, fault, places, parsed, found);
  else if (skipped.attribute("type").value() == std::string_view("todo"))
    ++parsed.tests.todo;
  else if (skipped || status == "notrun" || status == "disabled")
    ++parsed.tests.skipped;
  else
    ++parsed.tests.passed;
}

}  // namespace

ParsedOutput parse_junit(std::string_view bytes, const OutputPathResolver& places) {
  ParsedOutput parsed;
  pugi::xml_document document;
  const std::string text = sanitized_output(bytes);
  const pugi::xml_parse_result read =
      document.load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8);
  const pugi::xml_node root = document.document_element();
  const bool is_suite = !std::strcmp(root.name(), "testsuites") || !std::strcmp(root.name(), "testsuite");
  parsed.is_understood = read && is_suite;
  if (!parsed.is_understood) return parsed;
  FindingCollector found(places, parsed);
  // Test suites can nest to any depth, so this loop does not recurse.
  for (pugi::xml_node at = root; at;) {
    if (!std::strcmp(at.name(), "testcase")) add_test_case(at, places, parsed, found);
    pugi::xml_node next = at.first_child();
    while (!next && at && at != root) {
      next = at.next_sibling();
      if (!next) at = at.parent();
    }
    if (at == root && !next) break;
    at = next;
  }
  return parsed;
}

namespace {

// Sets the message of a failed test whose program printed nothing. If a signal ended the program, it is added
// to what the program printed.
void explain(std::string_view name, std::string_view reason, ParsedOutput& parsed) {
  // Meson also prints the names of the project and of the suites: "shop:unit / sums".
  const auto is_same = [&](const CheckFinding& each) {
    return each.is_test && (each.code == name || name.ends_with(" / " + each.code));
  };
  // Several tests may have the same name, in different suites.
  for (CheckFinding& each : parsed.findings) {
    if (!is_same(each) || each.message != unexplained_failure) continue;
    if (!reason.empty()) each.message = reason;
    return;
  }
  if (!reason.starts_with("killed by ") && reason != "SEGFAULT") return;
  for (CheckFinding& each : parsed.findings) {
    // What the program printed at a location explains the signal, for example a failed assertion.
    const bool is_explained = each.line > 0 || each.message.find("killed by ") != std::string::npos;
    if (!is_same(each) || is_explained) continue;
    each.message.append(" (").append(reason).append(")");
    return;
  }
}

}  // namespace

// Parses lines such as "1/4 shop:unit / sums  TIMEOUT  30.02s".
void add_results_missing_in_meson_junit(std::string_view meson_output, const OutputPathResolver& places,
                                        ParsedOutput& parsed) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 2> missing = {
      {{" UNEXPECTEDPASS ", "passed, but should fail"}, {" TIMEOUT ", "did not end in time"}}};
  FindingCollector found(places, parsed);
  std::set<std::int64_t> seen;  // Newer versions of Meson print the lines again at the end.
  const std::string text = sanitized_output(meson_output);
  std::string_view rest = text, line;
  while (next_line(rest, line)) {
    line = trimmed(line);
    const std::optional<std::int64_t> number = take_number(line);
    if (!number || !take_prefix(line, "/") || !take_number(line)) continue;
    for (const auto& [result, message] : missing) {
      const std::size_t end = line.find(result);
      if (end == std::string_view::npos || !seen.insert(*number).second) continue;
      parsed.tests.passed = std::max<std::int64_t>(parsed.tests.passed - 1, 0);
      found.add_failed_test({}, trimmed(line.substr(0, end)), message);
    }
    for (const std::string_view result : {" FAIL ", " ERROR "}) {
      const std::size_t end = line.find(result);
      if (end == std::string_view::npos || !seen.insert(*number).second) continue;
      explain(trimmed(line.substr(0, end)), meson_reason(line.substr(end + result.size())), parsed);
    }
  }
}

// Parses lines such as "1/4 Test #1: sums .............***Timeout   1.01 sec", and those of the list at the
// end: "1 - sums (SEGFAULT)".
void explain_failures_of_ctest(std::string_view ctest_output, ParsedOutput& parsed) {
  const std::string text = sanitized_output(ctest_output);
  bool in_list = false;
  std::string_view rest = text, line;
  while (next_line(rest, line)) {
    in_list = in_list || line == "The following tests FAILED:";
    if (const std::optional<ListedTest> test = in_list ? listed_test_of_ctest(line) : std::nullopt;
        test && test->reason != "Failed")
      explain(test->name, test->reason, parsed);
    const std::size_t begin = line.find(": "), end = line.find(" .");
    const bool is_late =
        line.find(" Test ") != std::string_view::npos && line.find("***Timeout ") != std::string_view::npos;
    if (!is_late || begin == std::string_view::npos || end == std::string_view::npos || end < begin) continue;
    const std::string_view name = line.substr(begin + 2, end - begin - 2);
    for (CheckFinding& each : parsed.findings)
      if (each.is_test && each.code == name) each.message = "did not end in time";
  }
}

}  // namespace snapgen::core
