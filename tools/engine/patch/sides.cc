#include "tools/engine/patch/sides.h"

#include <algorithm>

#include "tools/engine/base/plain_text.h"

namespace snapgen::core {
namespace {

constexpr std::int64_t distinctive_letters = 4;
constexpr std::int64_t distinctive_lines = 3;

// Adds a changed line at the line `line` of the new text to the ranges.
void add_change(std::vector<LineRange>& changes, std::int64_t line, std::int64_t count) {
  if (!changes.empty()) {
    LineRange& last = changes.back();
    if (first_line_of(last) + last.count == line) {
      if (last.count == 0 && count > 0) last.first = line;
      last.count += count;
      return;
    }
  }
  changes.push_back(LineRange{.first = line - (count == 0 ? 1 : 0), .count = count});
}

}  // namespace

LineEndKinds line_ends_of(std::string_view text) {
  LineEndKinds ends;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n', end + 1)) {
    (end > 0 && text[end - 1] == '\r' ? ends.has_crlf : ends.has_lf) = true;
    if (ends.has_lf && ends.has_crlf) break;
  }
  return ends;
}

HunkSides sides_of(std::string_view body, LineEnds line_ends) {
  HunkSides sides;
  HunkLine line;
  while (next_line(body, line)) {
    std::string_view text = line.text;
    if (line_ends == LineEnds::cr_removed && text.ends_with('\r')) text.remove_suffix(1);
    const std::string_view end = !line.has_newline ? "" : line_ends == LineEnds::cr_added ? "\r\n" : "\n";
    if (!line.has_newline) sides.ends_file = true;
    if (line.kind != ' ') add_change(sides.changes, sides.after_lines + 1, line.kind == '+' ? 1 : 0);
    if (line.kind == '-') sides.removes = true;
    if (line.kind != '+') {
      sides.before.append(text).append(end);
      ++sides.before_lines;
    }
    if (line.kind != '-') {
      sides.after.append(text).append(end);
      ++sides.after_lines;
    }
  }
  return sides;
}

LineEnds line_ends_for(std::string_view file, const std::vector<Hunk>& hunks, bool patch_has_crlf_lines) {
  const bool has_old_lines =
      std::ranges::any_of(hunks, [](const Hunk& hunk) { return hunk.before_count > 0; });
  const bool may_add = has_old_lines && !std::ranges::any_of(hunks, [](const Hunk& hunk) {
                         return line_ends_of(hunk.body).has_crlf;
                       });
  if (!may_add && !patch_has_crlf_lines) return LineEnds::unchanged;
  const LineEndKinds ends = line_ends_of(file);
  if (may_add && ends.has_crlf && !ends.has_lf) return LineEnds::cr_added;
  if (patch_has_crlf_lines && ends.has_lf && !ends.has_crlf) return LineEnds::cr_removed;
  return LineEnds::unchanged;
}

std::string_view added_below(const HunkSides& sides) {
  const std::string_view after = sides.after;
  return after.starts_with(sides.before) ? after.substr(sides.before.size()) : std::string_view();
}

std::string_view added_above(const HunkSides& sides) {
  const std::string_view after = sides.after;
  return after.ends_with(sides.before) ? after.substr(0, after.size() - sides.before.size())
                                       : std::string_view();
}

bool is_distinctive(std::string_view text) {
  std::int64_t lines = 0;
  std::string_view line;
  while (next_line(text, line)) {
    if (!trimmed(line).empty()) ++lines;
    const auto letters = std::ranges::count_if(
        line, [](char c) { return is_alphanumeric(c) || static_cast<unsigned char>(c) >= 0x80; });
    if (lines >= distinctive_lines || letters >= distinctive_letters) return true;
  }
  return false;
}

}  // namespace snapgen::core
