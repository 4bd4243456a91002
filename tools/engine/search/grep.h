#pragma once
// Searches the text files of a view.
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/read/view.h"

namespace snapgen::core {

enum class GrepOutput : std::uint8_t {
  count,          // The files with a match, and the number of matching lines in each.
  files,          // The files with a match.
  files_without,  // The searched files without a match.
  lines,          // The matching lines.
};

struct GrepQuery {
  std::string pattern;  // RE2 syntax, or the text itself if fixed
  bool fixed = false;
  bool ignore_case = false;
  std::vector<std::string> paths;  // Files or folders; empty: everything.
  std::vector<std::string> globs;  // See globs.h.
  std::size_t context = 0;         // Number of lines before and after.
  std::size_t files_max = 100'000;
  std::size_t matches_max = 200;  // Of lines, or of files if `output` asks for files.
  GrepOutput output = GrepOutput::lines;
};

// One matching line. Lines are bytes without their line feed; long ones are cut and marked (see
// shortened_line).
struct GrepMatch {
  std::string path;
  std::int64_t line = 0;
  std::int64_t column = 0;                 // of the first match in the line; 1-based, in bytes of UTF-8
  std::vector<std::int64_t> more_columns;  // The columns of the matches after it (see LineMatch).
  std::string text;
  std::vector<std::string> before;
  std::vector<std::string> after;
  TextEncoding encoding = TextEncoding::utf8;  // If it is another one, the lines were converted to UTF-8.
};

// A file of an answer that has no lines.
struct GrepFile {
  std::string path;
  std::int64_t line_count = 0;  // The number of matching lines; only for GrepOutput::count.
};

struct GrepAnswer {
  std::vector<GrepMatch> matches;  // by path, then line
  std::vector<GrepFile> files;     // By path; empty for GrepOutput::lines.
  std::int64_t files_searched = 0;
  bool truncated = false;  // A limit was reached before the end.
  SkippedCounts skipped;
};

inline constexpr std::size_t grep_line_bytes_max = 500;

// Returns the line, or 500 bytes of it, cut on character boundaries, and the numbers of missing bytes. The
// bytes are the first ones, or those around `column`, which is 1-based, if that is behind them.
std::string shortened_line(std::string_view line, std::int64_t column = 1);

// Searches files in the order of their paths and touches the searched ones; binary files are not searched.
// Text in another encoding is searched as UTF-8.
// Errors: as LineMatcher::make() (the pattern) and Globs::parse() (a glob); not_found (a path); those of the
// view.
Result<GrepAnswer> grep(FileView& view, const GrepQuery& query);

}  // namespace snapgen::core
