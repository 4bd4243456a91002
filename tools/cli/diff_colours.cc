#include "tools/cli/diff_colours.h"

#include <algorithm>

namespace snapgen::tools {

std::string coloured_diff(std::string_view diff, const Terminal& out) {
  if (!out.has_colours) return std::string(diff);
  std::string text;
  bool in_hunk = false;
  while (!diff.empty()) {
    const std::size_t end = std::min(diff.find('\n'), diff.size());
    const std::string_view line = diff.substr(0, end);
    if (line.starts_with("diff --git ")) in_hunk = false;
    Colour colour = in_hunk ? Colour::plain : Colour::bold;
    if (line.starts_with("@@")) {
      in_hunk = true;
      colour = Colour::cyan;
    } else if (in_hunk && line.starts_with('+')) {
      colour = Colour::green;
    } else if (in_hunk && line.starts_with('-')) {
      colour = Colour::red;
    }
    text += out.paint(colour, line);
    if (end < diff.size()) text += '\n';
    diff.remove_prefix(std::min(end + 1, diff.size()));
  }
  return text;
}

}  // namespace snapgen::tools
