#pragma once
// The lines of an answer with a part of a file: where it ends, and their numbers.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace snapgen::tools {

// Returns the number of the last line of `content`, whose first line is `start_line`.
inline std::int64_t last_line_of(std::string_view content, std::int64_t start_line) {
  const std::int64_t line_feeds = std::count(content.begin(), content.end(), '\n');
  return start_line + line_feeds - (content.ends_with('\n') ? 1 : 0);
}

// Returns the content with the number of each line, from `start_line`, and a tab before the line.
inline std::string numbered_lines(std::string_view content, std::int64_t start_line) {
  std::string out;
  for (std::int64_t line = start_line; !content.empty(); ++line) {
    const std::size_t end = std::min(content.find('\n'), content.size() - 1) + 1;
    out.append(std::to_string(line)).append("\t").append(content.substr(0, end));
    content.remove_prefix(end);
  }
  return out;
}

// If the content of an answer of snapshot.file was cut, ends it after its last complete line, and sets the
// line at which the next call continues. A content without a complete line, or that is not text, is
// unchanged. `start_line` is the line at which the content begins.
template <class File>
void end_at_line(File& file, std::int64_t start_line) {
  file.next_start_line.reset();
  const std::size_t line_feed = file.content.rfind('\n');
  if (!file.truncated || !file.total_lines || line_feed == std::string::npos) return;
  file.content.resize(line_feed + 1);
  const std::int64_t end_line = last_line_of(file.content, start_line);
  file.next_start_line = end_line + 1;
  if constexpr (requires { file.end_line; })
    if (file.end_line) file.end_line = end_line;
}

}  // namespace snapgen::tools
