#pragma once
// The table of problem matchers, which describes how tools print errors and warnings as text, and the reader
// of such text. To read another tool, add a row to the table, and an output of that tool to
// tests/insight/check/recorded/.
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "tools/insight/check/read/collect.h"

namespace snapgen::core {

// What the relative paths that a tool prints in a build folder are relative to. The source folder is the
// parent of the build folder. If unknown, a name without a folder becomes a part of the message.
enum class PrintedPaths { build_folder, source_folder, unknown };

// A row of the table: one form of problems. Each pattern, in the syntax of RE2, matches a whole line; what it
// finds is in groups with these names:
//
//   at        a location, as leading_location() reads it: path:line, path:line:column, a range; or the path
//   of a
//             source file. A pattern cannot say which colon ends a path, so the group has what is before the
//             message, and a line matches only if all of that is a location.
//   path, line, column    a location in another form
//   severity  a word that begins with w or W, or ⚠, for a warning, any other word for an error. Without this
//             group, each problem is an error. No pattern matches notes, which are neither.
//   code      the name or number of a rule
//   message   the message, or its last part
//   more      a part of the message, perhaps empty, that the next lines continue
struct ProblemMatcher {
  std::string_view tool;
  const char* line;
  // Lines that continue a problem. A line that matches and has none of the groups is skipped. A line that
  // does not match ends the problem, which counts if it has a path and a message.
  const char* next = "";
  bool is_below_path = false;  // The path is the latest line above that is not indented.
  PrintedPaths paths = PrintedPaths::build_folder;
};

// Returns the table. The first row that matches a line reads it.
std::span<const ProblemMatcher> problem_matchers();

// Rows of the table. Thread-safe.
struct CompiledMatchers;
struct CompiledMatcher;
std::shared_ptr<const CompiledMatchers> compile_matchers(
    const std::function<bool(const ProblemMatcher&)>& is_wanted);

// Reads the lines of a text, which must outlive this object.
class ProblemReader {
 public:
  ProblemReader(const CompiledMatchers& matchers, const OutputPathResolver& places, FindingCollector& found)
      : matchers_(matchers), places_(places), found_(found) {}

  void line(std::string_view line);
  // Reports the problem that the last line of the text may have left unfinished.
  void end();

  struct Problem {
    OutputLocation at;
    bool is_error = true;
    std::string_view code;
    std::string message;
  };

 private:
  void report(const ProblemMatcher& row, const Problem& problem);

  const CompiledMatchers& matchers_;
  const OutputPathResolver& places_;
  FindingCollector& found_;
  std::string_view unindented_;                          // The latest line that is not indented.
  const CompiledMatcher* unfinished_matcher_ = nullptr;  // Null if the next lines continue no problem.
  Problem unfinished_;
};

}  // namespace snapgen::core
