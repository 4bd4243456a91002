#pragma once
// end_at_line: the rule by which an answer with a part of a file ends.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace snapgen::tools {

// If the content of an answer of snapshot.file was cut, ends it after its last complete line, and sets the
// line at which the next call continues. A content without a complete line, or that is not text, is
// unchanged. `start_line` is the line at which the content begins.
template <class File>
void end_at_line(File& file, std::int64_t start_line) {
  file.next_start_line.reset();
  const std::size_t line_feed = file.content.rfind('\n');
  if (!file.truncated || !file.total_lines || line_feed == std::string::npos) return;
  file.content.resize(line_feed + 1);
  file.next_start_line = start_line + std::count(file.content.begin(), file.content.end(), '\n');
}

}  // namespace snapgen::tools
