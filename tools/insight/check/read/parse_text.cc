// Parsers of formats that consist of text lines.
#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "tools/insight/check/read/collect.h"
#include "tools/insight/imports/language.h"

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
  // Meson writes the words in upper case.
  static constexpr std::array words = {Word{"fatal error: ", {true, true}}, Word{"error: ", {true, true}},
                                       Word{"Error: ", {true, true}},       Word{"ERROR: ", {true, true}},
                                       Word{"warning: ", {true, false}},    Word{"Warning: ", {true, false}},
                                       Word{"WARNING: ", {true, false}},    Word{"note: ", {false, false}},
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

// Removes the name of the linker at the beginning: "/usr/bin/ld: ". Returns whether there was one.
bool take_linker_name(std::string_view& line) {
  const std::size_t end = line.find(": ");
  if (end == std::string_view::npos) return false;
  const std::string_view program = line.substr(0, end);
  const std::string_view name = program.substr(program.rfind('/') + 1);
  if (name != "ld" && !name.ends_with("-ld") && name != "ld.bfd" && name != "ld.gold") return false;
  line.remove_prefix(end + 2);
  return true;
}

bool is_linker_error(std::string_view message) {
  return message.starts_with("undefined reference to ") || message.starts_with("multiple definition of ");
}

// Parses an error about a whole file: "a/m.py: error: Duplicate module named "m"".
bool parse_line_without_number(std::string_view line, FindingCollector& found) {
  const std::size_t end = line.find(": error: ");
  if (end == std::string_view::npos || line.starts_with(' ')) return false;
  const std::string_view path = line.substr(0, end);
  if (language_of(path) == Language::none || path.find(": ") != std::string_view::npos) return false;
  std::string_view message = line.substr(end + 9);
  const std::string_view code = take_code(message);
  found.add_diagnostic(true, {.path = path}, code, message);
  return true;
}

// Parses a.c:3:5: error: ... [-Wflag], and errors of a linker.
bool parse_compiler_line(std::string_view line, bool in_build_folder, FindingCollector& found) {
  if (take_linker_name(line) && line.starts_with("cannot find ")) {
    found.add_diagnostic(true, {}, "", line);
    return true;
  }
  if (std::optional<OutputLocation> at = leading_location(line)) {
    const std::optional<Severity> severity = is_linker_error(at->rest) ? Severity{} : take_severity(at->rest);
    if (!severity) return false;
    const std::string_view code = take_code(at->rest);
    if (severity->counts) found.add_diagnostic(severity->is_error, *at, code, at->rest);
    return true;
  }
  if (parse_line_without_number(line, found)) return true;
  const std::size_t missing =
      std::min(line.find("undefined reference to "), line.find("multiple definition of "));
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

// Parses a line of flake8 or pylint: "a.py:1:1: F401 'os' imported", "a.py:1:0: C0114: Missing docstring
// (…)".
bool parse_linter_line(std::string_view line, FindingCollector& found) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", digits = "0123456789";
  const std::optional<OutputLocation> in_source = leading_location_of_source(line);
  const std::optional<OutputLocation> at = in_source ? in_source : leading_location(line);
  if (!at) return false;
  const std::size_t number = std::min(at->rest.find_first_not_of(letters), at->rest.size());
  const std::size_t end = std::min(at->rest.find_first_not_of(digits, number), at->rest.size());
  if (number == 0 || number > 3 || end == number || end - number > 4) return false;
  std::string_view message = at->rest.substr(end);
  const bool is_of_pylint = take_prefix(message, ":") && number == 1 && end == 5;
  if (!message.starts_with(' ') || (!in_source && !is_of_pylint)) return false;
  // Pylint reports errors of its configuration, and modules that it cannot find, without a file.
  found.add_diagnostic(true, in_source.value_or(OutputLocation()), at->rest.substr(0, end), trimmed(message));
  return true;
}

// Parses the errors and warnings of CMake, whose messages begin on the line after the location:
// "CMake Error at CMakeLists.txt:3 (add_executable):". An error without a location is on one line:
// "CMake Error: The source directory "x" does not exist.".
class CmakeText {
 public:
  bool line(std::string_view line, bool in_build_folder, FindingCollector& found) {
    if (begin(line, in_build_folder)) return true;
    if (std::string_view message = line; take_prefix(message, "CMake Error: ")) {
      found.add_diagnostic(true, {}, "", message);
      return true;
    }
    if (!is_pending_) return false;
    line = trimmed(line);
    if (line.empty()) return true;
    message_.append(message_.empty() ? "" : " ").append(line);
    // A message that ends with a colon introduces a list: "Cannot find source file:".
    if (line.ends_with(':')) return true;
    is_pending_ = false;
    found.add_diagnostic(is_error_, {.path = path_, .line = line_}, "", message_);
    return true;
  }

 private:
  bool begin(std::string_view line, bool in_build_folder) {
    const bool is_error = take_prefix(line, "CMake Error at ");
    if (!is_error && !take_prefix(line, "CMake Warning at ")) return false;
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return false;
    std::string_view number = line.substr(colon + 1);
    line_ = take_number(number).value_or(0);
    path_ = line.substr(0, colon);
    // The path is relative to the source folder, which contains the build folder.
    if (in_build_folder && !path_.starts_with('/')) path_.insert(0, "../");
    message_.clear();
    is_error_ = is_error;
    is_pending_ = true;
    return true;
  }

  bool is_pending_ = false;  // The message has not ended yet.
  bool is_error_ = false;
  std::string path_, message_;
  std::int64_t line_ = 0;
};

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

// Parses ESLint's format "stylish": the path of a file, and below it lines such as
// "  3:5  error  'x' is not defined  no-undef".
class StylishText {
 public:
  bool line(std::string_view line, FindingCollector& found) {
    if (!line.starts_with("  ")) path_ = trimmed(line);
    std::string_view rest = trimmed(line);
    const std::optional<std::int64_t> row = take_number(rest);
    if (!row || path_.find_first_of("./") == std::string_view::npos || !take_prefix(rest, ":")) return false;
    const std::optional<std::int64_t> column = take_number(rest);
    if (!column || !rest.starts_with(' ')) return false;
    rest = trimmed(rest);
    const bool is_error = take_prefix(rest, "error ") || take_prefix(rest, "✖ ");
    if (!is_error && !take_prefix(rest, "warning ") && !take_prefix(rest, "⚠ ")) return false;
    rest = trimmed(rest);
    std::string_view code;
    if (const std::size_t gap = rest.rfind("  "); gap != std::string_view::npos) {
      code = trimmed(rest.substr(gap));
      rest = trimmed(rest.substr(0, gap));
    }
    found.add_diagnostic(is_error, {.path = path_, .line = *row, .column = *column}, code, rest);
    return true;
  }

 private:
  std::string_view path_;  // The latest line that is not indented.
};

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

// Parses the errors of Go: "./main.go:5:2: undefined: x", optionally after "vet: ". An indented line
// continues a message that ends with a colon, and a chain of imports: "package a", "\timports b: cannot find
// package".
class GoText {
 public:
  explicit GoText(FindingCollector& found) : found_(found) {}

  void line(std::string_view line) {
    if (line.starts_with('\t') && (is_chain_ || message_.ends_with(':'))) {
      message_.append(" ").append(trimmed(line));
      if (is_chain_ && line.find(": ") != std::string_view::npos) is_chain_ = false;
      return;
    }
    end();
    take_prefix(line, "vet: ");
    const std::optional<OutputLocation> at = leading_location(line);
    is_chain_ = line.starts_with("package ");
    const bool is_located =
        at && (at->path.ends_with(".go") || at->path.ends_with("go.mod") || at->path.ends_with("go.work"));
    if (!is_located && !is_chain_) return;
    at_ = is_located ? *at : OutputLocation();
    message_ = is_located ? at->rest : line;
  }

  void end() {
    // A chain without its last line is no error.
    if (!message_.empty() && !is_chain_) found_.add_diagnostic(true, at_, "", message_);
    message_.clear();
    is_chain_ = false;
  }

 private:
  FindingCollector& found_;
  bool is_chain_ = false;  // The message is the beginning of a chain of imports.
  OutputLocation at_;
  std::string message_;
};

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
  CmakeText cmake;
  StylishText stylish;
  NinjaText ninja;
  const bool in_build_folder = !places.base_folder.empty();
  std::string_view line;
  while (next_line(text, line)) {
    ninja.line(line, parsed, found);
    if (!cmake.line(line, in_build_folder, found) && !stylish.line(line, found) &&
        !parse_tsc_line(line, found) && !parse_compiler_line(line, in_build_folder, found) &&
        !parse_linter_line(line, found))
      rust.line(line, found);
  }
  ninja.end(parsed, found);
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
  ParsedOutput parsed;
  FindingCollector found(places, parsed);
  GoText go(found);
  const std::string text = sanitized_output(bytes);
  std::string_view rest = text, line;
  while (next_line(rest, line)) go.line(line);
  go.end();
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
