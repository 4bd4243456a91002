// Parsers of formats that consist of text lines.
#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "tools/insight/check/collect.h"

namespace snapgen::core {
namespace {

struct Severity {
  bool counts = true;  // False for notes, which are neither errors nor warnings.
  bool is_error = true;
};

// Removes "error: ", "fatal error: ", "warning: " or "note: ".
std::optional<Severity> take_severity(std::string_view& text) {
  struct Word {
    std::string_view word;
    Severity severity;
  };
  static constexpr std::array words = {Word{"fatal error: ", {true, true}}, Word{"error: ", {true, true}},
                                       Word{"Error: ", {true, true}},       Word{"warning: ", {true, false}},
                                       Word{"Warning: ", {true, false}},    Word{"note: ", {false, false}},
                                       Word{"remark: ", {false, false}}};
  for (const Word& each : words)
    if (take_prefix(text, each.word)) return each.severity;
  return std::nullopt;
}

// Removes the code in brackets at the end: "... [-Wunused]", "...  [assignment]".
std::string_view take_code(std::string_view& message) {
  const std::size_t open = message.rfind('[');
  if (open == std::string_view::npos || !message.ends_with(']')) return {};
  const std::string_view code = message.substr(open + 1, message.size() - open - 2);
  if (code.empty() || code.find(' ') != std::string_view::npos) return {};
  message = trimmed(message.substr(0, open));
  return code;
}

// Parses "error TS2322: message".
bool parse_tsc_message(std::string_view text, const OutputLocation& at, FindingCollector& found) {
  bool is_error = true;
  if (take_prefix(text, "warning "))
    is_error = false;
  else if (!take_prefix(text, "error "))
    return false;
  const std::size_t end = text.find(": ");
  if (end == std::string_view::npos || !text.starts_with("TS")) return false;
  found.add_diagnostic(is_error, at, text.substr(0, end), text.substr(end + 2));
  return true;
}

// Parses a.ts(3,5): error TS2322: ...; a.ts:3:5 - error TS2322: ...; error TS5058: ...
bool parse_tsc_line(std::string_view line, FindingCollector& found) {
  if (parse_tsc_message(line, {}, found)) return true;
  const std::size_t close = line.find("): ");
  const std::size_t open = close == std::string_view::npos ? close : line.rfind('(', close);
  if (open != std::string_view::npos && open > 0) {
    std::string_view inner = line.substr(open + 1);
    OutputLocation at{.path = line.substr(0, open), .line = 0, .column = 0, .rest = {}};
    const std::optional<std::int64_t> row = take_number(inner);
    const bool comma = take_prefix(inner, ",");
    const std::optional<std::int64_t> column = take_number(inner);
    if (row && comma && column && take_prefix(inner, "): ")) {
      at.line = *row;
      at.column = *column;
      return parse_tsc_message(inner, at, found);
    }
  }
  const std::size_t dash = line.find(" - ");
  if (dash == std::string_view::npos) return false;
  const std::string with_colon = std::string(line.substr(0, dash)) + ":";
  const std::optional<OutputLocation> at = leading_location(with_colon);
  return at && parse_tsc_message(line.substr(dash + 3), *at, found);
}

// Parses a.c:3:5: error: ... [-Wflag], and a linker's undefined references.
bool parse_compiler_line(std::string_view line, bool in_build_folder, FindingCollector& found) {
  if (std::optional<OutputLocation> at = leading_location(line)) {
    const std::optional<Severity> severity = take_severity(at->rest);
    if (!severity) return false;
    const std::string_view code = take_code(at->rest);
    if (severity->counts) found.add_diagnostic(severity->is_error, *at, code, at->rest);
    return true;
  }
  const std::size_t missing = line.find("undefined reference to ");
  if (missing == std::string_view::npos) return false;
  OutputLocation at;
  std::string message(line.substr(missing));
  if (const std::size_t section = line.find(":(."); section != std::string_view::npos) {
    const std::string_view before = line.substr(0, section);
    const std::string_view file = before.substr(before.rfind(' ') + 1);
    // In a build folder, the linker prints the name of the source without its folder.
    if (in_build_folder && file.find('/') == std::string_view::npos)
      message = std::string(file) + ": " + message;
    else
      at.path = file;
  }
  found.add_diagnostic(true, at, "", message);
  return true;
}

// Parses rustc's text: "error[E0308]: mismatched types", and on a later line "  --> src/lib.rs:3:5".
class RustText {
 public:
  bool line(std::string_view line, FindingCollector& found) {
    std::string_view rest = line;
    bool is_error = false;
    if (take_prefix(rest, "error"))
      is_error = true;
    else if (!take_prefix(rest, "warning"))
      return arrow(line, found);
    std::string_view code;
    if (take_prefix(rest, "[")) {
      const std::size_t end = rest.find(']');
      if (end == std::string_view::npos) return false;
      code = rest.substr(0, end);
      rest.remove_prefix(end + 1);
    }
    if (!take_prefix(rest, ": ")) return false;
    pending_ = Pending{.is_error = is_error, .code = code, .message = rest};
    return true;
  }

 private:
  struct Pending {
    bool is_error;
    std::string_view code;
    std::string_view message;
  };
  bool arrow(std::string_view line, FindingCollector& found) {
    std::string_view rest = trimmed(line);
    if (!pending_ || !take_prefix(rest, "--> ")) return false;
    const std::string with_colon = std::string(rest) + ":";
    const std::optional<OutputLocation> at = leading_location(with_colon);
    if (at) found.add_diagnostic(pending_->is_error, *at, pending_->code, pending_->message);
    pending_.reset();
    return true;
  }
  std::optional<Pending> pending_;
};

std::int64_t* count_named(std::string_view word, TestCounts& tests) {
  for (std::string_view each : {"passed", "passing", "pass", "ok", "xpassed"})
    if (word == each) return &tests.passed;
  for (std::string_view each :
       {"failed", "failing", "fail", "failures", "errors", "error", "cancelled", "unexpected successes"})
    if (word == each) return &tests.failed;
  for (std::string_view each : {"skipped", "pending", "ignored", "xfailed"})
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
    if (mocha(line)) return true;
    line = trimmed(line);
    while (line.starts_with('=')) line.remove_prefix(1);
    while (line.ends_with('=')) line.remove_suffix(1);
    line = trimmed(line);
    for (std::string_view each : {"Tests:", "Tests  "})
      if (line.starts_with(each) && (line.ends_with(" total") || line.ends_with(")")))
        return count_pairs(line.substr(each.size()), tests_);
    for (std::string_view each : {"test result: ok. ", "test result: FAILED. "})
      if (line.starts_with(each)) return count_pairs(line.substr(each.size()), tests_);
    return states_no_tests(line) || node(line) || unittest(line) || google(line) || percent(line) ||
           pytest(line);
  }
  void end() { finish_unittest({}); }

 private:
  // These are the sentences of jest, vitest and ctest.
  static bool states_no_tests(std::string_view line) {
    return line == "No tests found, exiting with code 0" ||
           line == "No test files found, exiting with code 0" || line == "No tests were found!!!";
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
      return true;
    }
    if (ran_ == 0 || (!take_prefix(line, "FAILED (") && !take_prefix(line, "OK ("))) return false;
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
  // Adds one run of unittest, of whose tests `counts` has those that did not pass.
  void finish_unittest(TestCounts counts) {
    counts.passed = std::max<std::int64_t>(0, ran_ - counts.failed - counts.skipped);
    tests_.add(counts);
    ran_ = 0;
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
    const std::optional<std::int64_t> number = is_indented ? take_number(line) : std::nullopt;
    std::int64_t* count = nullptr;
    if (number && take_prefix(line, " passing (") && take_duration(line) && line == ")")
      count = &tests_.passed;
    else if (number && in_mocha_summary_ && line == " pending")
      count = &tests_.skipped;
    else if (number && in_mocha_summary_ && line == " failing")
      count = &tests_.failed;
    // The lines of a summary follow each other.
    in_mocha_summary_ = count != nullptr;
    if (count) *count += *number;
    return in_mocha_summary_;
  }

  TestCounts& tests_;
  std::int64_t ran_ = 0;  // The tests of the run of unittest whose result has not been read yet.
  bool in_mocha_summary_ = false;
};

// Parses cargo test: "test tests::adds ... FAILED", and the location: "thread 'tests::adds' panicked at
// src/lib.rs:10:9:"
class CargoTests {
 public:
  bool line(std::string_view line) {
    std::string_view rest = line;
    if (take_prefix(rest, "test ")) {
      const std::size_t dots = rest.rfind(" ... ");
      if (dots == std::string_view::npos) return false;
      if (rest.substr(dots + 5) != "FAILED") return true;
      const std::string_view name = rest.substr(0, dots);
      latest_[name] = failed_.size();
      failed_.push_back({.name = name, .at = {}, .message = {}});
      return true;
    }
    if (expects_message_) {
      failed_[*expects_message_].message = line;
      expects_message_.reset();
      return true;
    }
    if (take_prefix(rest, "thread '")) {
      const std::size_t quote = rest.find('\'');
      const std::size_t at = line.find(" panicked at ");
      if (quote == std::string_view::npos || at == std::string_view::npos) return false;
      const std::optional<OutputLocation> place = leading_location(line.substr(at + 13));
      const auto found = latest_.find(rest.substr(0, quote));
      if (!place || found == latest_.end()) return true;
      failed_[found->second].at = *place;
      expects_message_ = found->second;
      // Only the first panic of a test is reported.
      latest_.erase(found);
      return true;
    }
    return false;
  }
  // Reports the failed tests. If a summary line was read, it has already counted them, so its count is used.
  void end(FindingCollector& found, TestCounts& tests) {
    const std::int64_t counted = tests.failed;
    for (const Failed& each : failed_) found.add_failed_test(each.at, each.name, each.message);
    if (counted > 0) tests.failed = counted;
  }

 private:
  struct Failed {
    std::string_view name;
    OutputLocation at;
    std::string_view message;
  };
  std::vector<Failed> failed_;
  // The failed tests, by name, whose panic was not read yet.
  std::map<std::string_view, std::size_t> latest_;
  std::optional<std::size_t> expects_message_;
};

// Decodes the escapes of GitHub's workflow commands, such as %0A.
std::string unescaped(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, char>, 5> escapes = {
      {{"%25", '%'}, {"%0D", '\r'}, {"%0A", '\n'}, {"%3A", ':'}, {"%2C", ','}}};
  std::string plain;
  while (!text.empty()) {
    bool found = false;
    for (const auto& [escape, byte] : escapes) {
      if (found || !take_prefix(text, escape)) continue;
      plain += byte;
      found = true;
    }
    if (found) continue;
    plain += text[0];
    text.remove_prefix(1);
  }
  return plain;
}

// Parses ::error title=lint/x,file=src/a.ts,line=3,endLine=3,col=5,endColumn=9::message
bool parse_github_line(std::string_view line, FindingCollector& found) {
  line = trimmed(line);
  bool is_error = false;
  if (take_prefix(line, "::error "))
    is_error = true;
  else if (!take_prefix(line, "::warning "))
    return false;
  const std::size_t end = line.find("::");
  if (end == std::string_view::npos) return false;
  std::string_view properties = line.substr(0, end);
  std::string title, file;
  OutputLocation at;
  while (!properties.empty()) {
    const std::size_t comma = std::min(properties.find(','), properties.size());
    std::string_view one = properties.substr(0, comma);
    properties.remove_prefix(std::min(comma + 1, properties.size()));
    if (take_prefix(one, "title="))
      title = unescaped(one);
    else if (take_prefix(one, "file="))
      file = unescaped(one);
    else if (take_prefix(one, "line="))
      at.line = take_number(one).value_or(0);
    else if (take_prefix(one, "col="))
      at.column = take_number(one).value_or(0);
  }
  at.path = file;
  found.add_diagnostic(is_error, at, title, unescaped(line.substr(end + 2)));
  return true;
}

ParsedOutput parse_lines(std::string_view bytes, const OutputPathResolver& places,
                         bool (*each)(std::string_view, FindingCollector&)) {
  ParsedOutput parsed;
  FindingCollector found(places, parsed);
  const std::string text = sanitized_output(bytes);
  std::string_view rest = text, line;
  while (next_line(rest, line)) each(line, found);
  return parsed;
}

// Parses ./main.go:5:2: undefined: x, optionally after "vet: ".
bool parse_go_line(std::string_view line, FindingCollector& found) {
  take_prefix(line, "vet: ");
  const std::optional<OutputLocation> at = leading_location(line);
  if (!at || !at->path.ends_with(".go")) return false;
  found.add_diagnostic(true, *at, "", at->rest);
  return true;
}

// Returns what a runner of several scripts writes before each line of one of them, if this line tells it:
// "packages/a test: " for "packages/a test$ node --test" of pnpm -r, and "[0] " for "[0] npm test exited with
// code 0" of concurrently.
std::string_view script_prefix_of(std::string_view line, std::string& buffer) {
  if (line.starts_with('[') && line.find(" exited with code ") != std::string_view::npos) {
    const std::size_t end = line.find("] ");
    return end == std::string_view::npos ? std::string_view() : line.substr(0, end + 2);
  }
  const std::size_t folder_end = line.find(' ');
  const std::size_t end = folder_end == std::string_view::npos ? folder_end : line.find("$ ", folder_end);
  if (end == std::string_view::npos ||
      line.substr(folder_end + 1, end - folder_end - 1).find(' ') != std::string_view::npos)
    return {};
  buffer.assign(line.substr(0, end)).append(": ");
  return buffer;
}

// Splits an output into those of the scripts that a runner started, by the prefix of their lines, which is
// removed. The output of anything else has the key "".
std::map<std::string, std::string, std::less<>> streams_of(std::string_view text) {
  std::map<std::string, std::string, std::less<>> streams = {{"", ""}};
  std::string buffer;
  std::string_view rest = text, line;
  while (next_line(rest, line))
    if (const std::string_view prefix = script_prefix_of(line, buffer); !prefix.empty())
      streams.emplace(prefix, "");
  while (next_line(text, line)) {
    const auto belongs = [&](const auto& each) {
      return !each.first.empty() && line.starts_with(each.first);
    };
    const auto found = std::ranges::find_if(streams, belongs);
    std::string& stream = found == streams.end() ? streams[""] : found->second;
    if (found != streams.end()) line.remove_prefix(found->first.size());
    stream.append(line).append("\n");
  }
  return streams;
}

// Returns whether the text has results of TAP: the line of the version, which is optional, or both a plan and
// a result.
bool has_tap(std::string_view text) {
  bool has_plan = false, has_result = false;
  std::string_view line;
  while (next_line(text, line)) {
    if (line.starts_with("TAP version 1")) return true;
    std::string_view plan = line;
    if (take_prefix(plan, "1..") && take_number(plan) && (plan.empty() || plan.starts_with(" #")))
      has_plan = true;
    take_prefix(line, "not ");
    has_result = has_result || (take_prefix(line, "ok ") && take_number(line));
  }
  return has_plan && has_result;
}

// Parses the output of one program.
ParsedOutput parse_stream(std::string_view text, const OutputPathResolver& places) {
  ParsedOutput parsed = parse_test_text(text, places);
  if (has_tap(text)) {
    // The output may have the reports of several runners.
    const ParsedOutput tap = parse_tap(text, places);
    append_parsed(parsed, tap);
    parsed.states_test_count = true;
    if (tap.tests.all() > 0) return parsed;
  }
  FindingCollector found(places, parsed);
  RustText rust;
  std::string_view line;
  while (next_line(text, line))
    if (!parse_tsc_line(line, found) && !parse_compiler_line(line, !places.base_folder.empty(), found))
      rust.line(line, found);
  return parsed;
}

}  // namespace

ParsedOutput parse_tsc(std::string_view bytes, const OutputPathResolver& places) {
  return parse_lines(bytes, places, parse_tsc_line);
}
ParsedOutput parse_biome(std::string_view bytes, const OutputPathResolver& places) {
  return parse_lines(bytes, places, parse_github_line);
}
ParsedOutput parse_go(std::string_view bytes, const OutputPathResolver& places) {
  return parse_lines(bytes, places, parse_go_line);
}

ParsedOutput parse_test_text(std::string_view bytes, const OutputPathResolver& places) {
  ParsedOutput parsed;
  FindingCollector found(places, parsed);
  CargoTests cargo;
  Summaries summaries(parsed.tests);
  const std::string text = sanitized_output(bytes);
  std::string_view rest = text, line;
  while (next_line(rest, line))
    if (!cargo.line(line) && summaries.line(line)) parsed.states_test_count = true;
  summaries.end();
  cargo.end(found, parsed.tests);
  return parsed;
}

ParsedOutput parse_text(std::string_view bytes, const OutputPathResolver& places) {
  const std::string text = sanitized_output(bytes);
  ParsedOutput parsed;
  for (const auto& [prefix, stream] : streams_of(text)) {
    const ParsedOutput more = parse_stream(stream, places);
    append_parsed(parsed, more);
    parsed.states_test_count = parsed.states_test_count || more.states_test_count;
  }
  return parsed;
}

}  // namespace snapgen::core
