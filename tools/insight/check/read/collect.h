#pragma once
// Code that the parsers of output share: source locations in lines, and a collector of findings.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/base/plain_text.h"
#include "tools/insight/check/read/parse.h"

namespace snapgen::core {

// Removes terminal escapes and carriage returns; replaces bytes that are not UTF-8 with `?`.
std::string sanitized_output(std::string_view bytes);

// Removes the number at the beginning of `text` and returns it; nullopt if there is none or it exceeds 10^9.
std::optional<std::int64_t> take_number(std::string_view& text);

// A source location as a program printed it, and the text after it.
struct OutputLocation {
  std::string_view path;
  std::int64_t line = 0;
  std::int64_t column = 0;
  std::string_view rest;
};
// Parses path:line: or path:line:column: at the beginning of a line.
std::optional<OutputLocation> leading_location(std::string_view line);
// Does the same for a line that begins with the path of a file, which may have blanks.
std::optional<OutputLocation> leading_location_of_source(std::string_view line);
// Returns the first location in a stack trace (of any language) that is in the workspace and not in a
// third-party package.
std::optional<OutputLocation> first_workspace_location(std::string_view trace,
                                                       const OutputPathResolver& places);

// What a test's program printed about its failure.
struct PrintedFailure {
  OutputLocation at;    // Has no path if the program printed no location below the root.
  std::string message;  // A single line; empty if the program printed nothing.
};
// Finds the first location that is absolute, or relative to a build folder: "../src/a.c:3". The message is
// the rest of its line, or the last line. Its path is relative to the root.
PrintedFailure printed_failure(std::string_view output, const OutputPathResolver& places);

// Adds the counts of `more`, and as many of its findings as are stored.
void append_parsed(ParsedOutput& parsed, const ParsedOutput& more);

// The message of a failed test about which its runner states nothing.
inline constexpr std::string_view unexplained_failure = "failed";

class FindingCollector {
 public:
  FindingCollector(const OutputPathResolver& places, ParsedOutput& out) : places_(places), out_(out) {}

  void add_diagnostic(bool is_error, const OutputLocation& at, std::string_view code,
                      std::string_view message);
  void add_failed_test(const OutputLocation& at, std::string_view name, std::string_view message);

 private:
  // Stores a finding and returns it; returns null if stored_findings_max are stored already.
  CheckFinding* store_finding(bool is_error, const OutputLocation& at, std::string_view code,
                              std::string_view message);

  const OutputPathResolver& places_;
  ParsedOutput& out_;
};

}  // namespace snapgen::core
