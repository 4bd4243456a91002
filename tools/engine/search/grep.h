#pragma once
// Searches the text files of a view.
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/read/view.h"

namespace snapgen::core {

struct GrepQuery {
  std::string pattern;  // RE2 syntax, or the text itself if fixed
  bool fixed = false;
  bool ignore_case = false;
  std::vector<std::string> paths;  // Files or folders; empty: everything.
  std::vector<std::string> globs;  // See globs.h.
  std::size_t context = 0;         // Number of lines before and after.
  std::size_t files_max = 100'000;
  std::size_t matches_max = 200;
};

// One matching line. Lines are bytes without their line feed; long ones are cut and marked (see
// shortened_line).
struct GrepMatch {
  std::string path;
  std::int64_t line = 0;
  std::int64_t column = 0;                 // of the first match in the line; 1-based, in bytes
  std::vector<std::int64_t> more_columns;  // The columns of the matches after it (see LineMatch).
  std::string text;
  std::vector<std::string> before;
  std::vector<std::string> after;
};

struct GrepAnswer {
  std::vector<GrepMatch> matches;  // by path, then line
  std::int64_t files_searched = 0;
  bool truncated = false;  // A limit was reached before the end.
  SkippedCounts skipped;
};

inline constexpr std::size_t grep_line_bytes_max = 500;

// Returns the line, or its first 500 bytes, cut on a character boundary, and the number of missing bytes.
std::string shortened_line(std::string_view line);

// Searches files in the order of their paths and touches the searched ones; binary files are not searched.
// Errors: as LineMatcher::make() (the pattern) and Globs::parse() (a glob); not_found (a path); those of the
// view.
Result<GrepAnswer> grep(FileView& view, const GrepQuery& query);

}  // namespace snapgen::core
