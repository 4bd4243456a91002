#include "tools/engine/patch/shown_lines.h"

#include <algorithm>

namespace snapgen::core {
namespace {

// The lines `first` to `last`.
struct LinesAround {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

std::vector<LinesAround> widened(const std::vector<LineRange>& changed_lines, std::int64_t context_lines) {
  std::vector<LinesAround> all;
  for (const LineRange& range : changed_lines) {
    const std::int64_t first = first_line_of(range);
    const LinesAround around{.first = std::max<std::int64_t>(first - context_lines, 1),
                             .last = first + range.count - 1 + context_lines};
    if (!all.empty() && around.first <= all.back().last + 1)
      all.back().last = std::max(all.back().last, around.last);
    else
      all.push_back(around);
  }
  return all;
}

}  // namespace

ShownParts lines_around(std::string_view content, const std::vector<LineRange>& changed_lines,
                        std::int64_t context_lines) {
  ShownParts shown;
  std::int64_t line = 1;
  std::size_t at = 0;
  std::int64_t lines_left = shown_lines_max;
  std::size_t bytes_left = shown_bytes_max;
  for (const LinesAround& around : widened(changed_lines, context_lines)) {
    ShownLines part{.first_line = around.first};
    for (; line <= around.last && at < content.size(); ++line) {
      const std::size_t end = std::min(content.find('\n', at), content.size() - 1) + 1;
      const std::size_t size = end - at;
      if (line >= around.first && lines_left > 0 && size <= bytes_left) {
        part.text += content.substr(at, size);
        --lines_left;
        bytes_left -= size;
      } else if (line >= around.first) {
        lines_left = 0;
        ++shown.omitted_lines;
      }
      at = end;
    }
    if (!part.text.empty()) shown.parts.push_back(std::move(part));
  }
  return shown;
}

std::vector<LineRange> all_lines(std::string_view content) {
  if (content.empty()) return {};
  const std::int64_t lines = std::ranges::count(content, '\n') + (content.ends_with('\n') ? 0 : 1);
  return {LineRange{.first = 1, .count = lines}};
}

}  // namespace snapgen::core
