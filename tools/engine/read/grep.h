#pragma once
// Searching the text files of a view.
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
  std::vector<std::string> paths;  // Files or folders; none: everything.
  std::vector<std::string> globs;  // See globs.h.
  std::size_t context = 0;         // Lines before and after.
  std::size_t files_max = 100'000;
  std::size_t matches_max = 200;
};

// One line that matches. Lines are bytes without their line feed; a long one is cut and marked (see
// shown_line).
struct GrepMatch {
  std::string path;
  std::int64_t line = 0;
  std::int64_t column = 0;  // of the first match in the line; bytes from 1
  std::string text;
  std::vector<std::string> before;
  std::vector<std::string> after;
};

struct GrepAnswer {
  std::vector<GrepMatch> matches;  // by path, then line
  std::int64_t files_searched = 0;
  bool truncated = false;  // A limit was reached and there is more.
  Skipped skipped;
};

inline constexpr std::size_t line_bytes_max = 500;

// The line, or its first 500 bytes, cut on a character boundary, and how many are missing.
std::string shown_line(std::string_view line);

// Files are searched in the order of their paths and touched as far as they were searched; binary ones are
// not candidates. Errors: invalid_argument (pattern, glob), not_found (a path), and those of the view.
Result<GrepAnswer> grep(View& view, const GrepQuery& query);

}  // namespace snapgen::core
