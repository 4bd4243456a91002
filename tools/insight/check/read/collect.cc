#include "tools/insight/check/read/collect.h"

#include <algorithm>

#include "runtime/base/ascii.h"
#include "runtime/base/percent.h"
#include "runtime/base/text.h"
#include "runtime/json/reader.h"
#include "tools/insight/imports/language.h"

namespace snapgen::core {
namespace {

constexpr std::size_t message_bytes_max = 300;
constexpr std::size_t code_bytes_max = 120;
constexpr std::size_t place_path_bytes_max = 4096;

// Returns the length in bytes of the first character of `text`; 0 if it is not valid UTF-8.
std::size_t character_bytes(std::string_view text) {
  const unsigned char first = static_cast<unsigned char>(text[0]);
  const std::size_t size = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (size == 0 || size > text.size() || !json::valid_utf8(text.substr(0, size))) return 0;
  return size;
}

// Returns the first line, and the next one if the first ends in a colon, without control characters and cut
// to `bytes_max`.
std::string single_line(std::string_view text, std::size_t bytes_max) {
  text = trimmed(text);
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string line(trimmed(text.substr(0, end)));
  if (line.ends_with(':') && end < text.size()) {
    const std::string_view rest = trimmed(text.substr(end));
    line.append(" ").append(trimmed(rest.substr(0, rest.find('\n'))));
  }
  line.resize(utf8_head(line, bytes_max).size());
  std::replace_if(line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return line;
}

// Encodes a path as Node.js does in the URL of a file.
std::string encoded_path(std::string_view path) {
  constexpr std::string_view encoded = " \"#%<>?\\^`{|}";
  std::string text;
  for (const char c : path) {
    if (encoded.find(c) != std::string_view::npos || static_cast<unsigned char>(c) >= 0x7f || c < ' ')
      append_percent_encoded(text, c);
    else
      text += c;
  }
  return text;
}

// Parses the line, and perhaps the column, that follow a path: ":12", ":12:3" or "\", line 12".
bool take_position(std::string_view& rest, OutputLocation& at) {
  std::string_view behind = rest;
  if (take_prefix(behind, "\", line ") || take_prefix(behind, ":")) {
    const std::optional<std::int64_t> line = take_number(behind);
    if (!line) return false;
    at.line = *line;
    rest = behind;
    if (take_prefix(behind, ":")) {
      if (const std::optional<std::int64_t> column = take_number(behind)) {
        at.column = *column;
        rest = behind;
      }
    }
    return true;
  }
  return false;
}

// Removes the end of a range, which a program prints behind the place where it begins: "2:12:2:14:" of mypy,
// and the forms of GNU, "3.1-5:", "3-4:", "3.1-4.8:" and "3:1-4:8:".
void take_range_end(std::string_view& rest, OutputLocation& at) {
  std::string_view behind = rest;
  const auto take_column = [&] { return take_prefix(behind, ".") || take_prefix(behind, ":"); };
  std::optional<std::int64_t> column;
  if (at.column == 0 && take_prefix(behind, ".") && !(column = take_number(behind))) return;
  if (take_prefix(behind, "-")) {
    if (!take_number(behind)) return;
    std::string_view end = behind;
    if (take_column() && !take_number(behind)) behind = end;
  } else if (at.column > 0) {
    if (!take_prefix(behind, ":") || !take_number(behind) || !take_prefix(behind, ":") ||
        !take_number(behind))
      return;
  }
  if (!behind.starts_with(':')) return;
  if (column) at.column = *column;
  rest = behind;
}

bool is_foreign_file(std::string_view path) {
  return path.find("node_modules/") != std::string_view::npos || path.starts_with("node:") ||
         path.find("/rustc/") != std::string_view::npos ||
         path.find("site-packages/") != std::string_view::npos;
}

// Parses a path that begins at `from`, and the line number after it.
std::optional<OutputLocation> place_from(std::string_view line, std::size_t from, bool with_spaces) {
  constexpr std::string_view ends = "\"'()<>|,;";
  // Names such as "(group)" are folders of a path.
  const auto is_folder_bracket = [&](std::size_t i) {
    return (line[i] == '(' && i > from && line[i - 1] == '/') ||
           (line[i] == ')' && i + 1 < line.size() && line[i + 1] == '/');
  };
  for (std::size_t i = from; i < line.size(); ++i) {
    if (is_folder_bracket(i)) continue;
    if (line[i] == ':' || line[i] == '"') {
      OutputLocation at{.path = line.substr(from, i - from), .line = 0, .column = 0, .rest = line.substr(i)};
      const bool has_ending = at.path.find('.') != std::string_view::npos;
      if (has_ending && take_position(at.rest, at)) return at;
    }
    if (ends.find(line[i]) != std::string_view::npos || (line[i] == ' ' && !with_spaces)) return std::nullopt;
  }
  return std::nullopt;
}

// A cheap test, because an output may have many lines.
bool may_have_location_below_root(std::string_view line, const OutputPathResolver& places) {
  return line.find("../") != std::string_view::npos || line.find(places.root + "/") != std::string_view::npos;
}

bool is_path_below_root(std::string_view path, const OutputPathResolver& places) {
  const std::string resolved = places.resolve(path);
  const bool is_outside = resolved.starts_with('/') || resolved.starts_with("../");
  return !is_outside && (path.starts_with('/') || path.starts_with("../"));
}

}  // namespace

void append_parsed(ParsedOutput& parsed, const ParsedOutput& more) {
  parsed.error_count += more.error_count;
  parsed.warning_count += more.warning_count;
  parsed.tests.add(more.tests);
  parsed.ended_early = parsed.ended_early || more.ended_early;
  for (const CheckFinding& each : more.findings)
    if (parsed.findings.size() < stored_findings_max) parsed.findings.push_back(each);
}

std::string sanitized_output(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    if (bytes.starts_with("\x1b[")) {
      std::size_t end = 2;
      while (end < bytes.size() && (is_digit(bytes[end]) || bytes[end] == ';')) ++end;
      bytes.remove_prefix(std::min(end + 1, bytes.size()));
      continue;
    }
    // Most output is plain ASCII, which is copied in runs without further checks.
    std::size_t plain = 0;
    while (plain < bytes.size() && static_cast<unsigned char>(bytes[plain]) < 0x80 &&
           bytes[plain] != '\x1b' && bytes[plain] != '\r')
      ++plain;
    text += bytes.substr(0, plain);
    bytes.remove_prefix(plain);
    if (plain > 0) continue;
    const std::size_t size = character_bytes(bytes);
    if (size == 0)
      text += '?';
    else if (bytes[0] != '\r')
      text += bytes.substr(0, size);
    bytes.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return text;
}

std::optional<std::int64_t> take_number(std::string_view& text) {
  constexpr std::size_t digits_max = 9;
  std::int64_t number = 0;
  std::size_t i = 0;
  while (i < text.size() && is_digit(text[i]) && i <= digits_max) number = number * 10 + (text[i++] - '0');
  if (i == 0 || i > digits_max) return std::nullopt;
  text.remove_prefix(i);
  return number;
}

namespace {

// Removes the words that runners write before a line: "12:30:05", "[12:30:05]", "2026-11-29T12:30:05Z",
// "[1/2]".
std::string_view without_times(std::string_view path) {
  for (;;) {
    const std::size_t end = path.find(' ');
    const std::string_view word = path.substr(0, end);
    if (end == path.npos || word.find_first_not_of("0123456789:-.TZ[]/") != word.npos ||
        word.find_first_of(":[") == word.npos)
      return path;
    path = trimmed(path.substr(end));
  }
}

}  // namespace

std::optional<OutputLocation> leading_location(std::string_view line) {
  for (std::size_t colon = line.find(':'); colon != std::string_view::npos;
       colon = line.find(':', colon + 1)) {
    if (colon == 0 || colon > place_path_bytes_max) return std::nullopt;
    OutputLocation at{
        .path = trimmed(line.substr(0, colon)), .line = 0, .column = 0, .rest = line.substr(colon)};
    if (!take_position(at.rest, at)) continue;
    take_range_end(at.rest, at);
    if (!take_prefix(at.rest, ":")) continue;
    // The name of a program may be before the path: "/usr/bin/ld: a.c".
    if (const std::size_t name_end = at.path.rfind(": "); name_end != std::string_view::npos)
      at.path = trimmed(at.path.substr(name_end + 1));
    // Rejects a time of day, such as 12:30:05, which has the form of path:line:column, and the port of a URL.
    const std::string_view last_word = at.path.substr(at.path.rfind(' ') + 1);
    const std::size_t scheme_end = at.path.find("://");
    const bool is_url = scheme_end != std::string_view::npos && !at.path.starts_with("file://");
    if (is_url || last_word.find_first_not_of("0123456789:-.T") == std::string_view::npos)
      return std::nullopt;
    at.path = without_times(at.path);
    if (at.path == "localhost" || at.path.find('@') < at.path.find('/')) return std::nullopt;
    at.rest = trimmed(at.rest);
    return at;
  }
  return std::nullopt;
}

std::optional<OutputLocation> first_workspace_location(std::string_view trace,
                                                       const OutputPathResolver& places) {
  const std::string roots[] = {"file://" + encoded_path(places.root) + "/", places.root + "/"};
  std::string_view line;
  while (next_line(trace, line)) {
    for (const std::string& root : roots) {
      const std::size_t from = line.find(root);
      if (from == std::string_view::npos) continue;
      const std::optional<OutputLocation> at = place_from(line, from, true);
      if (at && !is_foreign_file(at->path)) return at;
    }
    for (std::size_t i = 0; i < line.size(); ++i) {
      const bool begins = i == 0 || line[i - 1] == ' ' || line[i - 1] == '(' || line[i - 1] == '"';
      if (!begins || line[i] == ' ' || line[i] == '/') continue;
      const std::optional<OutputLocation> at = place_from(line, i, false);
      if (at && !is_foreign_file(at->path) && at->path.find("://") == std::string_view::npos) return at;
    }
  }
  return std::nullopt;
}

std::optional<OutputLocation> leading_location_of_source(std::string_view line) {
  const std::optional<OutputLocation> at = leading_location(line);
  if (!at || at->path.find('.') == std::string_view::npos) return std::nullopt;
  // A path with a blank begins the line, and has the ending of a source file.
  const bool has_blank = at->path.find(' ') != std::string_view::npos;
  if (has_blank && (line.starts_with(' ') || language_of(at->path) == Language::none)) return std::nullopt;
  return at;
}

PrintedFailure printed_failure(std::string_view output, const OutputPathResolver& places) {
  PrintedFailure failure;
  std::string_view rest = output, line;
  while (failure.at.path.empty() && next_line(rest, line)) {
    if (!may_have_location_below_root(line, places)) continue;
    const std::optional<OutputLocation> at = first_workspace_location(line, places);
    if (!at || !is_path_below_root(at->path, places)) continue;
    failure.at = *at;
    // The line of a stack trace has only the location.
    if (at->rest.starts_with(':') && !trimmed(at->rest.substr(1)).empty()) failure.message = trimmed(line);
  }
  const std::string_view text = trimmed(output);
  if (failure.message.empty()) failure.message = text.substr(text.rfind('\n') + 1);
  const std::size_t path =
      failure.at.path.empty() ? std::string::npos : failure.message.find(failure.at.path);
  if (path == 0 && failure.at.rest.starts_with(':'))
    failure.message = trimmed(failure.at.rest.substr(1));
  else if (path != std::string::npos)
    failure.message.replace(path, failure.at.path.size(), places.resolve(failure.at.path));
  return failure;
}

void FindingCollector::add_diagnostic(bool is_error, const OutputLocation& at, std::string_view code,
                                      std::string_view message) {
  ++(is_error ? out_.error_count : out_.warning_count);
  store_finding(is_error, at, code, message);
}

void FindingCollector::add_failed_test(const OutputLocation& at, std::string_view name,
                                       std::string_view message) {
  ++out_.tests.failed;
  if (CheckFinding* finding = store_finding(true, at, name, message.empty() ? unexplained_failure : message))
    finding->is_test = true;
}

CheckFinding* FindingCollector::store_finding(bool is_error, const OutputLocation& at, std::string_view code,
                                              std::string_view message) {
  if (out_.findings.size() >= stored_findings_max) return nullptr;
  CheckFinding finding{.path = at.path.empty() ? std::string() : places_.resolve(trimmed(at.path)),
                       .line = std::max<std::int64_t>(at.line, 0),
                       .column = std::max<std::int64_t>(at.column, 0),
                       .is_error = is_error,
                       .code = single_line(code, code_bytes_max),
                       .message = single_line(message, message_bytes_max)};
  return &out_.findings.emplace_back(std::move(finding));
}

}  // namespace snapgen::core
