#include "tools/engine/patch/file_lines.h"

#include <algorithm>
#include <cassert>
#include <functional>

#include "tools/engine/base/plain_text.h"

namespace snapgen::core {

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

}  // namespace snapgen::core
