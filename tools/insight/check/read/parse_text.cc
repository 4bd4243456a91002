// Parsers of formats that consist of text lines. What the lines of each tool look like is in
// problem_matchers.cc.
#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "tools/insight/check/read/collect.h"
#include "tools/insight/check/read/problem_matchers.h"

namespace snapgen::core {
namespace {

// Finds the error of a failed command of Ninja that prints no diagnostic in a known format, such as a
// generator: "FAILED: gen.c", the command, its output, and then another command or "ninja: build stopped".
class NinjaText {
 public:
  // Reads each line; others may read it, too.
  void line(std::string_view line, const ParsedOutput& parsed, FindingCollector& found) {
    const bool begins = line.starts_with("FAILED: ");
    if (begins || line.starts_with("ninja: ") || is_progress(line)) end(parsed, found);
    if (begins) {
      line.remove_prefix(8);
      if (line.starts_with("[code=")) line.remove_prefix(std::min(line.find(' ') + 1, line.size()));
      target_ = trimmed(line.substr(0, line.find(' ')));
      is_command_next_ = true;
      errors_before_ = parsed.error_count;
    } else if (is_command_next_) {
      is_command_next_ = false;
    } else if (!target_.empty() && !trimmed(line).empty() && !says_error_) {
      says_error_ = line.find("rror: ") != std::string_view::npos;
      message_ = trimmed(line);
    }
  }

  void end(const ParsedOutput& parsed, FindingCollector& found) {
    if (!message_.empty() && parsed.error_count == errors_before_)
      found.add_diagnostic(true, {}, "", std::string(target_) + ": " + std::string(message_));
    target_ = message_ = {};
    is_command_next_ = says_error_ = false;
  }

 private:
  // Returns whether a command begins with this line: "[2/7] Generating gen.c".
  static bool is_progress(std::string_view line) {
    return take_prefix(line, "[") && take_number(line) && take_prefix(line, "/") && take_number(line) &&
           line.starts_with("] ");
  }

  std::string_view target_, message_;
  bool is_command_next_ = false, says_error_ = false;
  std::int64_t errors_before_ = 0;
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

ParsedOutput parse_problems(std::string_view bytes, const OutputPathResolver& places,
                            const CompiledMatchers& matchers) {
  ParsedOutput parsed;
  FindingCollector found(places, parsed);
  ProblemReader problems(matchers, places, found);
  const std::string text = sanitized_output(bytes);
  std::string_view rest = text, line;
  while (next_line(rest, line)) problems.line(line);
  problems.end();
  return parsed;
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

constexpr std::size_t scripts_max = 200;  // Each line is compared with the prefixes of all.

// Splits an output into those of the scripts that a runner started, by the prefix of their lines, which is
// removed. The output of anything else has the key "".
std::map<std::string, std::string, std::less<>> streams_of(std::string_view text) {
  std::map<std::string, std::string, std::less<>> streams = {{"", ""}};
  std::string buffer;
  std::string_view rest = text, line;
  while (next_line(rest, line))
    if (const std::string_view prefix = script_prefix_of(line, buffer);
        !prefix.empty() && streams.size() < scripts_max)
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
  // The messages of Go name no severity, so text that tests print could resemble them.
  static const auto matchers = compile_matchers([](const auto& row) { return row.tool != "go"; });
  ProblemReader problems(*matchers, places, found);
  NinjaText ninja;
  std::string_view line;
  while (next_line(text, line)) {
    ninja.line(line, parsed, found);
    problems.line(line);
  }
  problems.end();
  ninja.end(parsed, found);
  return parsed;
}

}  // namespace

ParsedOutput parse_tsc(std::string_view bytes, const OutputPathResolver& places) {
  static const auto matchers = compile_matchers([](const auto& row) { return row.tool == "tsc"; });
  return parse_problems(bytes, places, *matchers);
}

ParsedOutput parse_go(std::string_view bytes, const OutputPathResolver& places) {
  static const auto matchers = compile_matchers([](const auto& row) { return row.tool == "go"; });
  return parse_problems(bytes, places, *matchers);
}

ParsedOutput parse_biome(std::string_view bytes, const OutputPathResolver& places) {
  ParsedOutput parsed;
  FindingCollector found(places, parsed);
  const std::string text = sanitized_output(bytes);
  std::string_view rest = text, line;
  while (next_line(rest, line)) parse_github_line(line, found);
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
