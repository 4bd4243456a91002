#include "tools/engine/patch/file_lines.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <functional>
#include <unordered_map>

#include "tools/engine/base/plain_text.h"
#include "tools/engine/patch/sides.h"

namespace snapgen::core {
namespace {

// A line that a hunk repeats more often than this says little about its location.
constexpr std::size_t repeats_max = 8;

}  // namespace

std::vector<FileLines::Line> FileLines::split(std::string_view text) {
  std::vector<Line> lines;
  lines.reserve(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1);
  std::string_view line;
  while (next_line(text, line)) lines.push_back({.text = line, .hash = std::hash<std::string_view>()(line)});
  return lines;
}

FileLines::FileLines(std::string_view file) : file_(file), lines_(split(file)) {}

std::size_t FileLines::offset(std::int64_t number) const {
  assert(number >= 1 && number <= count() + 1);
  return number > count() ? file_.size() : static_cast<std::size_t>(at(number).text.data() - file_.data());
}

std::vector<std::int64_t> FileLines::places_of(std::string_view block) const {
  std::vector<std::int64_t> places;
  const std::vector<Line> wanted = split(block);
  const std::size_t size = wanted.size();
  if (size == 0 || size > lines_.size()) return places;
  auto equal = [](const Line& a, const Line& b) { return a.hash == b.hash && a.text == b.text; };
  // The search is that of Knuth, Morris and Pratt: borders[i] is the length of the longest proper prefix of
  // the first i lines which is also their suffix.
  std::vector<std::size_t> borders(size + 1, 0);
  for (std::size_t i = 1, border = 0; i < size; ++i) {
    while (border > 0 && !equal(wanted[i], wanted[border])) border = borders[border];
    if (equal(wanted[i], wanted[border])) ++border;
    borders[i + 1] = border;
  }
  const bool block_has_newline = block.ends_with('\n');
  for (std::size_t i = 0, matched = 0; i < lines_.size(); ++i) {
    while (matched > 0 && !equal(lines_[i], wanted[matched])) matched = borders[matched];
    if (equal(lines_[i], wanted[matched])) ++matched;
    if (matched < size) continue;
    const auto last = static_cast<std::int64_t>(i + 1);
    if (has_newline(last) == block_has_newline) places.push_back(last - static_cast<std::int64_t>(size) + 1);
    matched = borders[matched];
  }
  return places;
}

std::int64_t FileLines::nearest_to(std::string_view block, std::int64_t preferred_line) const {
  const std::vector<Line> wanted = split(block);
  std::unordered_map<std::string_view, std::vector<std::size_t>> positions;
  std::int64_t distinctive = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!is_distinctive(wanted[i].text)) continue;
    ++distinctive;
    std::vector<std::size_t>& all = positions[trimmed(wanted[i].text)];
    if (all.size() < repeats_max) all.push_back(i);
  }
  if (distinctive == 0) return 0;
  // matches[line + wanted.size()] is the number of lines that match if the block begins at `line`, from 0,
  // which may be above the file.
  std::vector<std::int32_t> matches(lines_.size() + wanted.size() + 1, 0);
  for (std::size_t line = 0; line < lines_.size(); ++line) {
    const auto found = positions.find(trimmed(lines_[line].text));
    if (found == positions.end()) continue;
    for (const std::size_t position : found->second) ++matches[line + wanted.size() - position];
  }
  std::int64_t best = 0;
  std::int64_t best_line = 0;
  for (std::size_t i = 0; i < matches.size(); ++i) {
    const std::int64_t line = static_cast<std::int64_t>(i) - static_cast<std::int64_t>(wanted.size()) + 1;
    const bool is_nearer = std::abs(line - preferred_line) < std::abs(best_line - preferred_line);
    if (matches[i] > best || (matches[i] == best && best > 0 && is_nearer)) {
      best = matches[i];
      best_line = line;
    }
  }
  if (best == 0 || best * 3 < distinctive) return 0;
  constexpr std::int64_t shift_max = 8;
  for (std::int64_t line = best_line - shift_max; line < best_line; ++line) {
    const std::int64_t i = line - 1 + static_cast<std::int64_t>(wanted.size());
    if (i >= 0 && matches[static_cast<std::size_t>(i)] * std::int64_t{3} >= best)
      return std::max<std::int64_t>(line, 1);
  }
  return std::max<std::int64_t>(best_line, 1);
}

}  // namespace snapgen::core
