#include "tools/engine/patch/mismatch.h"

#include <algorithm>

#include "tools/engine/patch/file_lines.h"

namespace snapgen::core {
namespace {

constexpr std::string_view must_end =
    "the hunk's last line must be the last one of the file, but the file has more lines";

// Describes why lines cannot be inserted at `at`, before the line `line`.
Reject misplaced_insertion(std::string_view file, std::size_t at, std::int64_t line) {
  const std::int64_t last = line - 1;
  Reject reject{.reason = RejectReason::eof_newline, .line = last};
  if (at == std::string_view::npos) {
    reject.reason = RejectReason::context_mismatch;
    reject.message = "the file ends before line " + std::to_string(last) + ", after which the hunk inserts";
  } else if (!begins_line(file, at)) {
    reject.message = "line " + std::to_string(last) + " of the file has no newline, so no line can follow it";
  } else {
    reject.line = line;
    reject.found = shown_line(file.substr(at, std::min(file.find('\n', at), file.size()) - at));
    reject.message = std::string(must_end);
  }
  return reject;
}

}  // namespace

bool has_lines_at(std::string_view file, std::size_t at, std::string_view lines, bool ends_file) {
  if (at == std::string_view::npos || !begins_line(file, at) || file.size() - at < lines.size()) return false;
  if (ends_file && file.size() - at != lines.size()) return false;
  return file.substr(at, lines.size()) == lines;
}

Reject mismatch(std::string_view file, std::size_t at, std::int64_t line, const HunkSides& sides) {
  if (sides.before.empty()) return misplaced_insertion(file, at, line);
  std::string_view rest = at == std::string_view::npos ? std::string_view() : file.substr(at);
  for (std::string_view expected = sides.before; !expected.empty(); ++line) {
    const std::size_t expected_end = std::min(expected.find('\n'), expected.size());
    const std::string_view text = expected.substr(0, expected_end);
    Reject reject{.reason = RejectReason::context_mismatch, .line = line, .expected = shown_line(text)};
    if (rest.empty()) {
      reject.message = "the file ends before line " + std::to_string(line) + ", which the hunk shows";
      return reject;
    }
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    reject.found = shown_line(rest.substr(0, end));
    if (rest.substr(0, end) != text) {
      reject.message = "line " + std::to_string(line) + " of the file is not what the hunk shows";
      return reject;
    }
    const bool is_newline_expected = expected_end < expected.size();
    if ((end < rest.size()) != is_newline_expected) {
      reject.reason = RejectReason::eof_newline;
      reject.message = is_newline_expected
                           ? "the file ends without a newline, but the hunk's line has one: add the line "
                             "`\\ No newline at end of file` after it"
                           : "the hunk's line has no newline, but the file's line has one: remove the line "
                             "`\\ No newline at end of file` after it";
      return reject;
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
    expected.remove_prefix(std::min(expected_end + 1, expected.size()));
  }
  const std::size_t end = std::min(rest.find('\n'), rest.size());
  return Reject{.reason = RejectReason::eof_newline,
                .message = std::string(must_end),
                .line = line,
                .found = shown_line(rest.substr(0, end))};
}

}  // namespace snapgen::core
